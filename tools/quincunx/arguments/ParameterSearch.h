// The smallest or largest value of a parameter for which a condition on the results of a model
// holds.
#pragma once

#include "Sweep.h"

#include "quincunx/pamela/Evaluate.h"

#include <optional>

namespace quincunx::tool {

/// "T_main.p99 <= 10": a figure (see figureOf) of a target, and its limit. Without a figure the
/// mean.
struct Condition {
  std::string target, figure = "mean";
  bool below = true, strict = false;
  double limit = 0;
};
Result<Condition> parseCondition(const std::string &text);

struct Solution {
  std::optional<double> value; ///< nothing: none of the values
  double figure = 0;           ///< there; without a value the best there is
  double best = 0;             ///< without a value: where that is
  bool isBound = false;        ///< the figure is that of a bound: the upper one of `below`
};
/// Goes through the values from the least on, or from the largest: nothing is taken for granted
/// about the figure. Where one may wait, what must be below a limit is the upper bound, what must
/// be above it the lower one, so that the condition holds.
Result<Solution> solve(const pamela::Model &model, const pamela::EvaluateOptions &options,
                       const Condition &condition, const Sweep &sweep, bool largest);

} // namespace quincunx::tool
