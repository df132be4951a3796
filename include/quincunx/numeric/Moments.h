// Moments and cumulants of order four: conversions, mergeable accumulation, unbiased statistics,
// total cumulance. Reference: docs/02-costs.md. It fits no laws (lib/dist).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace quincunx {

/// Cumulants of a random cost; independent costs add term by term. A constant is {c, 0, 0, 0}.
struct Cumulants {
  double k1 = 0, k2 = 0, k3 = 0, k4 = 0;
  Cumulants &operator+=(const Cumulants &o) {
    k1 += o.k1, k2 += o.k2, k3 += o.k3, k4 += o.k4;
    return *this;
  }
  friend Cumulants operator+(Cumulants a, const Cumulants &b) { return a += b; }
  /// Term by term, as in K_1 - K_2; not the cumulants of a difference of costs.
  friend Cumulants operator-(const Cumulants &a, const Cumulants &b) {
    return {a.k1 - b.k1, a.k2 - b.k2, a.k3 - b.k3, a.k4 - b.k4};
  }
  friend Cumulants operator*(double n, const Cumulants &c) { ///< n independent copies in sequence
    return {n * c.k1, n * c.k2, n * c.k3, n * c.k4};
  }
  bool operator==(const Cumulants &) const = default;
};
/// Cumulants by their order less one.
inline constexpr std::array<double Cumulants::*, 4> cumulantOrders{&Cumulants::k1, &Cumulants::k2,
                                                                   &Cumulants::k3, &Cumulants::k4};
/// Those of c X.
constexpr Cumulants scaled(double c, const Cumulants &k) {
  return {c * k.k1, c * c * k.k2, c * c * c * k.k3, c * c * c * c * k.k4};
}

/// What people read. kurtosis is mu4/mu2^2 (3 for a normal law); a constant has skewness 0,
/// kurtosis 3.
struct Moments {
  double mean = 0, variance = 0, skewness = 0, kurtosis = 3;
  double deviation() const; ///< the standard deviation
};

/// E[X^r]. Only for the edges: as a working state it loses digits when the deviation is small
/// against the mean.
struct RawMoments {
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
};
/// The mean and E[(X - mean)^r].
struct CentralMoments {
  double mean = 0, mu2 = 0, mu3 = 0, mu4 = 0;
};

Cumulants cumulants(const Moments &m);
Cumulants cumulants(const CentralMoments &m);
Cumulants cumulants(const RawMoments &m);
Moments moments(const Cumulants &k);
RawMoments rawMoments(const Cumulants &k);
CentralMoments centralMoments(const Cumulants &k);

/// True when some law has these moments: all finite, variance >= 0, kurtosis >= 1 + skewness^2, up
/// to rounding; with variance 0, skewness 0.
bool admissible(const Moments &m);
/// `m` when some law has them, up to the rounding to five digits that reports print: a kurtosis
/// that is too low by no more is raised. Nothing: no law has such moments.
std::optional<Moments> admissibleAsPrinted(const Moments &m);
struct Projected {
  Moments moments;
  bool changed = false; ///< the moments were not admissible; whoever reports them owes a note
};
/// The nearest admissible moments: variance raised to 0, kurtosis raised to 1 + skewness^2. Not
/// finite moments become those of the constant at the mean, or at 0.
Projected project(const Moments &m);

/// Measured values: count, mean and sums of powers of deviations, smallest and largest. Samples
/// merge in any order and grouping up to rounding. Values are taken relative to the first one seen
/// (the pivot), so a large common offset costs no digits.
class Sample {
public:
  void add(double x);
  void add(double x, uint64_t times);
  void add(const Sample &o);

  uint64_t n() const { return count; }
  double mean() const { return pivot + offset; } ///< 0 when empty, as are all below
  double m2() const { return s2; }               ///< sum of (x - mean)^2, not divided
  double m3() const { return s3; }
  double m4() const { return s4; }
  double min() const { return smallest; }
  double max() const { return largest; }

  /// Moments of the sample as a law of its own: each value with probability 1/n.
  Moments moments() const;

private:
  uint64_t count = 0;
  double pivot = 0, offset = 0; ///< the mean is pivot + offset
  double s2 = 0, s3 = 0, s4 = 0, smallest = 0, largest = 0;
};

/// Moments of a list of values as a law of its own, in two passes; a single finite pass is Sample.
/// Values that are all equal have exactly variance 0.
Moments momentsOf(std::span<const double> values);

/// Unbiased estimates of cumulants; those above `order` cannot be estimated from so few values and
/// are 0.
struct Unbiased {
  Cumulants k;
  int order = 0;
};
/// k-statistics of a sample.
Unbiased kStatistics(const Sample &s);
/// Joint k-statistic k11: unbiased for cov(X, Y); the spans are parallel, of at least two values.
double k11(std::span<const double> x, std::span<const double> y);
/// Joint k-statistic k21: unbiased for the third joint cumulant of (X, X, Y); at least three
/// values.
double k21(std::span<const double> x, std::span<const double> y);

/// Cumulants of the mixture that draws one of `parts` with probability proportional to `weights`
/// (all equal when empty): exact, in the frame of the mean. What a report calls the moments of a
/// corpus.
Cumulants mixture(std::span<const Cumulants> parts, std::span<const double> weights = {});
/// Unbiased cumulants of the population that `parts` (cumulants given the run) were drawn from:
/// total cumulance with joint k-statistics. Differs from `mixture` by terms of order 1/n.
Unbiased totalCumulance(std::span<const Cumulants> parts);

} // namespace quincunx
