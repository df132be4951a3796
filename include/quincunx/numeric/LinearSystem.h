// Systems of linear equations. The only use of Eigen's factorisations outside of laws.
#pragma once

#include "quincunx/base/Result.h"

#include <span>
#include <vector>

namespace quincunx {

/// x with a x = b; `a` is square, row by row. An error when there is not just one.
Result<std::vector<double>> solveLinear(std::span<const double> a, std::span<const double> b);

} // namespace quincunx
