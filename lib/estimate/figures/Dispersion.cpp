// The dispersion of a branch's counts over runs.
// The idea: phi is the variance of the counts between runs over the mean variance n p (1 - p)
// within one. As runs differ in n, each is taken about its own n p (Pearson's X^2 over its degrees
// of freedom, the same where all n are equal): phi (D - 1) is chi-square with D - 1 degrees of
// freedom when outcomes are independent. Reference: McCullagh & Nelder, Generalized Linear
// Models, 4.5. It cannot tell runs with different p from outcomes that cluster.
#include "quincunx/estimate/Dispersion.h"

#include "quincunx/numeric/Solve.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace quincunx {

namespace {

double chiSquareQuantile(double freedom, double p) {
  return solve([&](double x) { return Curve{gammaCdf(freedom / 2, x / 2) - p}; }, 0,
               freedom + 20 * (1 + std::sqrt(freedom)), freedom);
}

} // namespace

Interval varianceInterval(double estimate, double freedom) {
  const double tail = (1 - confidenceLevel) / 2, sum = estimate * freedom;
  return {sum / chiSquareQuantile(freedom, 1 - tail), sum / chiSquareQuantile(freedom, tail)};
}

Dispersion dispersion(std::span<const double> taken, std::span<const double> n) {
  Dispersion d;
  const double all = std::accumulate(n.begin(), n.end(), 0.0);
  if (all <= 0)
    return d;
  d.p = std::accumulate(taken.begin(), taken.end(), 0.0) / all;
  const double q = 1 - d.p;
  double sum = 0;
  for (size_t i = 0; i < n.size(); ++i)
    if (n[i] > 0) {
      ++d.runs;
      const double away = taken[i] - n[i] * d.p;
      sum += d.p > 0 && q > 0 ? away * away / (n[i] * d.p * q) : 0;
    }
  if (d.runs < 2) {
    d.trust.high = std::numeric_limits<double>::infinity();
    return d;
  }
  const auto freedom = static_cast<double>(d.runs - 1);
  d.phi = sum / freedom;
  d.trust = varianceInterval(d.phi, freedom);
  return d;
}

// Away from 0 by chance, phi has a variance of (kurtosis - 1)/(D - 1), the kurtosis of a run being
// 3 + excess/n: so many degrees of freedom match it.
Dispersion tripDispersion(std::span<const double> trips, std::span<const double> entries,
                          const Cumulants &perEntry) {
  Dispersion d;
  d.p = perEntry.k1;
  double sum = 0, inverse = 0;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i] > 0) {
      ++d.runs;
      const double away = trips[i] - entries[i] * perEntry.k1;
      sum += away * away / entries[i];
      inverse += 1 / entries[i];
    }
  const double rounding = 1e-9 * perEntry.k1 * perEntry.k1;
  if (d.runs < 2 || perEntry.k2 <= rounding) {
    d.phi = d.trust.low = d.trust.high = std::numeric_limits<double>::infinity();
    d.runs = sum > rounding ? d.runs : 0;
    return d;
  }
  const auto runs = static_cast<double>(d.runs);
  const double excess = perEntry.k4 / (perEntry.k2 * perEntry.k2) * inverse / runs;
  d.phi = sum / perEntry.k2 / (runs - 1);
  d.trust = varianceInterval(d.phi, 2 * (runs - 1) / std::max(2 + excess, 0.1));
  return d;
}

std::vector<std::vector<double>> edgesPerRun(const CountMatrix &matrix,
                                             const std::vector<Map> &maps, uint32_t map,
                                             uint32_t function) {
  const Function &f = maps[map].functions[function];
  const auto own =
      std::find_if(matrix.functions.begin(), matrix.functions.end(),
                   [&](const auto &c) { return c.map == map && c.function == function; });
  std::vector<std::vector<double>> runs;
  if (own == matrix.functions.end())
    return runs;
  const FlowSolver flowSolver(f);
  std::vector<double> counters(f.counterCount);
  for (size_t d = 0; d < matrix.rows.size(); ++d) {
    for (size_t c = 0; c < counters.size(); ++c)
      counters[c] = own->counters[c] == noIndex ? 0 : matrix.columns[own->counters[c]].at(d);
    runs.push_back(flowSolver.flow(counters).edges);
    for (double &passed : runs.back())
      passed = std::max(0.0, passed);
  }
  return runs;
}

std::vector<Dispersion> branchDispersions(const Function &f,
                                          std::span<const std::vector<double>> edgesOfRuns) {
  std::vector<Dispersion> all(f.branches.size());
  for (size_t b = 0; b < all.size(); ++b) {
    const Branch &branch = f.branches[b];
    if (branch.isSwitch || branch.arms[0] == branch.arms[1])
      continue;
    std::vector<double> taken, n;
    for (const std::vector<double> &edges : edgesOfRuns) {
      taken.push_back(edges[branch.arms[0]]);
      n.push_back(taken.back() + edges[branch.arms[1]]);
    }
    all[b] = dispersion(taken, n);
  }
  return all;
}

} // namespace quincunx
