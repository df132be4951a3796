// Branch and memory misses of simulated runs, which stand for those of runs that count none.
// Reference: docs/13-machines.md. It does not know what a miss costs.
#pragma once

#include "quincunx/estimate/CountMatrix.h"

#include <vector>

namespace quincunx {

/// Runs of a build with record=predictor, of which the misses per execution of a block stand for
/// those of runs that count none.
struct SimulatedRuns {
  const CountMatrix &matrix;
  const std::vector<Map> &maps;
};

/// What misses of other runs were carried to.
struct ImputedMisses {
  size_t functions = 0, all = 0; ///< that ran: in the simulated runs as well, and at all
  double work = 0;               ///< share of the former in the work of all runs, by the guess
};

} // namespace quincunx
