// What a model costs at many values of its parameters.
// The idea: the symbolic result is made once and computed for blocks of points. Where it does not
// hold (Analyzed::assumptions), or there is none, evaluate() goes through the model point by point.
// Reference: docs/12-pamela.md, "Symbolic results".
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Evaluate.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace quincunx::pamela {

class Formula {
public:
  /// `names`: numbers of the model without arguments; each point has a value for each of them.
  /// Others have the values that `options` or the model give them. The model must live as long.
  /// Errors are about names, as of evaluate().
  static Result<Formula> of(const Model &model, const EvaluateOptions &options,
                            std::vector<std::string> names);
  ~Formula();
  Formula(Formula &&) noexcept;

  /// values: names.size() for each point, point after point. Fills `out`, which has a place for
  /// each point. `demands` are left out. The first point that has no value ends it with its error.
  Status at(std::span<const double> values, std::span<Evaluated> out);

  /// What is used of each resource at a point, per server, by its index. An error, too, when that
  /// are too many.
  Result<std::map<double, Cumulants>> demandsAt(std::span<const double> point);

  /// Points so far that had to go through the model.
  size_t pointByPoint() const;
  /// Why there is no symbolic result, or what in it grows with bounds; empty when all is closed.
  std::string remark() const;

private:
  struct Impl;
  explicit Formula(std::unique_ptr<Impl> p);
  std::unique_ptr<Impl> impl;
};

} // namespace quincunx::pamela
