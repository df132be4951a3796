// Cost models of two algorithmic skeletons, parallel map and divide & conquer, where the processor
// with the most tasks is taken for the one that ends last: max(y) xi. Right for tasks of constant
// cost; for random ones the mean is too small (the largest of several sums is larger than the sum
// with the most parts) and the variance m^2 V[xi] is that of one draw m times over, not of a sum.
// Reference: Lopez et al., lemmas 2 to 4, propositions 1 and 2. It models no communication.
#include "Published.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace quincunx::published {

MeanVariance parallelMap(const MeanVariance &task, std::span<const int> placement) {
  const double y = placement.empty() ? 0 : *std::ranges::max_element(placement);
  return {y * task.mean, y * y * task.variance};
}

namespace {

using Polynomial = std::vector<double>; // cut after z^n

Polynomial times(const Polynomial &a, const Polynomial &b) {
  Polynomial c(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; a[i] != 0 && i + j < a.size(); ++j)
      c[i + j] += a[i] * b[j];
  return c;
}

Polynomial power(Polynomial b, int m) {
  Polynomial r(b.size());
  r[0] = 1;
  for (; m > 0; m /= 2) {
    if (m % 2 == 1)
      r = times(r, b);
    b = times(b, b);
  }
  return r;
}

// P(N = j) of a Poisson law
double poisson(double mean, int j) {
  return std::exp(j * std::log(mean) - mean - std::lgamma(j + 1.0));
}

} // namespace

// The text enumerates all placements. The same sum, grouped by the largest share:
// P(max(y) <= i) = [z^n] (sum_{j<=i} Poisson(n/m; j) z^j)^m / Poisson(n; n)
std::vector<double> largestShare(int n, int m) {
  assert(n >= 0 && m >= 1 && "tasks are placed on at least one processor");
  std::vector<double> p(static_cast<size_t>(n) + 1);
  if (n == 0)
    return {1};
  double below = 0;
  for (int i = 0; i <= n; ++i) {
    Polynomial b(p.size());
    for (int j = 0; j <= i; ++j)
      b[static_cast<size_t>(j)] = poisson(static_cast<double>(n) / m, j);
    const double upTo = power(b, m).back() / poisson(n, n);
    p[static_cast<size_t>(i)] = std::max(0.0, upTo - below);
    below = upTo;
  }
  return p;
}

// E = sum p m E[xi], V = sum p m^2 E[xi^2] - E^2
MeanVariance parallelMap(const MeanVariance &task, int n, int m) {
  const std::vector<double> p = largestShare(n, m);
  double mean = 0, second = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    const auto y = static_cast<double>(i);
    mean += p[i] * y * task.mean;
    second += p[i] * y * y * (task.variance + task.mean * task.mean);
  }
  return {mean, second - mean * mean};
}

double parallelMapProbability(int n, int m, double t,
                              const std::function<double(int, double)> &cdfOfSum) {
  const std::vector<double> p = largestShare(n, m);
  double sum = 0;
  for (size_t i = 0; i < p.size(); ++i)
    sum += p[i] * (i == 0 ? (t >= 0 ? 1 : 0) : cdfOfSum(static_cast<int>(i), t));
  return sum;
}

// sum_{i=1}^{n-1} k^i splits and as many combines, which leaves out the root: none for n = 1
MeanVariance divideAndConquer(const MeanVariance &task, const MeanVariance &split,
                              const MeanVariance &combine, int n, int k, int m) {
  int leaves = 1, inner = 0;
  for (int i = 1; i <= n; ++i) {
    leaves *= k;
    inner += i < n ? leaves : 0;
  }
  const MeanVariance parts[] = {parallelMap(split, inner, m), parallelMap(task, leaves, m),
                                parallelMap(combine, inner, m)};
  MeanVariance sum;
  for (const MeanVariance &part : parts) {
    sum.mean += part.mean;
    sum.variance += part.variance;
  }
  return sum;
}

} // namespace quincunx::published
