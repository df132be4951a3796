// Sparse LU of what is entangled, by substitution the rest.
// The idea: the equations are put into an order in which each needs unknowns of those before it and
// of its own component only (strongly connected components: block triangular form, Duff & Reid
// 1978). Most equations of calls and of flow are components of one, a division; only components of
// several are factorized, with their columns in an order found once for the pattern (COLAMD).
#include "quincunx/numeric/Sparse.h"

#include "quincunx/numeric/Cycles.h"

#include <Eigen/SparseLU>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace quincunx {

using Matrix = Eigen::SparseMatrix<double>;

struct SparseSystem::Impl {
  /// Equations that have their unknowns among each other.
  struct Component {
    std::vector<uint32_t> members;
    size_t first = 0; ///< of its values; of one equation there is one
    Matrix a;         ///< of several equations
    Eigen::SparseLU<Matrix, Eigen::COLAMDOrdering<int>> lu;
  };
  struct Term {
    uint32_t column = 0;
    size_t value = 0; ///< its number
  };

  void layOut(Component &c, std::span<const std::pair<uint32_t, uint32_t>> places,
              const std::vector<size_t> &inside);
  bool factorize(Component &c);
  bool solve(const Component &c, std::span<const double> b, std::vector<double> &x) const;

  std::vector<std::unique_ptr<Component>> components; ///< in the order of solving
  std::vector<std::vector<Term>> earlier;             ///< per row, in components before its own
  std::vector<size_t> valueOf;                        ///< per place
  std::vector<double> values;                         ///< those of equal places added up
};

SparseSystem::SparseSystem(size_t n, std::span<const std::pair<uint32_t, uint32_t>> places)
    : impl(std::make_unique<Impl>()) {
  std::vector<std::vector<size_t>> needs(n);
  for (const auto &[row, column] : places)
    needs[row].push_back(column);
  const std::vector<size_t> numbers = cyclesOf(needs);
  impl->components.resize(n == 0 ? 0 : 1 + *std::ranges::max_element(numbers));
  for (std::unique_ptr<Impl::Component> &c : impl->components)
    c = std::make_unique<Impl::Component>();
  for (uint32_t i = 0; i < n; ++i)
    impl->components[numbers[i]]->members.push_back(i);
  std::vector<std::vector<size_t>> inside(impl->components.size()); // numbers of places
  impl->earlier.resize(n);
  impl->valueOf.resize(places.size());
  for (size_t p = 0; p < places.size(); ++p) {
    const auto [row, column] = places[p];
    if (numbers[row] == numbers[column]) {
      inside[numbers[row]].push_back(p);
      continue;
    }
    std::vector<Impl::Term> &terms = impl->earlier[row];
    auto at = std::ranges::find(terms, column, &Impl::Term::column);
    if (at == terms.end()) {
      at = terms.insert(at, {column, impl->values.size()});
      impl->values.push_back(0);
    }
    impl->valueOf[p] = at->value;
  }
  for (size_t c = 0; c < inside.size(); ++c)
    impl->layOut(*impl->components[c], places, inside[c]);
}
SparseSystem::SparseSystem(SparseSystem &&) noexcept = default;
SparseSystem::~SparseSystem() = default;

/// `inside`: the places in it.
void SparseSystem::Impl::layOut(Component &c, std::span<const std::pair<uint32_t, uint32_t>> places,
                                const std::vector<size_t> &inside) {
  c.first = values.size();
  if (c.members.size() == 1) {
    values.push_back(0);
    for (const size_t p : inside)
      valueOf[p] = c.first;
    return;
  }
  const auto local = [&](uint32_t i) { // members ascend
    return static_cast<int>(std::ranges::lower_bound(c.members, i) - c.members.begin());
  };
  std::vector<Eigen::Triplet<double>> triplets;
  for (const size_t p : inside)
    triplets.emplace_back(local(places[p].first), local(places[p].second), 1.0);
  const auto n = static_cast<int>(c.members.size());
  c.a.resize(n, n);
  c.a.setFromTriplets(triplets.begin(), triplets.end());
  c.a.makeCompressed();
  values.resize(c.first + static_cast<size_t>(c.a.nonZeros()));
  const int *starts = c.a.outerIndexPtr(), *rows = c.a.innerIndexPtr();
  for (size_t i = 0; i < inside.size(); ++i) {
    const int *from = rows + starts[triplets[i].col()], *to = rows + starts[triplets[i].col() + 1];
    valueOf[inside[i]] =
        c.first + static_cast<size_t>(std::lower_bound(from, to, triplets[i].row()) - rows);
  }
  c.lu.analyzePattern(c.a);
}

bool SparseSystem::Impl::factorize(Component &c) {
  if (c.members.size() == 1)
    return values[c.first] != 0;
  std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(c.first), c.a.nonZeros(),
              c.a.valuePtr());
  c.lu.factorize(c.a);
  return c.lu.info() == Eigen::Success;
}

/// Whether all unknowns of the component are finite.
bool SparseSystem::Impl::solve(const Component &c, std::span<const double> b,
                               std::vector<double> &x) const {
  Eigen::VectorXd right(static_cast<Eigen::Index>(c.members.size()));
  for (size_t i = 0; i < c.members.size(); ++i) {
    double rest = b[c.members[i]];
    for (const Term &t : earlier[c.members[i]])
      rest -= values[t.value] * x[t.column];
    right[static_cast<Eigen::Index>(i)] = rest;
  }
  if (c.members.size() == 1)
    right[0] /= values[c.first];
  else if ((right.array() != 0).any())
    right = c.lu.solve(right).eval();
  for (size_t i = 0; i < c.members.size(); ++i)
    x[c.members[i]] = right[static_cast<Eigen::Index>(i)];
  return right.allFinite();
}

bool SparseSystem::set(std::span<const double> of) {
  assert(of.size() == impl->valueOf.size() && "one value per place");
  std::ranges::fill(impl->values, 0.0);
  for (size_t i = 0; i < of.size(); ++i)
    impl->values[impl->valueOf[i]] += of[i];
  return std::ranges::all_of(impl->components, [&](const auto &c) { return impl->factorize(*c); });
}

std::vector<double> SparseSystem::solve(std::span<const double> b) const {
  std::vector<double> x(b.size());
  const bool isFinite =
      std::ranges::all_of(impl->components, [&](const auto &c) { return impl->solve(*c, b, x); });
  return isFinite ? x : std::vector<double>{};
}

} // namespace quincunx
