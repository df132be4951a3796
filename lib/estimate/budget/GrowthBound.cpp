// The idea: what grows like g has lower terms besides, as n log n - 4 n, of either sign: so c g(n)
// + b h(n) + a, with h of the next lower order, is fitted to the smaller half of the sizes
// (relative squares), and the larger half is compared with it on the whole. What grows faster than
// g costs more there the further sizes reach. The interval is that of runs drawn again (Efron's
// bootstrap). It names no law: SizeLaw.h does.
#include "GrowthBound.h"

#include "quincunx/base/Text.h"
#include "quincunx/numeric/LinearSystem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace quincunx {

namespace {

constexpr size_t growthDraws = 200, leastRuns = 20, leastSizes = 5;
constexpr double leastRange = 4;

/// The next lower term of a law; none below log n and n.
bool hasLower(const GrowthBound &g) { return g.power > 1 || (g.power == 1 && g.timesLog); }
GrowthBound lowerOf(const GrowthBound &g) {
  return {g.timesLog ? g.power : std::ceil(g.power) - 1, false};
}

class HalvedRuns {
public:
  HalvedRuns(const GrowthBound &b, std::span<const double> sizes, std::span<const double> costs)
      : bound(b), n(sizes), y(costs) {
    std::vector<double> sorted(n.begin(), n.end());
    std::ranges::sort(sorted);
    middle = sorted[sorted.size() / 2 - 1];
    if (middle == sorted.back()) // more than half have the largest size
      middle = *std::prev(std::ranges::lower_bound(sorted, middle));
    largest = sorted.back();
  }
  /// Of runs that count so many times each; NaN where they determine no law.
  double excess(std::span<const double> times) const;

private:
  std::vector<double> terms(double size) const {
    std::vector<double> out{1};
    if (bound.power != 0 || bound.timesLog)
      out.push_back(bound.at(size) / bound.at(largest));
    if (hasLower(bound))
      out.push_back(lowerOf(bound).at(size) / lowerOf(bound).at(largest));
    return out;
  }

  const GrowthBound bound;
  std::span<const double> n, y;
  double middle = 0, largest = 0;
};

double HalvedRuns::excess(std::span<const double> times) const {
  const size_t m = terms(largest).size();
  std::vector<double> normal(m * m), right(m), sums(m);
  double larger = 0;
  for (size_t d = 0; d < n.size(); ++d) {
    const std::vector<double> x = terms(n[d]);
    const double weight = times[d] / (x[m > 1] * x[m > 1]);
    for (size_t i = 0; i < m; ++i) {
      if (n[d] > middle)
        sums[i] += times[d] * x[i];
      else
        right[i] += weight * x[i] * y[d];
      for (size_t j = 0; j < m && n[d] <= middle; ++j)
        normal[i * m + j] += weight * x[i] * x[j];
    }
    larger += n[d] > middle ? times[d] * y[d] : 0;
  }
  const Result<std::vector<double>> law = solveLinear(normal, right);
  if (!law)
    return NAN;
  const double predicted = std::inner_product(sums.begin(), sums.end(), law->begin(), 0.0);
  if (larger == 0)
    return 0;
  return predicted > 0 ? larger / predicted - 1 : HUGE_VAL;
}

} // namespace

double GrowthBound::at(double n) const {
  return std::pow(n, power) * (timesLog ? std::log2(n + 1) : 1);
}

Result<GrowthExcess> growthExcess(const GrowthBound &bound, std::span<const double> n,
                                  std::span<const double> y) {
  if (n.size() < leastRuns)
    return Error{std::to_string(n.size()) + " runs have a size; growth needs 20"};
  const std::set<double> sizes(n.begin(), n.end());
  if (sizes.size() < leastSizes || *sizes.rbegin() < leastRange * *sizes.begin())
    return Error{"sizes from " + exact(*sizes.begin()) + " to " + exact(*sizes.rbegin()) +
                 " tell no growth: the largest has to be four times the smallest, and five differ"};
  const HalvedRuns halved(bound, n, y);
  std::vector<double> times(n.size(), 1.0);
  GrowthExcess out{halved.excess(times), {}, *sizes.begin(), *sizes.rbegin()};
  std::mt19937_64 random(1); // the same question has the same answer
  std::vector<double> drawn;
  for (size_t i = 0; i < growthDraws; ++i) {
    std::ranges::fill(times, 0.0);
    for (size_t d = 0; d < n.size(); ++d)
      ++times[random() % n.size()];
    if (const double x = halved.excess(times); !std::isnan(x))
      drawn.push_back(x);
  }
  if (std::isnan(out.value) || drawn.size() < growthDraws / 2)
    return Error{"the smaller sizes are too few to fit a law to"};
  std::ranges::sort(drawn);
  const auto at = [&](double p) {
    return drawn[static_cast<size_t>(p * static_cast<double>(drawn.size() - 1) + 0.5)];
  };
  const double tail = (1 - confidenceLevel) / 2;
  out.interval = {std::min(at(tail), out.value), std::max(at(1 - tail), out.value)};
  return out;
}

} // namespace quincunx
