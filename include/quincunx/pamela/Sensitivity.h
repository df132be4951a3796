// How figures of a model change with a parameter: derivatives and elasticities. The mean is
// differentiated where it has an expression, and checked by differences; all others are by
// differences. Reference: docs/12-pamela.md, "Derivatives". Which figures there are is for others.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Slope.h"
#include "quincunx/pamela/Evaluate.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace quincunx::pamela {

/// What is computed of a time, by its name: "mean" is that.
struct Figure {
  std::string name;
  std::function<double(const Evaluated &)> of;
};

struct FigureSlope {
  std::string figure;
  double value = 0;
  Slope slope;
  bool isExact = false; ///< by differentiation
  /// Is there one derivative, whose digits are known?
  bool isOne() const;
};

/// Derivatives in one parameter, the others as they are.
struct Sensitivity {
  std::string parameter;
  double at = 0;                    ///< its value
  bool isBound = false;             ///< of the lower bound: some may wait longer
  std::vector<FigureSlope> figures; ///< without a spread the mean alone
  std::vector<std::string> notes;
};

/// `options.target` by a number without arguments, which has the value that `options` or the model
/// gives it.
Result<Sensitivity> sensitivityOf(const Model &model, const EvaluateOptions &options,
                                  const std::string &parameter, std::span<const Figure> figures);

/// By how many percent a figure changes with one percent of the parameter; not a number where one
/// of them is 0.
double elasticity(double slope, double at, double value);

} // namespace quincunx::pamela
