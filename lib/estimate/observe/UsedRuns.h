// The runs that the figures of a function are over, and what its columns say of them.
#pragma once

#include "PerFunctionCosts.h"
#include "quincunx/estimate/Observed.h"

#include <functional>

namespace quincunx {

/// Did it leave counts, or was it stopped before it could?
inline bool isUsed(const Run &run) {
  return isCensored(run.outcome) || (run.outcome == Outcome::finished && !run.images.empty());
}

class UsedRuns {
public:
  /// Of `all`, which must outlive it, those that `isUsed` says by their number.
  UsedRuns(const std::vector<RunFigures> &all, const std::function<bool(size_t)> &isUsed);
  double weight() const { return total; } ///< of all of them together
  /// Of one number per run.
  Result<SummaryStatistics> statistics(const Column &column) const;
  /// Of costs, which are random given the run where they are not `constant`.
  Result<SummaryStatistics> costs(const FunctionColumns &columns, bool constant) const;

private:
  const std::vector<RunFigures> &runs;
  std::vector<size_t> numbers; ///< finished ones first
  std::vector<double> weights; ///< what each stands for; empty: all for equally many
  double total = 0;
  size_t open = 0; ///< that were stopped
  ConfidenceIntervals trust;
};

} // namespace quincunx
