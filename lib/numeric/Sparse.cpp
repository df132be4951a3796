// Sparse LU with the columns in an order found once for the pattern (COLAMD).
#include "quincunx/numeric/Sparse.h"

#include <Eigen/SparseLU>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace quincunx {

using Matrix = Eigen::SparseMatrix<double>;

struct SparseSystem::Impl {
  Matrix a;
  std::vector<size_t> at; ///< per place: its number among the values of `a`
  Eigen::SparseLU<Matrix, Eigen::COLAMDOrdering<int>> lu;
};

SparseSystem::SparseSystem(size_t n, std::span<const std::pair<uint32_t, uint32_t>> places)
    : impl(std::make_unique<Impl>()) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (const auto &[row, column] : places)
    triplets.emplace_back(static_cast<int>(row), static_cast<int>(column), 1.0);
  impl->a.resize(static_cast<int>(n), static_cast<int>(n));
  impl->a.setFromTriplets(triplets.begin(), triplets.end());
  impl->a.makeCompressed();
  const int *starts = impl->a.outerIndexPtr(), *rows = impl->a.innerIndexPtr();
  for (const auto &[row, column] : places) {
    const int *from = rows + starts[column], *to = rows + starts[column + 1];
    impl->at.push_back(
        static_cast<size_t>(std::lower_bound(from, to, static_cast<int>(row)) - rows));
  }
  impl->lu.analyzePattern(impl->a);
}
SparseSystem::SparseSystem(SparseSystem &&) noexcept = default;
SparseSystem::~SparseSystem() = default;

bool SparseSystem::set(std::span<const double> values) {
  assert(values.size() == impl->at.size() && "one value per place");
  double *a = impl->a.valuePtr();
  std::fill_n(a, impl->a.nonZeros(), 0.0);
  for (size_t i = 0; i < values.size(); ++i)
    a[impl->at[i]] += values[i];
  impl->lu.factorize(impl->a);
  return impl->lu.info() == Eigen::Success;
}

std::vector<double> SparseSystem::solve(std::span<const double> b) const {
  const Eigen::Map<const Eigen::VectorXd> right(b.data(), static_cast<Eigen::Index>(b.size()));
  const Eigen::VectorXd x = impl->lu.solve(right);
  const bool finite = std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
  return finite ? std::vector<double>(x.begin(), x.end()) : std::vector<double>{};
}

} // namespace quincunx
