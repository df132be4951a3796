// Prices runs one by one, as a report does (RunCosts), and keeps what budgets ask for.
#include "RunValues.h"

#include "estimate/change/FunctionsNamed.h"
#include "estimate/observe/ObservedTotals.h"
#include "estimate/observe/RunCosts.h"
#include "estimate/whatif/NameResolver.h"
#include "quincunx/base/Text.h"
#include "quincunx/profile/DenseCounts.h"

#include <algorithm>
#include <set>

namespace quincunx {

namespace {
using Quantity = Budget::Quantity;
} // namespace

struct BudgetFunctions::Impl {
  const NameReader &reader;
  const SourceFunctions sources;
  const LibraryFunctions library;
  std::vector<NamedFunction> named; ///< per number; groups have no name
};

BudgetFunctions::BudgetFunctions(const std::vector<Map> &maps, const NameReader &reader)
    : impl(new Impl{reader, {maps, true}, LibraryFunctions(maps), {}}) {
  const SourceFunctions &sources = impl->sources;
  impl->named.resize(sources.size());
  for (size_t m = 0; m < maps.size(); ++m)
    for (size_t i = sources.first(m); i < sources.firstGroup(m); ++i) {
      const SourceFunctions::Origin &origin = sources.origin(i);
      const Scope &own = origin.own();
      impl->named[i] = {
          origin.scope == 0 ? origin.function->name : own.function,
          own.file < origin.function->files.size() ? origin.function->files[own.file].path : "",
          maps[m].path,
          own.group == noIndex || maps[m].groups[own.group].isForeign
              ? ""
              : maps[m].groups[own.group].name};
    }
}

BudgetFunctions::~BudgetFunctions() = default;

bool BudgetFunctions::isAny(const std::string &name) const {
  return !functionsNamed(name, impl->named, impl->reader).empty() ||
         !libraryNamed(name, impl->library, impl->reader).empty();
}

// `free` is the C library's, whatever classes have functions of that name.
Result<BudgetFunction> BudgetFunctions::find(const std::string &name) const {
  std::vector<size_t> found = functionsNamed(name, impl->named, impl->reader);
  const std::set<std::string> called = libraryNamed(name, impl->library, impl->reader);
  const auto isExact = [&](size_t i) { return impl->reader.isCalled(impl->named[i].name, name); };
  const bool isLibrary = std::ranges::any_of(
      called, [&](const std::string &callee) { return impl->reader.isCalled(callee, name); });
  BudgetFunction out;
  if (!called.empty() && (found.empty() || (isLibrary && std::ranges::none_of(found, isExact)))) {
    for (size_t i = 0; i < impl->library.names().size(); ++i)
      if (called.contains(impl->library.names()[i]) ||
          std::ranges::any_of(impl->library.written(i),
                              [&](const std::string &w) { return called.contains(w); }))
        out.library.push_back(i);
    return out;
  }
  if (found.empty()) {
    std::set<std::string> names(impl->library.names().begin(), impl->library.names().end());
    for (const NamedFunction &f : impl->named)
      names.insert(std::string(withoutParameters(impl->reader.demangle(f.name))));
    return noneNamed(name, names);
  }
  if (!areOne(impl->named, found))
    return severalNamed(name, impl->named, found, impl->reader);
  const SourceFunctions::Origin &first = impl->sources.origin(found.front());
  out.file = impl->named[found.front()].file;
  out.line = first.own().line;
  for (const size_t i : found)
    out.inlined = out.inlined || impl->sources.origin(i).inlined;
  out.sources = std::move(found);
  return out;
}

namespace {

/// Takes runs one by one.
class RunMeter {
public:
  RunMeter(const RunSource &source, const Machine &machine, const std::vector<AskedQuantity> &a)
      : asked(a), prices(source.maps, machine), costs(source.maps, prices, isDivided(a)) {
    for (size_t m = 0; m < source.maps.size(); ++m)
      mapOf[source.maps[m].hash] = m;
    out.quantities.resize(asked.size());
    for (size_t q = 0; q < asked.size(); ++q) {
      if (!asked[q].function)
        continue;
      for (const size_t i : asked[q].function->sources)
        wanted[i].push_back(q);
      for (const size_t i : asked[q].function->library)
        wanted[costs.sources().size() + i].push_back(q);
    }
    sums.resize(asked.size());
  }
  Status add(const Run &run, double weight, const std::vector<Map> &maps);
  Status addTotal(const Run &run, double number);
  MeasuredRuns finish(const RunSource &source);

private:
  static bool isDivided(const std::vector<AskedQuantity> &asked) {
    return std::ranges::any_of(asked,
                               [](const AskedQuantity &a) { return a.function.has_value(); });
  }
  void keep(const RunCosts::OfRun &run, const Run &of);
  double valueOf(size_t q, const FunctionCost &cost) const {
    return asked[q].quantity == Quantity::calls   ? cost.calls
           : asked[q].quantity == Quantity::bytes ? cost.bytes
                                                  : cost.k.k1;
  }

  const std::vector<AskedQuantity> &asked;
  Prices prices;
  RunCosts costs;
  std::map<Hash, size_t> mapOf;
  std::map<size_t, std::vector<size_t>> wanted; ///< by function, numbers of what is asked
  std::vector<double> sums;                     ///< over all requests
  double summed = 0;                            ///< how many these are
  MeasuredRuns out;
};

Status RunMeter::add(const Run &run, double weight, const std::vector<Map> &maps) {
  if (run.outcome == Outcome::crashed) {
    ++out.crashed;
    return Done{};
  }
  if (run.outcome == Outcome::finished && run.images.empty()) {
    ++out.unrecorded;
    return Done{};
  }
  for (const ImageCounts &image : run.images) {
    const auto found = mapOf.find(image.map);
    if (found == mapOf.end())
      continue;
    if (const Status s = checkCounts(image, maps[found->second]); !s)
      return Error{"run '" + escape(run.label) + "' " + s.error().text};
    if (const Status s = costs.add(image, found->second); !s)
      return s;
  }
  out.rows.push_back({timingIdentity(run.label, run.arguments, run.standardInput), run.label,
                      isCensored(run.outcome), weight, run.features});
  keep(costs.take(), run);
  return Done{};
}

void RunMeter::keep(const RunCosts::OfRun &atHand, const Run &of) {
  const Prices::OfRun whole = prices.run(
      atHand.blocks, atHand.weighed, Prices::useOf(of.pageFaults, of.branchMisses, of.peakMemory));
  for (size_t q = 0; q < asked.size(); ++q) {
    out.quantities[q].values.push_back(asked[q].function ? Cumulants{} : whole.cost);
    const double k1 = out.quantities[q].values.back().k1;
    const double scale = asked[q].function ? 0 : whole.scale;
    out.quantities[q].counts.push_back({k1 - scale * atHand.below, k1 + scale * atHand.above});
  }
  for (const auto &[number, cost] : atHand.functions) {
    const auto found = wanted.find(number);
    if (found == wanted.end())
      continue;
    for (const size_t q : found->second) {
      const bool isCost =
          asked[q].quantity == Quantity::self || asked[q].quantity == Quantity::total;
      Cumulants value = isCost ? scaled(whole.scale, cost.k) : Cumulants{valueOf(q, cost), 0, 0, 0};
      Interval &counts = out.quantities[q].counts.back();
      counts.low += isCost ? whole.scale * cost.low : value.k1;
      counts.high += isCost ? whole.scale * cost.high : value.k1;
      out.quantities[q].values.back() += value;
    }
  }
}

Status RunMeter::addTotal(const Run &run, double number) {
  for (const ImageCounts &image : run.images)
    if (const auto found = mapOf.find(image.map); found != mapOf.end())
      if (const Status s = costs.add(image, found->second); !s)
        return s;
  const RunCosts::OfRun all = costs.take();
  for (size_t q = 0; q < asked.size(); ++q)
    sums[q] += asked[q].function ? 0 : all.blocks.k1;
  for (const auto &[f, cost] : all.functions)
    if (const auto found = wanted.find(f); found != wanted.end())
      for (const size_t q : found->second)
        sums[q] += valueOf(q, cost);
  summed += number;
  return Done{};
}

MeasuredRuns RunMeter::finish(const RunSource &source) {
  if (!source.requests)
    return std::move(out);
  out.isSample = source.requests->kept < source.requests->ended;
  if (summed > 0 && summed == static_cast<double>(source.requests->ended))
    for (size_t q = 0; q < asked.size(); ++q)
      out.quantities[q].mean = sums[q] / summed;
  return std::move(out);
}

/// Sets what functions cost with all they call.
Status addTotals(const RunSource &source, const Machine &machine,
                 const std::vector<AskedQuantity> &asked, MeasuredRuns &out) {
  const auto isWanted = [](const AskedQuantity &a) {
    return a.quantity == Quantity::total && a.function && !a.function->sources.empty();
  };
  if (std::ranges::none_of(asked, isWanted))
    return Done{};
  const Result<CountMatrix> matrix = readCounts(source, Corpus::ReadMask::recorders);
  if (!matrix)
    return matrix.error();
  const BlockCosts blocks(*matrix, source.maps, machine);
  ObservedTotals totals(*matrix, source.maps, blocks, source.requests ? source.requests->name : "");
  const SourceFunctions sources(source.maps, true);
  const SourceTotals ofSource = totals.ofSource(sources, blocks);
  for (size_t q = 0; q < asked.size(); ++q) {
    if (!isWanted(asked[q]))
      continue;
    RunValues &values = out.quantities[q];
    values.mean.reset();
    values.values.assign(out.rows.size(), Cumulants{});
    values.counts.assign(out.rows.size(), Interval{});
    for (const size_t number : asked[q].function->sources) {
      const bool isRecorded = ofSource.isRecorded(number);
      if (!isRecorded && !totals.known())
        return Error{"calls through pointers contradict each other in too many runs, so that what "
                     "functions cost with all they call is not known; ask for self"};
      const SourceTotals::PerRun &perRun = ofSource.perRun(number);
      const SourceTotals::Bounds bounds = ofSource.bounds(number);
      for (size_t d = 0; d < perRun.size(); ++d) {
        values.values[d].k1 += perRun[d];
        values.counts[d].low += bounds.low[d];
        values.counts[d].high += bounds.high[d];
      }
      values.isAverage = values.isAverage || !isRecorded;
    }
  }
  return Done{};
}

} // namespace

Result<MeasuredRuns> measureRuns(const RunSource &source, const Machine &machine,
                                 const std::vector<AskedQuantity> &asked) {
  RunMeter meter(source, machine, asked);
  const auto one = [&](const Run &run, double weight) {
    return meter.add(run, weight, source.maps);
  };
  const auto all = [&](const Run &sums, double number) { return meter.addTotal(sums, number); };
  const Status read = source.requests
                          ? forEachRequest(source.corpus, source.maps, *source.requests, {one, all})
                          : source.corpus.forEachRun([&](Run &&run) { return one(run, 1); });
  if (!read)
    return read.error();
  MeasuredRuns out = meter.finish(source);
  if (out.rows.empty())
    return Error{source.requests       ? "no request ended"
                 : out.crashed != 0    ? "every run crashed; none is left"
                 : out.unrecorded != 0 ? "no run left a record: was the program built with the "
                                         "quincunx flag?"
                                       : "the corpus has no runs"};
  if (const Status s = addTotals(source, machine, asked, out); !s)
    return s.error();
  return out;
}

} // namespace quincunx
