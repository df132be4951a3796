// How often the edges of functions are passed in each run, as it was and as it became.
#pragma once

#include "quincunx/estimate/BlockCosts.h"

#include <map>

namespace quincunx {

/// The mean over the runs of what each edge is passed; runs count by their weights.
std::vector<double> meanFlow(const std::vector<std::vector<double>> &perRun,
                             const std::vector<CountMatrix::Row> &rows);

class ChangedFlows {
public:
  explicit ChangedFlows(const BlockCosts &b) : blocks(b) {}
  /// Passes of each edge, per run.
  struct OfFunction {
    std::vector<std::vector<double>> was, is;
  };
  OfFunction &of(size_t f);
  /// The counts of a run as it was.
  FunctionCounts counts(size_t f, size_t run) const;
  const std::map<size_t, OfFunction> &all() const { return known; }

private:
  const BlockCosts &blocks;
  std::map<size_t, OfFunction> known;
};

} // namespace quincunx
