// Totals per function: a number per run, summarized like any cost, and the law of single calls in
// the unit of the report.
// The idea: totals were recorded by the clock of the build, or follow from the calls (TotalCosts);
// what a unit of that clock costs below a function is what composed prices make of it over composed
// clock, one factor for all its calls. So means are those of the totals, and percentiles are off as
// far as calls of one function differ in what they spend a unit on.
#include "ObservedTotals.h"

#include "UsedRuns.h"
#include "estimate/price/FunctionCosts.h"

#include <algorithm>
#include <utility>

namespace quincunx {

ObservedTotals::ObservedTotals(const CountMatrix &matrix, const std::vector<Map> &maps,
                               const BlockCosts &blocks, const std::string &request)
    : counts(matrix), totals(matrix, maps, rootOf(blocks, request)),
      costs(totals.solve(ownCosts(blocks, 0))), isSolved(isKnown(totals, matrix.rows.size())) {}

double ObservedTotals::perClock(size_t f) const {
  const CountMatrix::Columns &own = counts.functions[f];
  if (own.calls.empty())
    return 0;
  double priced = 0, clock = 0;
  for (size_t d = 0; d < counts.rows.size(); ++d)
    if (own.calls.at(d) > 0) {
      priced += costs.total[f][d];
      clock += own.callCosts.at(d);
    }
  return clock > 0 ? priced / clock : 0;
}

SummaryStatistics scaled(double factor, SummaryStatistics f) {
  const auto scale = [&](Interval &i) { i = {factor * i.low, factor * i.high}; };
  f.moments.mean *= factor;
  f.moments.variance *= factor * factor;
  f.deviation *= factor;
  for (Percentile &q : f.percentiles) {
    q.value *= factor;
    scale(q.trust);
  }
  f.min *= factor, f.max *= factor;
  scale(f.meanInterval), scale(f.deviationInterval), scale(f.meanCounts);
  return f;
}

namespace {

Result<FunctionFigures::Total> totalOf(const TotalCosts::PerRun &perRun, const UsedRuns &runs,
                                       double program) {
  Column column;
  for (size_t d = 0; d < perRun.size(); ++d)
    if (perRun[d] > 0)
      column.set(d, perRun[d], perRun.size());
  const Result<SummaryStatistics> cost = runs.statistics(column);
  if (!cost)
    return cost.error();
  return FunctionFigures::Total{*cost, program > 0 ? cost->moments.mean / program : 0, false};
}

} // namespace

Status addTotals(Observed &observed, const CountMatrix &matrix, const std::vector<Map> &maps,
                 const Machine &machine, const CallObserver &calls) {
  const BlockCosts blocks(matrix, maps, machine);
  ObservedTotals totals(matrix, maps, blocks, observed.request);
  const bool recordedOnly = !totals.known();
  if (recordedOnly)
    observed.notes.push_back(
        {"totals", std::string("calls through pointers contradict each other in too many runs: "
                               "totals of functions are not known") +
                       (totals.isConverted() ? "; --unit counts shows those that were recorded"
                                             : " where their calls were not recorded")});
  if (recordedOnly && totals.isConverted())
    return Done{};
  const SourceFunctions sources(maps, true);
  const SourceTotals ofSource = totals.ofSource(sources, blocks);
  const UsedRuns runs(observed.runs, [](size_t) { return true; });
  for (const auto list : {&observed.functions, &observed.groups})
    for (FunctionFigures &f : *list) {
      const SourceTotals::PerRun &perRun = ofSource.perRun(f.number);
      // Of several builds each has runs of its own, and totals are over all.
      if (perRun.empty() || observed.images[f.image].oneOfMany ||
          (recordedOnly && !ofSource.isRecorded(f.number)))
        continue;
      Result<FunctionFigures::Total> total = totalOf(perRun, runs, observed.program.moments.mean);
      if (!total)
        return total.error();
      f.total = std::move(*total);
      f.total->isRecorded = ofSource.isRecorded(f.number);
      const size_t compiled = ofSource.compiledAs(f.number);
      if (compiled == TotalCosts::none)
        continue;
      const CountMatrix::Columns &own = matrix.functions[compiled];
      const CallLaw &law = calls.of(own.map, own.function).law;
      if (const double unit = totals.perClock(compiled); unit > 0 && law.calls() > 0)
        f.call = scaled(unit, law.statistics());
    }
  if (std::ranges::any_of(observed.functions,
                          [](const auto &f) { return f.total && !f.total->isRecorded; }))
    observed.notes.push_back(
        {"average", "totals marked ~ take each call as the average one of its run: of functions "
                    "that were inlined, and where calls were not recorded"});
  return Done{};
}

} // namespace quincunx
