// Another number of trips of a loop, by a factor.
#pragma once

#include "FlowChange.h"
#include "InclusiveCosts.h"

namespace quincunx {

class LoopChange : public FlowChange {
public:
  /// `index`: of the loop. `flows` is as the changes before left it, and is filled for `function`.
  LoopChange(const Change &change, size_t function, uint32_t index, const BlockCosts &blocks,
             ChangedFlows &flows);
  /// Prices the variance that branches in the loop make, when `inclusive` knows what they lead to.
  void priceNoise(const BlockCosts &blocks, ChangedFlows &flows, const InclusiveCosts &inclusive,
                  size_t powers);
  /// How often it comes back in a run.
  double trips(size_t run) const { return repeats[run]; }

  Result<double> distance(size_t run, double x) const override;
  void addVariance(double x, FlowEffect &effect) const override;

private:
  uint32_t loop;               ///< index in Function::loops
  std::vector<double> repeats; ///< per run: further iterations
  /// Per power and run: variance that the branches in the loop make.
  std::vector<std::vector<double>> noise;
};

} // namespace quincunx
