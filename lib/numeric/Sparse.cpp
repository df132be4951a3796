// Sparse LU of what is entangled, by substitution the rest.
// The idea: the equations are put into an order in which each has unknowns of those before it and
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
    uint32_t row = 0;
    size_t value = 0; ///< its number
  };

  void layOut(Component &c, std::span<const std::pair<uint32_t, uint32_t>> places,
              const std::vector<size_t> &inside);
  bool factorize(Component &c);
  void solve(const Component &c, std::vector<std::vector<double>> &all) const;

  std::vector<std::unique_ptr<Component>> components; ///< in the order of solving
  std::vector<std::vector<Term>> later;               ///< per column, in components behind its own
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
  impl->later.resize(n);
  impl->valueOf.resize(places.size());
  for (size_t p = 0; p < places.size(); ++p) {
    const auto [row, column] = places[p];
    if (numbers[row] == numbers[column]) {
      inside[numbers[row]].push_back(p);
      continue;
    }
    std::vector<Impl::Term> &terms = impl->later[column];
    auto at = std::ranges::find(terms, row, &Impl::Term::row);
    if (at == terms.end()) {
      at = terms.insert(at, {row, impl->values.size()});
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

/// In place of right sides, from which earlier unknowns were taken off, has the unknowns of the
/// component, and takes these off the later ones.
void SparseSystem::Impl::solve(const Component &c, std::vector<std::vector<double>> &all) const {
  const auto takeOff = [&](std::vector<double> &x, uint32_t column) {
    if (const double known = x[column]; known != 0)
      for (const Term &t : later[column])
        x[t.row] -= values[t.value] * known;
  };
  if (c.members.size() == 1) {
    const uint32_t member = c.members.front();
    for (std::vector<double> &x : all)
      if (x[member] != 0) {
        x[member] /= values[c.first];
        takeOff(x, member);
      }
    return;
  }
  std::vector<std::vector<double> *> some;
  for (std::vector<double> &x : all)
    if (!std::ranges::all_of(c.members, [&](uint32_t i) { return x[i] == 0; }))
      some.push_back(&x);
  if (some.empty())
    return;
  Eigen::MatrixXd right(static_cast<Eigen::Index>(c.members.size()),
                        static_cast<Eigen::Index>(some.size()));
  for (size_t s = 0; s < some.size(); ++s)
    for (size_t i = 0; i < c.members.size(); ++i)
      right(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(s)) = (*some[s])[c.members[i]];
  right = c.lu.solve(right).eval();
  for (size_t s = 0; s < some.size(); ++s)
    for (size_t i = 0; i < c.members.size(); ++i) {
      (*some[s])[c.members[i]] = right(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(s));
      takeOff(*some[s], c.members[i]);
    }
}

bool SparseSystem::set(std::span<const double> of) {
  assert(of.size() == impl->valueOf.size() && "one value per place");
  std::ranges::fill(impl->values, 0.0);
  for (size_t i = 0; i < of.size(); ++i)
    impl->values[impl->valueOf[i]] += of[i];
  return std::ranges::all_of(impl->components, [&](const auto &c) { return impl->factorize(*c); });
}

std::vector<std::vector<double>>
SparseSystem::solveAll(std::vector<std::vector<double>> right) const {
  for (const auto &c : impl->components)
    impl->solve(*c, right);
  for (std::vector<double> &x : right)
    if (!std::ranges::all_of(x, [](double unknown) { return std::isfinite(unknown); }))
      x.clear();
  return right;
}

std::vector<double> SparseSystem::solve(std::span<const double> b) const {
  return std::move(solveAll({{b.begin(), b.end()}}).front());
}

} // namespace quincunx
