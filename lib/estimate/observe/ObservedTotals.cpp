// Totals per function: a number per run, summarized like any cost, and the law of single calls in
// the unit of the report.
// The idea: totals were recorded by the clock of the build, or follow from the calls (TotalCosts);
// what a unit of that clock costs below a function is what composed prices make of it over composed
// clock, one factor for all its calls in a run. So means are those of the totals, and percentiles
// are off as far as calls of one function and run differ in what they spend a unit on.
#include "ObservedTotals.h"

#include "UsedRuns.h"
#include "estimate/price/FunctionCosts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace quincunx {

ObservedTotals::ObservedTotals(const CountMatrix &matrix, const std::vector<Map> &maps,
                               const BlockCosts &blocks, const std::string &request)
    : totals(matrix, maps, rootOf(blocks, request)), costs(totals.solve(ownCosts(blocks, 0))),
      isSolved(isKnown(totals, matrix.rows.size())) {}

Result<CallObserver> readCalls(const Corpus &corpus, const CountMatrix &matrix,
                               const std::vector<Map> &maps, const ObservedTotals *totals) {
  std::map<std::pair<size_t, size_t>, size_t> numberOf;
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    numberOf[{matrix.functions[f].map, matrix.functions[f].function}] = f;
  CallObserver calls(maps);
  size_t row = 0;
  const auto unit = [&](size_t map, size_t function) {
    const auto at = numberOf.find({map, function});
    return totals == nullptr ? 1 : at == numberOf.end() ? 0 : totals->perClock(at->second, row);
  };
  const Status read = corpus.forEachRun(
      [&](Run &&run) {
        if (row < matrix.rows.size() && matrix.rows[row].identity == run.identity) {
          calls.add(run, unit);
          ++row;
        }
        return Status(Done{});
      },
      Corpus::ReadMask::recorders);
  return read ? Result<CallObserver>(std::move(calls)) : read.error();
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

Status addTotals(Observed &observed, const Corpus &corpus, const CountMatrix &matrix,
                 const std::vector<Map> &maps, const Machine &machine, const TotalVisitor &visit) {
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
  const Result<CallObserver> calls = readCalls(corpus, matrix, maps, &totals);
  if (!calls)
    return calls.error();
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
      if (visit)
        visit(f, perRun);
      const size_t compiled = ofSource.compiledAs(f.number);
      if (compiled == TotalCosts::none)
        continue;
      const CountMatrix::Columns &own = matrix.functions[compiled];
      if (const CallLaw &law = calls->of(own.map, own.function).law; law.calls() > 0)
        f.call = law.statistics();
    }
  if (std::ranges::any_of(observed.functions,
                          [](const auto &f) { return f.total && !f.total->isRecorded; }))
    observed.notes.push_back(
        {"average", "totals marked ~ take each call as the average one of its run: of functions "
                    "that were inlined, and where calls were not recorded"});
  return Done{};
}

} // namespace quincunx
