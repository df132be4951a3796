// How the logarithm of the cost follows what is recorded of inputs.
#pragma once

#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/ExplainedInputs.h"

namespace quincunx {

/// ln T = const + a sum of effects, fitted to the runs that finished and cost something.
struct InputModel {
  std::vector<size_t> rows; ///< those runs
  ExplainedInputs found;    ///< without the tail and who makes the effects
  /// Per effect and run: its part of ln T. Of conditions 0 where they do not hold, of growth 0 in
  /// the mean.
  std::vector<std::vector<double>> parts;
  std::vector<double> fitted; ///< per run: ln T as expected
};

/// `costs`: of all runs. No effects when runs are few, or when features tell no more than chance.
InputModel fitInputs(const CountMatrix &matrix, std::span<const double> costs);

/// Whether the run is one of those that the effect is about.
bool holds(const CountMatrix::Row &run, const InputEffect &effect);

} // namespace quincunx
