// A probability law of a cost, as every reader sees it: cdf, survival, quantile, density where
// there is one, moments and support. A law may be open: part of its mass lies at an unknown place
// above everything known (runs that were stopped), and quantiles in that part are infinite. It
// knows nothing of programs.
#pragma once

#include "quincunx/numeric/Moments.h"

#include <memory>
#include <optional>

namespace quincunx {

/// Where a law has its mass; an end may be infinite.
struct Range {
  double low = 0, high = 0;
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
  /// None where the law has no density (steps).
  virtual std::optional<double> density(double t) const = 0;
  virtual Moments moments() const = 0;
  virtual Range support() const = 0;
};
using DistributionPtr = std::shared_ptr<const Distribution>;

} // namespace quincunx
