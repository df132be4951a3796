// A probability law of a cost, as every reader sees it: cdf, survival, quantiles from either tail,
// density where there is one, moments and support. A law may be open: part of its mass lies at an
// unknown place above everything known (runs that were stopped), and quantiles in that part are
// infinite. It knows nothing of programs.
#pragma once

#include "quincunx/numeric/Moments.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace quincunx {

/// Where a law has its mass; an end may be infinite.
struct Range {
  double low = 0, high = 0;
};

/// Both tails at a place t: P(T <= t) and P(T > t), the small one with its own digits.
struct Tails {
  double below = 0, above = 1;
};

/// Both tails at many places, in arrays as long as there are places.
struct TailSpans {
  std::span<double> below, above;
  TailSpans part(size_t from, size_t count) const {
    return {below.subspan(from, count), above.subspan(from, count)};
  }
};

/// The line at coordinates u of a law: the places t(u), dt/du and both tails there.
struct StationSpans {
  std::span<double> t, stretch;
  TailSpans tails;
};

class Distribution {
public:
  virtual ~Distribution() = default;
  /// P(T <= t).
  virtual double cdf(double t) const = 0;
  /// P(T > t), computed in the upper tail itself.
  virtual double survival(double t) const = 0;
  /// The smallest t with P(T <= t) >= p, for 0 < p <= 1; infinity where the law is open or, at p =
  /// 1, has no largest value.
  virtual double quantile(double p) const = 0;
  /// The smallest t with P(T > t) <= q, for 0 <= q < 1: quantile(1 - q) for q that 1 - q would
  /// round.
  virtual double upperQuantile(double q) const = 0;
  /// None where the law has no density (steps).
  virtual std::optional<double> density(double t) const = 0;
  virtual Moments moments() const = 0;
  virtual Range support() const = 0;
  /// Both tails at ascending places: what integration asks for.
  virtual void tails(std::span<const double> ascending, TailSpans out) const;
  /// Ascending places, among them every step and every finite end, with nothing sudden between
  /// neighbours, and no moment up to the fourth to speak of outside: the panels of an integral over
  /// this law.
  virtual std::vector<double> knots() const = 0;
  /// A coordinate u, ascending with t, in which the tails are smoothest, t itself unless a law has
  /// a better one: `stations` at ascending u, and `edges` as the knots are, for u.
  virtual void stations(std::span<const double> u, StationSpans out) const;
  virtual std::vector<double> edges() const { return knots(); }
};
using DistributionPtr = std::shared_ptr<const Distribution>;

/// Cumulants of any law by panels from its tails. Of an open law, as if nothing were above its last
/// knot.
Cumulants integrateCumulants(const Distribution &law);

} // namespace quincunx
