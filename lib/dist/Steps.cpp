// The mixture over runs when every run has one cost: a staircase with a step per run.
// The idea: sort once; then cdf is a binary search and a quantile is one look-up, the smallest
// value with enough weight at or below it. Nothing is interpolated: every answer is a cost that
// some run had. Reference: docs/03-runs-kept-apart.md. Random costs given the run are
// lib/dist/Mixture.cpp.
#include "Steps.h"

#include "Invert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace quincunx {

namespace {

class Steps final : public Distribution {
public:
  /// `sorted` ascending; `weights` parallel, empty when all are 1; `open` weight lies above all.
  Steps(std::vector<double> sorted, std::vector<double> weights, double openWeight,
        const Moments &m)
      : values(std::move(sorted)), upTo(std::move(weights)), from(upTo), open(openWeight),
        known(m) {
    std::partial_sum(upTo.begin(), upTo.end(), upTo.begin());
    std::partial_sum(from.rbegin(), from.rend(), from.rbegin());
    total = open + weightUpTo(values.size());
  }

  double cdf(double t) const override { return weightUpTo(rank(t)) / total; }
  double survival(double t) const override { return survivalAt(rank(t)); }

  double quantile(double p) const override {
    // The comparison is the one a reader would make with the same doubles, so that p90 of ten runs
    // is the ninth; of sums of weights the last digits say nothing.
    const double least = upTo.empty() ? p : p * (1 - massRounding);
    return firstValue([&](size_t n) { return weightUpTo(n) / total >= least; });
  }

  double upperQuantile(double q) const override {
    // The smallest value with at most a share q of the weight above it.
    const double most = from.empty() ? q : q * (1 + massRounding);
    return firstValue([&](size_t n) { return survivalAt(n) <= most; });
  }

  std::optional<double> density(double) const override { return std::nullopt; }
  Moments moments() const override { return known; }
  std::vector<double> knots() const override {
    std::vector<double> k = values;
    k.erase(std::unique(k.begin(), k.end()), k.end());
    return k;
  }
  Range support() const override {
    const double inf = std::numeric_limits<double>::infinity();
    if (values.empty())
      return {-inf, inf};
    return {values.front(), open > 0 ? inf : values.back()};
  }

private:
  /// The value at the smallest i for which `reached(i + 1)` holds; infinite: for none. What holds
  /// for i holds for all above it.
  template <class Reached> double firstValue(Reached reached) const {
    size_t low = 0, high = values.size();
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (reached(middle + 1))
        high = middle;
      else
        low = middle + 1;
    }
    return low < values.size() ? values[low] : std::numeric_limits<double>::infinity();
  }
  size_t rank(double t) const {
    return static_cast<size_t>(std::upper_bound(values.begin(), values.end(), t) - values.begin());
  }
  double survivalAt(size_t n) const { return (weightFrom(n) + open) / total; }
  double weightUpTo(size_t n) const {
    return upTo.empty() ? static_cast<double>(n) : n == 0 ? 0 : upTo[n - 1];
  }
  double weightFrom(size_t n) const {
    return from.empty() ? static_cast<double>(values.size() - n) : n < from.size() ? from[n] : 0;
  }

  std::vector<double> values, upTo, from; ///< weights summed from below and from above
  double open, total = 0;
  Moments known;
};

/// Bits of a double as a number that sorts like it.
uint64_t key(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  return bits >> 63 ? ~bits : bits | uint64_t{1} << 63;
}

/// Radix sort by bytes: a report sorts a column of runs per function, and most bytes of counts are
/// all alike and cost no pass (5 times as fast as std::sort for 10,000 runs).
void sort(std::vector<double> &v) {
  if (v.size() < 256)
    return std::sort(v.begin(), v.end());
  std::array<std::array<uint32_t, 256>, 8> histogram{};
  for (const double x : v)
    for (size_t digit = 0; digit < 8; ++digit)
      ++histogram[digit][key(x) >> (8 * digit) & 255];
  std::vector<double> other(v.size());
  for (size_t digit = 0; digit < 8; ++digit) {
    auto &count = histogram[digit];
    if (count[key(v[0]) >> (8 * digit) & 255] == v.size())
      continue;
    uint32_t place = 0;
    for (uint32_t &c : count)
      place += std::exchange(c, place);
    for (const double x : v)
      other[count[key(x) >> (8 * digit) & 255]++] = x;
    v.swap(other);
  }
}

} // namespace

DistributionPtr stepLaw(std::vector<double> sorted, std::vector<double> weights, double openWeight,
                        const Moments &m) {
  return std::make_shared<Steps>(std::move(sorted), std::move(weights), openWeight, m);
}

Result<DistributionPtr> makeSteps(std::span<const double> values, size_t open) {
  if (values.empty() || open > values.size())
    return Error{"a law over runs needs at least one run"};
  for (const double v : values)
    if (!std::isfinite(v))
      return Error{"the cost of a run is not finite"};
  std::vector<double> sorted(values.begin(), values.end() - static_cast<std::ptrdiff_t>(open));
  sort(sorted);
  return stepLaw(std::move(sorted), {}, static_cast<double>(open), momentsOf(values));
}

} // namespace quincunx
