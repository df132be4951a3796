// Sharp bounds from four moments.
// The idea: the law that puts the most mass at or below t has an atom at t and at most two more,
// whose places and masses the moments fix; P(T < t) and P(T <= t) under it are the bounds of every
// other law. On [0, inf) an atom at 0 takes the place of one that would lie below, and the fourth
// moment becomes an inequality. Reference: docs/09-percentiles-and-bounds.md; Karlin & Studden,
// Tchebycheff Systems, ch. 4 (Markov-Krein). It knows no density; laws with one mode are in
// UnimodalBounds.cpp.
#include "quincunx/dist/Bounds.h"

#include "Atoms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace quincunx {

namespace {

class Bounds {
public:
  Bounds(const Moments &moments, Where w)
      : m(moments), where(w), sd(m.deviation()), s(m.skewness), D(m.kurtosis - s * s - 1),
        raw(rawMoments(cumulants(m))) {}

  /// mu and v of the law x dF(x)/m1: v < 0 when no law on [0, inf) has these moments.
  double weightedMean() const { return raw.m2 / raw.m1; }
  double weightedVariance() const { return raw.m3 / raw.m1 - weightedMean() * weightedMean(); }
  bool onePoint() const { // besides 0
    return weightedVariance() <= 1e-14 * weightedMean() * weightedMean();
  }

  Range at(double t) const {
    if (where == Where::notNegative) {
      if (t < 0)
        return {0, 0};
      if (onePoint()) { // 0 or mu, and nothing else
        const double mu = weightedMean(), zero = 1 - raw.m1 / mu;
        return t < mu * (1 - 1e-14) ? Range{zero, zero} : Range{1, 1};
      }
    }
    const double xi = (t - m.mean) / sd;
    if (D <= 1e-14 * (1 + s * s)) { // two points
      const double h = std::sqrt(4 + s * s), low = (s - h) / 2, high = (s + h) / 2;
      const double below = high / (high - low);
      return xi < low ? Range{0, 0} : xi < high ? Range{below, below} : Range{1, 1};
    }
    const std::array<Atom, 3> atoms = atomsWith(xi, s, D);
    const double origin = -m.mean / sd;
    const bool leaves = std::ranges::any_of(
        atoms, [&](const Atom &a) { return a.mass > 0 && a.place < origin * (1 + 1e-15); });
    if (where == Where::notNegative && leaves)
      return t == 0 ? Range{0, massAtZero()} : onHalfLine(t);
    return sum(atoms, xi);
  }

private:
  static Range sum(const std::array<Atom, 3> &atoms, double t) {
    double below = 0;
    for (size_t i = 1; i < atoms.size(); ++i)
      if (atoms[i].place < t)
        below += atoms[i].mass;
    return {std::clamp(below, 0.0, 1.0), std::clamp(below + atoms[0].mass, 0.0, 1.0)};
  }

  // Atoms t, y1 = mu - v/(t - mu) and 0: masses m1/(1 + (z - mu)^2/v)/z, and what is left
  std::array<Atom, 3> atomsWithZero(double t) const {
    const double mu = weightedMean(), v = weightedVariance();
    const auto atom = [&](double z) { return Atom{z, raw.m1 / (1 + (z - mu) * (z - mu) / v) / z}; };
    const Atom first = atom(t), second = t == mu ? Atom{} : atom(mu - v / (t - mu));
    return {first, second, Atom{0, 1 - first.mass - second.mass}};
  }
  Range onHalfLine(double t) const { return sum(atomsWithZero(t), t); }
  double massAtZero() const {
    const double mu = weightedMean(), v = weightedVariance(), y = mu + v / mu;
    return 1 - raw.m1 / (1 + (y - mu) * (y - mu) / v) / y;
  }

  Moments m;
  Where where;
  double sd, s, D;
  RawMoments raw;
};

std::optional<Error> refuse(const Moments &m, Where where) {
  if (!admissible(m))
    return Error{"no law has these moments"};
  if (where == Where::line)
    return std::nullopt;
  const RawMoments r = rawMoments(cumulants(m));
  // m1 m3 >= m2^2
  if (m.mean < 0 || (m.mean == 0 && m.variance > 0) || r.m1 * r.m3 < r.m2 * r.m2 * (1 - 1e-9))
    return Error{"no law on [0, inf) has these moments"};
  return std::nullopt;
}

} // namespace

// w(x) = 1/(1 + x^2 + (x^2 - s x - 1)^2/D); with c = (xi^2 - s xi - 1)/D the other atoms are the
// roots of c x^2 + (xi - c s) x + (1 - c)
std::array<Atom, 3> atomsWith(double xi, double s, double D) {
  const auto atom = [&](double x) {
    const double q = x * x - s * x - 1;
    return std::isfinite(x) ? Atom{x, 1 / (1 + x * x + q * q / D)} : Atom{x, 0};
  };
  const double c = (xi * xi - s * xi - 1) / D, b = xi - c * s, a = 1 - c;
  const double root = std::sqrt(std::max(b * b - 4 * c * a, 0.0));
  const double q = -(b + (b >= 0 ? root : -root)) / 2;
  if (q == 0) // b = 0 and no product: both roots are opposite
    return {atom(xi), atom(std::sqrt(-a / c)), atom(-std::sqrt(-a / c))};
  return {atom(xi), c == 0 ? Atom{} : atom(q / c), atom(a / q)};
}

Result<Range> cdfBounds(const Moments &m, double t, Where where) {
  if (const auto error = refuse(m, where))
    return *error;
  if (std::isnan(t))
    return Error{"a place must be a number"};
  if (m.variance == 0 || std::isinf(t)) {
    const double F = t >= m.mean ? 1 : 0;
    return Range{F, F};
  }
  return Bounds(m, where).at(t);
}

Result<Range> quantileBounds(const Moments &m, double p, Where where) {
  if (const auto error = refuse(m, where))
    return *error;
  if (!(p > 0 && p < 1))
    return Error{"a percentile needs a probability between 0 and 1"};
  if (m.variance == 0)
    return Range{m.mean, m.mean};
  const Bounds bounds(m, where);
  double from = m.mean - m.deviation() * std::sqrt((1 - p) / p);
  if (where == Where::notNegative)
    from = std::max(from, 0.0);
  // The smallest t, between Cantelli's bounds, at which the bound of the cdf reaches p.
  const auto first = [&](double Range::*side) {
    double low = from, high = cantelliQuantile(m, p);
    while (true) {
      const double t = low + (high - low) / 2;
      if (!(t > low && t < high))
        return high;
      (bounds.at(t).*side >= p ? high : low) = t;
    }
  };
  return Range{first(&Range::high), first(&Range::low)};
}

// P(T > mean + x sd) <= 1/(1 + x^2)
double cantelliQuantile(const Moments &m, double p) {
  return m.mean + m.deviation() * std::sqrt(p / (1 - p));
}

// P(|T - mean| > x sd) <= 1/x^2
double chebyshevQuantile(const Moments &m, double p) {
  return m.mean + m.deviation() / std::sqrt(1 - p);
}

} // namespace quincunx
