// LU with partial pivoting.
#include "quincunx/numeric/LinearSystem.h"

#include <Eigen/LU>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace quincunx {

struct LinearSystem::Impl {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::PartialPivLU<Matrix> lu;
  bool isRegular;

  Impl(const double *a, Eigen::Index n)
      : lu(Eigen::Map<const Matrix>(a, n, n)), isRegular(n == 0 || lu.rcond() > 1e-14) {}
};

LinearSystem::LinearSystem(std::span<const double> a)
    : impl(std::make_unique<Impl>(a.data(),
                                  static_cast<Eigen::Index>(std::lround(std::sqrt(a.size()))))) {
  assert(static_cast<size_t>(impl->lu.rows() * impl->lu.rows()) == a.size() && "a square matrix");
}
LinearSystem::~LinearSystem() = default;

Result<std::vector<double>> LinearSystem::solve(std::span<const double> b) const {
  const auto n = static_cast<Eigen::Index>(b.size());
  assert(n == impl->lu.rows());
  if (!impl->isRegular)
    return Error{"the equations have no single solution"};
  const Eigen::VectorXd x = impl->lu.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), n));
  std::vector<double> out(x.begin(), x.end());
  if (!std::all_of(out.begin(), out.end(), [](double v) { return std::isfinite(v); }))
    return Error{"the solution is too large"};
  return out;
}

Result<std::vector<double>> solveLinear(std::span<const double> a, std::span<const double> b) {
  return LinearSystem(a).solve(b);
}

} // namespace quincunx
