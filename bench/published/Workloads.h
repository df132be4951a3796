// The laws that the methods are compared on, and the exact moments of the last of N or of two tasks
// that have them: by quadrature of their own cdf and density, with the tail of the cdf computed
// directly. It is the oracle of the table, so it uses nothing of lib/dist.
#pragma once

#include "Published.h"

#include <string>

namespace quincunx::published {

struct Workload {
  std::string name;
  Moments moments;
  std::function<double(double)> cdf, survival, density; ///< survival(x) is P(X > x)
  double low = 0, high = 0;                             ///< beyond these lies less than 1e-30
  bool lattice = false;                                 ///< on whole numbers; no density
};

/// uniform(0,1), normal(0,1), exponential(1), gamma(2), lognormal(0,.25), lognormal(0,.5),
/// weibull(1.5), binomial(100,.1), .7 normal(10,1) + .3 normal(16,1).
std::vector<Workload> workloads();
/// (X - mean)/deviation.
Workload standardised(const Workload &x);

/// E[Y^r] of the last of N equal tasks; relative error below 1e-10.
RawMoments exactLast(const Workload &x, double N);
/// E[Y^r] of the last of two different tasks, neither on a lattice.
RawMoments exactLast(const Workload &x1, const Workload &x2);

} // namespace quincunx::published
