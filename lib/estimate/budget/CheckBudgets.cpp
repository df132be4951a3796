// Budgets, one by one, over runs that are measured once for all of them.
#include "quincunx/estimate/CheckBudgets.h"

#include "Decision.h"
#include "GrowthBound.h"
#include "RunValues.h"
#include "estimate/price/Prices.h"
#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"
#include "quincunx/estimate/WhatIf.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace quincunx {

namespace {

using Figure = Budget::Figure;
using Quantity = Budget::Quantity;

/// Relative standard deviations: of the time of a function of which a calibration has no samples
/// (a median error of 34 %, docs/13-machines.md), and of an error of which the median is known.
constexpr double unsampled = 0.34 / 0.6745;
double deviationOf(double medianError) { return medianError / 0.6745; }

Error about(const Budget &b, const Error &e) {
  const std::string text = "budget '" + escape(b.text) + "': " + e.text;
  return b.file.empty() ? Error{text} : Error{text, b.file, b.line};
}

bool isCost(Quantity q) { return q == Quantity::total || q == Quantity::self; }

/// The budgets of one world.
class BudgetChecker {
public:
  BudgetChecker(std::span<const Budget> b, const BudgetWorld &w, const NameReader &r)
      : budgets(b), world(w), reader(r), prices(w.runs.maps, w.machine) {}
  Result<std::vector<CheckedBudget>> run();

private:
  Result<std::vector<AskedQuantity>> asked(const std::vector<Map> &maps, bool ofBaseline);
  Status measure();
  Status fits(const Budget &b, const AskedQuantity &a) const;
  double inUnit(const Budget &b, const std::string &unit) const;
  Result<CheckedBudget> check(size_t number) const;
  Result<CheckedBudget> whatif(const Budget &b) const;
  Status growth(size_t number, CheckedBudget &out) const;
  Status compare(size_t number, BudgetSample sample, CheckedBudget &out) const;
  void take(const BudgetFigure &figure, double from, CheckedBudget &out) const;
  Result<BudgetSample> sampleOf(const Budget &b, size_t number, const MeasuredRuns &runs) const;
  PriceError priceError(size_t number) const;
  bool isTime(size_t number) const {
    return nanoseconds(world.machine.unit) > 0 && isCost(budgets[number].quantity);
  }

  std::span<const Budget> budgets;
  const BudgetWorld &world;
  const NameReader &reader;
  const Prices prices;
  std::vector<AskedQuantity> quantities; ///< parallel to budgets
  MeasuredRuns now;
  std::optional<MeasuredRuns> before;
  std::map<size_t, std::string> unasked; ///< budgets of the source, and why they cannot be asked
  std::set<size_t> isNew; ///< budgets with a function that the baseline does not have
};

/// What the budgets are about, in one build or the other.
Result<std::vector<AskedQuantity>> BudgetChecker::asked(const std::vector<Map> &maps,
                                                        bool ofBaseline) {
  const BudgetFunctions functions(maps, reader);
  std::vector<AskedQuantity> out;
  for (const Budget &b : budgets) {
    AskedQuantity &a = out.emplace_back();
    if (ofBaseline && !b.ofBaseline) // nothing is asked of it there
      continue;
    a.quantity = b.quantity;
    if (b.function.empty())
      continue;
    if (ofBaseline && !functions.isAny(b.function)) {
      a.function.emplace(); // nothing of it ever ran
      continue;
    }
    Result<BudgetFunction> found = functions.find(b.function);
    if (!found && b.isOfSource) {
      unasked[out.size() - 1] = found.error().text;
      a.function.emplace();
      continue;
    }
    if (!found)
      return about(b, ofBaseline ? Error{"the baseline: " + found.error().text} : found.error());
    a.function = std::move(*found);
  }
  return out;
}

Status BudgetChecker::measure() {
  Result<std::vector<AskedQuantity>> found = asked(world.runs.maps, false);
  if (!found)
    return found.error();
  quantities = std::move(*found);
  for (size_t i = 0; i < budgets.size(); ++i)
    if (Status s = fits(budgets[i], quantities[i]); !s) {
      if (!budgets[i].isOfSource)
        return about(budgets[i], s.error());
      unasked[i] = s.error().text;
    }
  Result<MeasuredRuns> measured = measureRuns(world.runs, world.machine, quantities);
  if (!measured)
    return measured.error();
  now = std::move(*measured);
  if (!world.baseline)
    return Done{};
  found = asked(world.baseline->maps, true);
  if (!found)
    return found.error();
  for (size_t i = 0; i < budgets.size(); ++i)
    if (const auto &f = (*found)[i].function;
        f && f->sources.empty() && f->library.empty() && quantities[i].function->library.empty())
      isNew.insert(i); // calls of a library that there were none of are 0
  measured = measureRuns(*world.baseline, world.machine, *found);
  if (!measured)
    return Error{"the baseline: " + measured.error().text};
  before = std::move(*measured);
  return Done{};
}

/// Does the quantity exist, and in the unit of the bound?
Status BudgetChecker::fits(const Budget &b, const AskedQuantity &a) const {
  if (b.ofBaseline && !world.baseline)
    return Error{"there is no baseline; say which by --baseline CORPUS or BUILD"};
  const bool isLibrary = a.function && !a.function->library.empty();
  if (b.quantity == Quantity::bytes) {
    const bool isKnown = isLibrary && std::ranges::all_of(a.function->library, [&](size_t i) {
                           return prices.library().bytes(i) != ByteSource::none;
                         });
    return isKnown ? Status(Done{})
                   : Error{"bytes are known of calls that move memory and were not counted, as "
                           "memcpy and read"};
  }
  if (!isCost(b.quantity))
    return Done{};
  if (isLibrary && std::ranges::none_of(a.function->library, [&](size_t i) {
        return prices.isPriced(prices.library().names()[i]);
      }))
    return Error{"machine " + escape(world.machine.name) + " has no price for calls of " +
                 reader.nameOf(prices.library().names()[a.function->library.front()]) +
                 "; its calls are counted: mean calls(" + escape(b.function) + ")"};
  if (b.ofBaseline)
    return Done{};
  const std::string &unit = world.machine.unit;
  const bool isTimed = nanoseconds(unit) > 0;
  if (b.figure == Figure::growth || !b.changes.empty() || (!isTimed && b.unit.empty()) ||
      b.unit == unit || (isTimed && nanoseconds(b.unit) > 0))
    return Done{};
  return Error{"costs are in " + escape(unit) + " (machine " + escape(world.machine.name) + "), " +
               (b.unit.empty() ? "and the bound has no unit" : "not in '" + escape(b.unit) + "'")};
}

/// The bound in the unit of costs.
double BudgetChecker::inUnit(const Budget &b, const std::string &unit) const {
  const double to = nanoseconds(unit), from = nanoseconds(b.unit);
  return to > 0 && from > 0 ? b.bound * from / to : b.bound;
}

PriceError BudgetChecker::priceError(size_t number) const {
  if (!isTime(number))
    return {};
  double squares = std::pow(deviationOf(world.machine.fit.medianError), 2) +
                   std::pow(world.machine.programSpread, 2);
  if (const auto &f = quantities[number].function; f && squares > 0)
    squares += std::pow(prices.spreadOf(f->file, f->line).value_or(unsampled), 2);
  return {std::sqrt(squares)};
}

Result<BudgetSample> BudgetChecker::sampleOf(const Budget &b, size_t number,
                                             const MeasuredRuns &runs) const {
  BudgetSample out;
  const RunValues &all = runs.quantities[number];
  const bool isRatio = !b.per.empty() && !b.isPerRequest() && b.figure != Figure::growth;
  std::set<std::string> features;
  for (size_t d = 0; d < runs.rows.size(); ++d) {
    const MeasuredRuns::Row &row = runs.rows[d];
    double by = 1;
    if (isRatio) {
      for (const auto &[name, value] : row.features)
        features.insert(name);
      const auto found = row.features.find(b.per);
      if (found == row.features.end() || !(found->second > 0)) {
        ++out.leftOut;
        continue;
      }
      by = 1 / found->second;
    }
    out.parts.push_back({scaled(by, all.values[d]), row.weight, row.open});
    out.counts.push_back({by * all.counts[d].low, by * all.counts[d].high});
    out.inputs.push_back(row.input);
  }
  out.isAverage = all.isAverage;
  if (!isRatio)
    out.mean = all.mean;
  out.isSample = runs.isSample && !(out.mean && b.figure == Figure::mean);
  if (!out.parts.empty())
    return out;
  const std::string near =
      nearest(b.per, std::vector<std::string>(features.begin(), features.end()));
  return Error{"no run has a feature '" + escape(b.per) + "' above 0" +
               (near.empty() ? "" : "; did you mean '" + escape(near) + "'?")};
}

/// The figure is `from` more than what `figure` says.
void BudgetChecker::take(const BudgetFigure &figure, double from, CheckedBudget &out) const {
  out.value = from + figure.value;
  out.interval = {from + figure.interval.low, from + figure.interval.high};
  out.answer = answerOf(out.budget.comparison, out.interval, out.bound);
  out.ranOnce = figure.isCounted && !figure.isRepeated && !out.budget.isPerRequest();
  if (out.answer == BudgetAnswer::cannotTell)
    out.why = whatWouldDecide(out.budget, figure, out.bound - from);
  else
    out.why = !figure.isCounted   ? out.interval.low == out.interval.high
                                        ? "as priced, of these inputs"
                                        : "by its 90 % interval"
              : figure.chance > 0 ? "as counted, by more than runs of one input differ"
                                  : "as counted";
}

/// Runs of the same inputs alone, parallel.
void pair(BudgetSample &before, BudgetSample &after) {
  std::map<std::string, std::vector<size_t>> was;
  for (size_t i = before.inputs.size(); i-- > 0;)
    was[before.inputs[i]].push_back(i);
  BudgetSample first, second;
  const auto add = [](const BudgetSample &from, size_t i, BudgetSample &to) {
    to.parts.push_back(from.parts[i]);
    to.counts.push_back(from.counts[i]);
    to.inputs.push_back(from.inputs[i]);
  };
  for (size_t i = 0; i < after.inputs.size(); ++i)
    if (auto found = was.find(after.inputs[i]); found != was.end() && !found->second.empty()) {
      add(before, found->second.back(), first);
      add(after, i, second);
      found->second.pop_back();
    }
  before = std::move(first), after = std::move(second);
}

Status BudgetChecker::compare(size_t number, BudgetSample after, CheckedBudget &out) const {
  const Budget &b = out.budget;
  Result<BudgetSample> old = sampleOf(b, number, *before);
  if (!old)
    return Error{"the baseline: " + old.error().text};
  const size_t all = after.parts.size();
  const bool paired = !b.isPerRequest();
  if (paired)
    pair(*old, after);
  if (after.parts.empty())
    return Error{"no input ran in both, so that nothing can be compared; inputs are the same where "
                 "their label, arguments and standard input are"};
  const Result<BudgetFigure> was = budgetFigure(b, *old, isTime(number), {}),
                             is = budgetFigure(b, after, isTime(number), {});
  const Result<BudgetFigure> difference =
      budgetDifference(b, *old, after, isTime(number), priceError(number), paired);
  for (const auto *f : {&was, &is, &difference})
    if (!*f)
      return f->error();
  out.before = was->value;
  out.bound = b.bound * was->value;
  take(*difference, out.bound, out);
  if (all > after.parts.size())
    out.why += ", over the " + std::to_string(after.parts.size()) + " of " + std::to_string(all) +
               " runs of inputs that the baseline has";
  if (isNew.contains(number)) {
    out.answer = BudgetAnswer::cannotTell;
    out.why = "the baseline has no function of that name";
  } else if (!std::isfinite(was->value)) {
    out.answer = BudgetAnswer::cannotTell;
    out.interval = {-HUGE_VAL, HUGE_VAL};
    out.why = "runs of the baseline were stopped, so that it has no such figure";
  }
  return Done{};
}

Status BudgetChecker::growth(size_t number, CheckedBudget &out) const {
  const Budget &b = out.budget;
  const std::string feature = b.per.empty() ? "size" : b.per;
  std::vector<double> n, y;
  size_t stopped = 0;
  for (size_t d = 0; d < now.rows.size(); ++d) {
    const auto found = now.rows[d].features.find(feature);
    if (found == now.rows[d].features.end() || !(found->second > 0)) {
      ++out.leftOut;
      continue;
    }
    stopped += now.rows[d].open;
    if (now.rows[d].open)
      continue;
    n.push_back(found->second);
    y.push_back(now.quantities[number].values[d].k1);
  }
  if (n.empty())
    return Error{"no run has a feature '" + escape(feature) +
                 "' above 0; name another one, as in growth(sort) per items <= n"};
  out.unit = "";
  out.bound = growthTolerance;
  const Result<GrowthExcess> excess = growthExcess({b.power, b.timesLog}, n, y);
  if (!excess) {
    out.why = excess.error().text;
    out.interval = {-HUGE_VAL, HUGE_VAL};
    return Done{};
  }
  out.value = excess->value;
  out.interval = excess->interval;
  out.answer = answerOf(b.comparison, excess->interval, growthTolerance);
  out.why = "the larger half of " + escape(feature) + ", up to " + exact(excess->largest) +
            ", cost " + exact(std::round(1000 * std::fabs(excess->value)) / 10) + " % " +
            (excess->value < 0 ? "less" : "more") + " than the law says by the smaller half";
  if (stopped > 0 && out.answer != BudgetAnswer::broken) {
    out.answer = BudgetAnswer::cannotTell;
    out.why += "; " + std::to_string(stopped) +
               " more were stopped, and cost at least as much as was counted";
  }
  return Done{};
}

Result<CheckedBudget> BudgetChecker::whatif(const Budget &b) const {
  WhatIfOptions question;
  static_cast<NameReader &>(question) = reader;
  question.percentiles = {b.figure == Figure::percentile ? b.p : 0.5};
  const Result<CountMatrix> counts = readCounts(world.runs, Corpus::ReadMask::recorders);
  if (!counts)
    return counts.error();
  const Result<WhatIfAnswer> answer = whatIf(BlockCosts(*counts, world.runs.maps, world.machine),
                                             world.machine, b.changes, question);
  if (!answer)
    return answer.error();
  const Compared &figure = answer->figures[b.figure == Figure::percentile ? 0
                                           : b.figure == Figure::mean     ? 1
                                                                          : 2];
  const std::string &unit = answer->otherUnit;
  const bool isTimed = nanoseconds(unit) > 0;
  if (isTimed != (nanoseconds(b.unit) > 0) || (!isTimed && !b.unit.empty() && b.unit != unit))
    return Error{"costs are in " + escape(unit) + " there, not in '" + escape(b.unit) + "'"};
  CheckedBudget out;
  out.budget = b;
  out.unit = unit;
  out.bound = inUnit(b, unit);
  BudgetFigure f;
  f.value = figure.after.value;
  f.interval = figure.after.trust;
  f.isCounted = false;
  f.runs = static_cast<uint64_t>(answer->afterRuns);
  f.sampling[0] = f.value - f.interval.low, f.sampling[1] = f.interval.high - f.value;
  if (isTimed && std::isfinite(f.value))
    f.prices = 1.6449 * deviationOf(world.machine.fit.medianError) * f.value;
  f.interval = {f.value - std::hypot(f.sampling[0], f.prices),
                f.value + std::hypot(f.sampling[1], f.prices)};
  take(f, 0, out);
  if (out.answer != BudgetAnswer::cannotTell)
    out.why = "as whatif answers, by its 90 % interval";
  return out;
}

Result<CheckedBudget> BudgetChecker::check(size_t number) const {
  const Budget &b = budgets[number];
  if (!b.changes.empty())
    return whatif(b);
  CheckedBudget out;
  out.budget = b;
  out.unit = isCost(b.quantity) ? world.machine.unit : "";
  out.bound = inUnit(b, out.unit);
  out.isAverage = now.quantities[number].isAverage;
  if (const auto &f = quantities[number].function)
    out.functionFile = f->file, out.functionLine = f->line;
  if (b.figure == Figure::growth) {
    if (Status s = growth(number, out); !s)
      return s.error();
    return out;
  }
  Result<BudgetSample> sample = sampleOf(b, number, now);
  if (!sample)
    return sample.error();
  const size_t leftOut = sample->leftOut;
  if (b.ofBaseline) {
    if (Status s = compare(number, std::move(*sample), out); !s)
      return s.error();
  } else {
    const Result<BudgetFigure> figure =
        budgetFigure(b, *sample, isTime(number), priceError(number));
    if (!figure)
      return figure.error();
    take(*figure, 0, out);
  }
  out.leftOut = leftOut;
  // Calls that were inlined have no count.
  if (b.quantity == Quantity::calls && quantities[number].function->inlined &&
      out.answer != (b.isUpper() ? BudgetAnswer::broken : BudgetAnswer::holds)) {
    out.answer = BudgetAnswer::cannotTell;
    out.interval.high = HUGE_VAL;
    out.why = "it was inlined at some places, where its calls are not counted";
  }
  return out;
}

/// In the unit of its bound.
CheckedBudget asWritten(CheckedBudget c) {
  const double to = nanoseconds(c.budget.unit), from = nanoseconds(c.unit);
  if (to == 0 || from == 0)
    return c;
  for (double *x : {&c.value, &c.interval.low, &c.interval.high, &c.bound})
    *x *= from / to;
  c.unit = c.budget.unit;
  return c;
}

Result<std::vector<CheckedBudget>> BudgetChecker::run() {
  if (Status s = measure(); !s)
    return s.error();
  std::vector<CheckedBudget> out;
  for (size_t i = 0; i < budgets.size(); ++i) {
    Result<CheckedBudget> checked =
        unasked.contains(i) ? unanswered(budgets[i], unasked.at(i)) : check(i);
    if (!checked && !budgets[i].isOfSource)
      return about(budgets[i], checked.error());
    if (!checked)
      checked = unanswered(budgets[i], checked.error().text);
    out.push_back(asWritten(std::move(*checked)));
  }
  return out;
}

} // namespace

CheckedBudget unanswered(const Budget &b, const std::string &why) {
  CheckedBudget out;
  out.budget = b;
  out.value = NAN;
  out.interval = {-HUGE_VAL, HUGE_VAL};
  out.unit = nanoseconds(b.unit) > 0 ? b.unit : "";
  out.bound = b.figure == Figure::growth ? growthTolerance : b.bound;
  out.why = why;
  return out;
}

Result<std::vector<CheckedBudget>>
checkBudgets(std::span<const Budget> budgets, const BudgetWorld &world, const NameReader &reader) {
  return BudgetChecker(budgets, world, reader).run();
}

} // namespace quincunx
