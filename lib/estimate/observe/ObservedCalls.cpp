// Distributions over calls, by adding up histograms (CallObserver).
// The idea: calls were recorded in units of the build; by a machine with other prices, those of a
// function are multiplied with what such a unit costs below it in their run (ObservedTotals).
#include "quincunx/estimate/ObservedCalls.h"

#include "estimate/counts/RecordedCalls.h"

#include "ObservedTotals.h"
#include "estimate/price/FunctionCosts.h"
#include "estimate/price/Prices.h"
#include "quincunx/base/Text.h"
#include "quincunx/estimate/RunSource.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace quincunx {

namespace {

constexpr double normalOf90 = 1.6449; ///< deviations within which 90 % of a normal law lie

/// Are calls that were recorded by these weights in the machine's units?
bool isClock(const Function &f, const Machine &machine) {
  for (uint32_t kind = 0; kind < classCount; ++kind) {
    const char *name = className(static_cast<InstructionClass>(kind));
    double weight = 0;
    for (const ClassCount &c : f.clock)
      if (static_cast<uint32_t>(c.kind) == kind)
        weight = c.count;
    if (machine.cost(name).k1 != weight)
      return false;
  }
  return machine.constant();
}

/// Per map and function: calls in runs in which a frame under them was lost. What that had used up
/// is in no sum.
std::map<std::pair<size_t, size_t>, uint64_t> callsThatLost(const CountMatrix &matrix,
                                                            const std::vector<Map> &maps) {
  bool any = false;
  for (size_t f = 0; f < matrix.functions.size() && !any; ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    any = !framesLost(matrix, f, FlowSolver(maps[own.map].functions[own.function])).empty();
  }
  std::map<std::pair<size_t, size_t>, uint64_t> out;
  if (!any)
    return out;
  const std::vector<std::vector<bool>> loses = losesUnder(matrix, maps, CallCounts(matrix, maps));
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    double calls = 0;
    for (size_t d = 0; d < matrix.rows.size() && !own.calls.empty(); ++d)
      calls += loses[f][d] ? own.calls.at(d) : 0;
    if (calls > 0)
      out[{own.map, own.function}] = static_cast<uint64_t>(calls);
  }
  return out;
}

/// Are all recorded calls in the units of `machine`? An error when none were recorded.
Result<bool> inUnits(const std::vector<Map> &maps, const Machine &machine) {
  bool recorded = false, same = true;
  for (const Map &map : maps)
    for (const Function &f : map.functions)
      if (f.callRecorder != noIndex) {
        recorded = true;
        same = same && isClock(f, machine);
      }
  if (!recorded)
    return Error{"the cost of calls was not recorded; build without "
                 "-fplugin-arg-quincunx-record=, or with calls in its list"};
  return same;
}

/// Relative standard deviations of totals of functions, where samples of the program say how well
/// their own times are known; empty: they do not. What one is off by others are, too (a start of
/// the process that is fitted too large), so these add up, not their squares.
std::vector<double> spreadsOf(const CountMatrix &matrix, const std::vector<Map> &maps,
                              const Machine &machine, const BlockCosts &blocks,
                              ObservedTotals &totals) {
  const Prices prices(maps, machine);
  std::vector<TotalCosts::PerRun> own = ownCosts(blocks, 0);
  std::vector<std::optional<double>> known;
  double off = 0, all = 0;
  for (size_t f = 0; f < own.size(); ++f) {
    const CountMatrix::Columns &at = matrix.functions[f];
    const FunctionFigures place = placeOf(maps[at.map].functions[at.function], at.map);
    known.push_back(prices.spreadOf(place.file, place.line));
    const double cost = std::accumulate(own[f].begin(), own[f].end(), 0.0);
    off += known.back().value_or(0) * cost;
    all += known.back() ? cost : 0;
  }
  if (!(off > 0))
    return {};
  for (size_t f = 0; f < own.size(); ++f)
    for (double &cost : own[f])
      cost *= known[f].value_or(off / all);
  const std::vector<TotalCosts::PerRun> offTotals = totals.totalsOf(own);
  std::vector<double> out;
  for (size_t f = 0; f < own.size(); ++f) {
    const auto &total = totals.perRun(f);
    const double cost = std::accumulate(total.begin(), total.end(), 0.0);
    out.push_back(std::accumulate(offTotals[f].begin(), offTotals[f].end(), 0.0) /
                  std::max(cost, std::numeric_limits<double>::min()));
  }
  return out;
}

/// The 90 % within which figures are that may be off by a factor with that relative standard
/// deviation, on top of what is left open of them already.
void widen(SummaryStatistics &f, double spread) {
  const double off = normalOf90 * spread;
  const auto ends = [&](const Interval &i) {
    return Interval{std::max(0.0, 1 - off) * i.low, (1 + off) * i.high};
  };
  f.meanInterval = ends({f.moments.mean, f.moments.mean});
  for (Percentile &q : f.percentiles)
    q.trust = ends(q.trust);
}

/// Adds a row for each function of the matrix with calls that ended. `spreads`: one each, or none.
void addFunctions(const CallObserver &calls, const CountMatrix &matrix,
                  const std::vector<Map> &maps, const std::vector<double> &spreads,
                  ObservedCalls &out) {
  const auto lost = callsThatLost(matrix, maps);
  out.runs = calls.runs();
  for (size_t n = 0; n < matrix.functions.size(); ++n) {
    const CountMatrix::Columns &own = matrix.functions[n];
    const auto &[law, dearestIn, dearest] = calls.of(own.map, own.function);
    if (law.calls() == 0)
      continue;
    FunctionFigures f = placeOf(maps[own.map].functions[own.function], own.map);
    f.cost = law.statistics();
    if (!spreads.empty())
      widen(f.cost, *(f.spread = spreads[n]));
    f.calls.moments.mean = static_cast<double>(law.calls()) / static_cast<double>(calls.runs());
    out.functions.push_back(std::move(f));
    out.slowest.push_back(dearestIn);
    const auto at = lost.find({own.map, own.function});
    out.cut.push_back(std::max(law.cut(), at == lost.end() ? 0 : at->second));
  }
}

} // namespace

const FunctionFigures *ObservedCalls::of(const Function &f, size_t image) const {
  const FunctionFigures place = placeOf(f, image);
  const auto at = std::find_if(functions.begin(), functions.end(), [&](const FunctionFigures &c) {
    return c.image == place.image && c.name == place.name && c.file == place.file &&
           c.line == place.line;
  });
  return at == functions.end() ? nullptr : &*at;
}

Result<ObservedCalls> observeCalls(const Corpus &corpus, const Machine &machine,
                                   OtherPrices others) {
  const Result<std::vector<Map>> maps = corpus.maps();
  if (!maps)
    return maps.error();
  const Result<bool> isExact = inUnits(*maps, machine);
  if (!isExact)
    return isExact.error();
  if (!*isExact && others == OtherPrices::refused)
    return Error{"calls were recorded while the program ran, in units of the build, and machine " +
                 escape(machine.name) + " prices instructions otherwise"};
  const Result<CountMatrix> matrix =
      readCounts(RunSource{corpus, *maps, std::nullopt}, Corpus::ReadMask::recorders);
  if (!matrix)
    return matrix.error();
  ObservedCalls out{machine.name, machine.unit, 0, {}, {}, {}, {}};
  std::optional<BlockCosts> blocks;
  std::optional<ObservedTotals> totals;
  std::vector<double> spreads;
  if (!*isExact) {
    blocks.emplace(*matrix, *maps, machine);
    totals.emplace(*matrix, *maps, *blocks, "");
    if (!totals->known())
      return Error{"the calls that were counted contradict each other in too many runs, so it is "
                   "not known what they cost by these prices; --unit counts shows them as they "
                   "were recorded"};
    spreads = spreadsOf(*matrix, *maps, machine, *blocks, *totals);
    out.notes.push_back({"converted",
                         "calls were recorded in units of the build; what a unit costs below a "
                         "function is taken to be the same for all its calls in a run: means are "
                         "those of the counts, percentiles an estimate"});
  }
  const Result<CallObserver> calls = readCalls(corpus, *matrix, *maps, totals ? &*totals : nullptr);
  if (!calls)
    return calls.error();
  addFunctions(*calls, *matrix, *maps, spreads, out);
  out.notes.push_back({"calls",
                       "of a recursive function the outermost calls only; calls that never "
                       "returned are not in it; calls of one run that differ by less than 1.6 % "
                       "may be taken as equal"});
  if (std::any_of(out.cut.begin(), out.cut.end(), [](uint64_t n) { return n > 0; }))
    out.notes.push_back({"cut",
                         "functions marked \"cut\" had so many calls that may have cost more: "
                         "they ended in a jump to code that was not counted, and that may have "
                         "called back; or a frame under them was left by longjmp, exit or an "
                         "exception, and what it had used up is not in them"});
  return out;
}

} // namespace quincunx
