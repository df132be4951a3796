// Moments and cumulants of order four: conversions, mergeable accumulation, unbiased statistics, total
// cumulance. Reference: docs/02-costs.md. It fits no laws (lib/dist).
#pragma once

#include <cstdint>
#include <span>

namespace quincunx {

/// Cumulants of a random cost; independent costs add term by term. A constant is {c, 0, 0, 0}.
struct Cumulants {
  double k1 = 0, k2 = 0, k3 = 0, k4 = 0;
  Cumulants &operator+=(const Cumulants &o) {
    k1 += o.k1, k2 += o.k2, k3 += o.k3, k4 += o.k4;
    return *this;
  }
  friend Cumulants operator*(double n, const Cumulants &c) { ///< n independent copies in sequence
    return {n * c.k1, n * c.k2, n * c.k3, n * c.k4};
  }
  bool operator==(const Cumulants &) const = default;
};

/// What people read. kurtosis is mu4/mu2^2 (3 for a normal law); a constant has skewness 0, kurtosis 3.
struct Moments {
  double mean = 0, variance = 0, skewness = 0, kurtosis = 3;
};

} // namespace quincunx
