// Systems of linear equations. The only use of Eigen's factorisations outside of laws.
#pragma once

#include "quincunx/base/Result.h"

#include <memory>
#include <span>
#include <vector>

namespace quincunx {

/// a x = b for one `a` and many `b`.
class LinearSystem {
public:
  /// `a`: square, row by row.
  explicit LinearSystem(std::span<const double> a);
  ~LinearSystem();
  /// x; an error when there is not just one.
  Result<std::vector<double>> solve(std::span<const double> b) const;

private:
  struct Impl;
  std::unique_ptr<const Impl> impl;
};

/// For one `b`.
Result<std::vector<double>> solveLinear(std::span<const double> a, std::span<const double> b);

} // namespace quincunx
