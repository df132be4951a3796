// Totals per function: a number per run, summarized like any cost, and the law of single calls in
// the unit of the report.
// The idea: totals were recorded by the clock of the build, or follow from the calls (TotalCosts);
// what a unit of that clock costs below a function is what composed prices make of it over composed
// clock, one factor for all its calls. So means are those of the totals, and percentiles are off as
// far as calls of one function differ in what they spend a unit on.
#include "ObservedTotals.h"

#include "estimate/price/FunctionCosts.h"

#include <map>
#include <numeric>

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

/// Runs in the order that summarize() wants: finished ones first.
struct Order {
  std::vector<size_t> rows;
  std::vector<double> weights;
  size_t open = 0;
};

Order orderOf(const CountMatrix &matrix) {
  Order out;
  for (const bool stopped : {false, true})
    for (size_t d = 0; d < matrix.rows.size(); ++d)
      if (isCensored(matrix.rows[d].outcome) == stopped) {
        out.rows.push_back(d);
        out.weights.push_back(matrix.rows[d].weight);
        out.open += stopped;
      }
  return out;
}

Result<FunctionFigures::Total> totalOf(const TotalCosts::PerRun &perRun, const Order &order,
                                       double program) {
  std::vector<double> values;
  for (const size_t d : order.rows)
    values.push_back(std::max(0.0, perRun[d]));
  const Result<SummarizedLaw> law = summarize(values, order.weights, order.open,
                                              ConfidenceIntervals(effectiveSize(order.weights)));
  if (!law)
    return law.error();
  const double mean = law->statistics.moments.mean;
  return FunctionFigures::Total{law->statistics, program > 0 ? mean / program : 0, false};
}

} // namespace

Status addTotals(Observed &observed, const CountMatrix &matrix, const std::vector<Map> &maps,
                 const Machine &machine, const CallObserver &calls) {
  const BlockCosts blocks(matrix, maps, machine);
  const ObservedTotals totals(matrix, maps, blocks, observed.request);
  const bool recordedOnly = !totals.known();
  if (recordedOnly)
    observed.notes.push_back(
        {"totals", std::string("calls through pointers contradict each other in too many runs: "
                               "totals of functions are not known") +
                       (totals.isConverted() ? "; --unit counts shows those that were recorded"
                                             : " where their calls were not recorded")});
  if (recordedOnly && totals.isConverted())
    return Done{};
  std::map<std::pair<size_t, size_t>, size_t> numbers; // of the matrix, by map and function
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    numbers[{matrix.functions[f].map, matrix.functions[f].function}] = f;
  const Order order = orderOf(matrix);
  for (FunctionFigures &f : observed.functions) {
    const auto at = numbers.find({f.image, f.function});
    if (at == numbers.end() || (recordedOnly && !totals.isRecorded(at->second)))
      continue;
    Result<FunctionFigures::Total> total =
        totalOf(totals.perRun(at->second), order, observed.program.moments.mean);
    if (!total)
      return total.error();
    f.total = std::move(*total);
    f.total->isRecorded = totals.isRecorded(at->second);
    const CallLaw &law = calls.of(f.image, f.function).law;
    if (const double unit = totals.perClock(at->second); unit > 0 && law.calls() > 0)
      f.call = scaled(unit, law.statistics());
  }
  return Done{};
}

} // namespace quincunx
