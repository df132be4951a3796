// What functions cost with all they call.
#pragma once

#include "CallObserver.h"
#include "SourceTotals.h"
#include "estimate/counts/TotalCosts.h"
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Observed.h"
#include "quincunx/estimate/TotalsPerRun.h"

namespace quincunx {

/// Totals of the functions of a count matrix, by the prices of `blocks`; both must outlive it.
class ObservedTotals {
public:
  ObservedTotals(const CountMatrix &matrix, const std::vector<Map> &maps, const BlockCosts &blocks,
                 const std::string &request);
  /// False: the calls of too many runs contradict each other.
  bool known() const { return isSolved; }
  /// Per run with all that ran while it did, of the f-th function of the matrix.
  const TotalCosts::PerRun &perRun(size_t f) const { return costs.total[f]; }
  bool isRecorded(size_t f) const { return totals.isRecorded(f); }
  /// Of functions of the source.
  SourceTotals ofSource(const SourceFunctions &sources, const BlockCosts &blocks) {
    return {sources, blocks, totals, costs, known()};
  }
  /// What was recorded was brought to other prices than those of the clock.
  bool isConverted() const { return totals.isConverted(); }
  /// The same of what each function has by itself, in place of its cost.
  std::vector<TotalCosts::PerRun> totalsOf(const std::vector<TotalCosts::PerRun> &own) {
    return totals.solve(own).total;
  }
  /// What a unit of the clock of the build costs in its calls in a run; 0: not known.
  double perClock(size_t f, size_t run) const { return costs.perClock[f][run]; }

private:
  TotalCosts totals;
  TotalCosts::Costs costs;
  bool isSolved;
};

/// The laws of single calls of a corpus, of which `matrix` has the runs, by the prices of `totals`;
/// null: as the clock of the build has them.
Result<CallObserver> readCalls(const Corpus &corpus, const CountMatrix &matrix,
                               const std::vector<Map> &maps, const ObservedTotals *totals);

/// Sets FunctionFigures::total and ::call; what cannot be known is left out and noted. Rows of
/// `matrix` are parallel to Observed::runs. `visit` may be none.
Status addTotals(Observed &observed, const Corpus &corpus, const CountMatrix &matrix,
                 const std::vector<Map> &maps, const Machine &machine, const TotalVisitor &visit);

} // namespace quincunx
