// A model at points of its parameters, with the laws of random times and upper bounds.
#pragma once

#include "quincunx/pamela/Formula.h"

#include <span>
#include <string>
#include <vector>

namespace quincunx::tool {

/// Expressions know cumulants and bound from below. Where something is random, or one may wait, the
/// model is gone through for laws and the upper bound, too, as long as `points` points (in all) do
/// not take too long.
class ModelPoints {
public:
  static Result<ModelPoints> of(const pamela::Model &model, const pamela::EvaluateOptions &options,
                                const std::vector<std::string> &names, size_t points);
  /// As Formula::at().
  Status at(std::span<const double> values, std::span<pamela::Evaluated> out);
  pamela::Formula &formula() { return expressions; }

private:
  ModelPoints(const pamela::Model &m, pamela::EvaluateOptions o, std::vector<std::string> n,
              pamela::Formula f, bool random)
      : model(m), options(std::move(o)), names(std::move(n)), expressions(std::move(f)),
        isRandom(random) {}

  const pamela::Model &model;
  pamela::EvaluateOptions options; ///< of going through at a point
  std::vector<std::string> names;
  pamela::Formula expressions;
  bool isRandom; ///< something in the model is drawn
};

} // namespace quincunx::tool
