// LU with partial pivoting.
#include "quincunx/numeric/LinearSystem.h"

#include <Eigen/LU>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace quincunx {

Result<std::vector<double>> solveLinear(std::span<const double> a, std::span<const double> b) {
  const auto n = static_cast<Eigen::Index>(b.size());
  assert(a.size() == b.size() * b.size() && "a square matrix");
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::PartialPivLU<Matrix> lu(Eigen::Map<const Matrix>(a.data(), n, n));
  if (n > 0 && !(lu.rcond() > 1e-14))
    return Error{"the equations have no single solution"};
  const Eigen::VectorXd x = lu.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), n));
  std::vector<double> out(x.begin(), x.end());
  if (!std::all_of(out.begin(), out.end(), [](double v) { return std::isfinite(v); }))
    return Error{"the solution is too large"};
  return out;
}

} // namespace quincunx
