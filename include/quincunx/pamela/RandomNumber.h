// A random number of a model: its cumulants, and its law where that is known and small.
// The idea: a law is a mixture of parts, so that what has several modes or a few values keeps them
// through sums, choices and joins; a part is a point, a law, or what four cumulants suggest.
// Reference: docs/12-pamela.md, "What it costs".
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"
#include "quincunx/numeric/Moments.h"

#include <memory>
#include <vector>

namespace quincunx::pamela {

struct LawPart {
  double weight = 1;
  Cumulants k;         ///< those of a constant: a point
  DistributionPtr law; ///< null: the one that is fitted to `k`
  bool exact = false;  ///< it is that law, and not only like it
};

struct RandomNumber : Cumulants {
  RandomNumber() = default;
  RandomNumber(const Cumulants &known) : Cumulants(known) {}
  RandomNumber(double mean, double second, double third, double fourth)
      : Cumulants{mean, second, third, fourth} {}
  RandomNumber &operator+=(const Cumulants &) = delete; // LawArithmetic.h adds laws, too

  /// Points in ascending order, then others. Null: known by its cumulants alone, or a constant.
  std::shared_ptr<const std::vector<LawPart>> parts;

  /// Is it that law, and none that was fitted to moments?
  bool isExact() const;
};

/// The law of a number; one that is fitted where nothing else is known, on [0, inf) for a mean of 0
/// or more.
Result<DistributionPtr> lawOf(const RandomNumber &x);

} // namespace quincunx::pamela
