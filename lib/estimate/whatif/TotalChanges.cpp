// Changes of calls with all that is called under them.
// The idea: with I_S what calls under all functions of a set S cost in a run, and F_i the factor of
// function i, what is under several is multiplied by all of their factors:
//   cost' = cost + sum over S of I_S prod over i in S of (F_i - 1).
// total(f) *= x multiplies the r-th cumulant by x^r, calls(f) *= k each of them by k. Reference:
// docs/17-what-if.md. What calls under a function cost is CostsUnder' business.
#include "TotalChanges.h"

#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quincunx {

namespace {

/// Functions in one question: every set of them is looked at.
constexpr size_t maxRoots = 8;

} // namespace

TotalChanges::TotalChanges(const BlockCosts &b, const CostChanges &c, const NameResolver &p,
                           const std::vector<Cumulants> &before)
    : blocks(b), costs(c), places(p), base(before) {}

Status TotalChanges::findRoots(const std::vector<Change> &changes) {
  for (const Change &change : changes) {
    if (!change.isInclusive())
      continue;
    Result<NameResolver::Meant> meant = places.function(change.name);
    if (!meant)
      return Error{"change '" + escape(change.text) + "': " + meant.error().text};
    const auto same = std::ranges::find(roots, meant->sources, &NameResolver::Meant::sources);
    asked.push_back({change, static_cast<size_t>(same - roots.begin())});
    if (same == roots.end())
      roots.push_back(std::move(*meant));
  }
  if (roots.size() > maxRoots)
    return Error{"calls or totals of " + std::to_string(roots.size()) +
                 " functions are too many for one question; it takes " + std::to_string(maxRoots)};
  return Done{};
}

double TotalChanges::meanOf(const std::vector<double> &perRun) const {
  const std::vector<CountMatrix::Row> &rows = blocks.matrix().rows;
  double sum = 0, weight = 0;
  for (size_t d = 0; d < rows.size(); ++d)
    sum += rows[d].weight * perRun[d], weight += rows[d].weight;
  return sum / weight;
}

AppliedChange TotalChanges::describe(const Asked &a) const {
  const auto &[change, root] = a;
  const std::string name = escape(change.name);
  const std::vector<LineRange> bodies = places.bodies(roots[root]);
  if (bodies.empty())
    return {change.text, name + " never ran", "exact on the counts"};
  const CostUnder &total = sets[size_t{1} << root];
  double times = meanOf(totals->calls(root));
  for (const LineRange &body : bodies)
    times += body.withBare ? 0 : costs.perRun(body); // where it was inlined
  std::vector<double> part, all;
  for (size_t d = 0; d < base.size(); ++d) {
    part.push_back(total.perRun[0][d].k1);
    all.push_back(base[d].k1);
  }
  const double program = meanOf(all);
  const std::string effect =
      name + ": " + counted(times, "call") + " per " + places.observed() + ", with all they call " +
      brief(program > 0 ? 100 * meanOf(part) / program : 0, 3) + " % of the mean cost";
  return {change.text, effect,
          std::string(total.isStopped ? "in runs that were stopped all that it did may be under it"
                      : total.isOpen
                          ? "what is called elsewhere, too, costs what it does on average"
                      : total.isRecorded && !inlined[root].isAny
                          ? "exact: what these calls cost in their thread was recorded"
                          : "exact on the counts") +
              (change.target == Change::Target::calls ? "; what makes the calls costs what it did"
                                                      : "")};
}

Status TotalChanges::take(const std::vector<Change> &changes) {
  if (Status s = findRoots(changes); !s)
    return s;
  std::vector<std::vector<size_t>> functions;
  for (const NameResolver::Meant &root : roots) {
    functions.push_back(root.functions);
    inlined.push_back(inlinedTotal(blocks, places.ofSource(), root.sources));
  }
  // What stands in one that is asked about as well would be taken twice.
  for (const Asked &a : asked)
    if (roots.size() > 1 && inlined[a.root].isAny)
      return Error{"change '" + escape(a.change.text) + "': '" + escape(a.change.name) +
                   "' was inlined in other functions, and how much of it is under the others that "
                   "are asked about is not known; ask about it by itself"};
  totals.emplace(blocks, costs, functions);
  totals->compute();
  sets = totals->sets();
  for (size_t root = 0; root < roots.size(); ++root)
    addInlined(root);
  for (const Asked &a : asked)
    done.push_back(describe(a));
  const auto isOpen = [](const CostUnder &t) { return t.isOpen; };
  const std::optional<size_t> shared = totals->mostOpen();
  if (shared && std::any_of(totals->sets().begin(), totals->sets().end(), isOpen))
    warnings.push_back(
        {"shared", "what these functions call is called elsewhere, too, most of all " +
                       places.sourceName(blocks.function(*shared).name) +
                       ", and neither counts nor records tell what it costs under them: it is "
                       "taken to cost what it does on average, intervals hold the least and the "
                       "most that it may"});
  return Done{};
}

/// What stands in others is under the root as well. Its calls cost what they do on average, at
/// least nothing and at most what all calls of their callees do.
void TotalChanges::addInlined(size_t root) {
  const InlinedTotal &more = inlined[root];
  CostUnder &total = sets[size_t{1} << root];
  for (size_t d = 0; d < base.size() && more.isAny; ++d) {
    double &mean = total.perRun[0][d].k1; // no more than all, where it calls what it stands in
    mean = std::max(mean, std::min(base[d].k1, mean + more.own[d] + more.called[d]));
    total.bounds[d].low += more.own[d];
    total.bounds[d].high += more.own[d] + more.most[d];
    total.isOpen = total.isOpen || more.called[d] > 0;
  }
}

/// The product of F_i - 1.
double TotalChanges::factor(size_t set, size_t order, double x) const {
  double product = 1;
  for (size_t r = 0; r < roots.size(); ++r) {
    if ((set >> r & 1) == 0)
      continue;
    double own = 1;
    for (const auto &[change, root] : asked) {
      const double value = change.value.k1 * (change.variable.empty() ? 1 : x);
      const bool dearer = change.target == Change::Target::total;
      if (root == r)
        own *= dearer ? std::pow(value, static_cast<double>(order + 1)) : value;
    }
    product *= own - 1;
  }
  return product;
}

void TotalChanges::addTo(double x, std::vector<Cumulants> &sum) const {
  for (size_t set = 1; set < sets.size(); ++set) {
    std::vector<Cumulants> part(sum.size());
    addPowers(sets[set].perRun, x, part);
    for (size_t r = 0; r < cumulantOrders.size(); ++r)
      if (const double by = factor(set, r, x); by != 0)
        for (size_t d = 0; d < sum.size(); ++d)
          sum[d].*cumulantOrders[r] += by * part[d].*cumulantOrders[r];
  }
}

std::vector<PointerTargets::Bounds> TotalChanges::range() const {
  std::vector<PointerTargets::Bounds> range;
  for (size_t set = 1; set < sets.size(); ++set) {
    const CostUnder &total = sets[set];
    if (!total.isOpen && !total.isStopped)
      continue;
    range.resize(base.size());
    const double by = factor(set, 0, 1);
    for (size_t d = 0; d < range.size(); ++d) {
      const double low = by * (total.bounds[d].low - total.perRun[0][d].k1);
      const double high = by * (total.bounds[d].high - total.perRun[0][d].k1);
      range[d].low += std::min(low, high);
      range[d].high += std::max(low, high);
    }
  }
  return range;
}

} // namespace quincunx
