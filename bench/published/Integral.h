// E[Y^r], r = 1..4, as the sum of the texts: (1/K) sum over k of g(F_k)^r w(F_k), F_k in the k-th
// of K equal intervals of (0, 1). Shared by the three methods for two different tasks, which differ
// in what they take for the cdf. It knows no error bound; neither do the texts.
#pragma once

#include "Published.h"

namespace quincunx::published {

/// Adds weight x^r to the moments.
inline void addPowers(RawMoments &m, double weight, double x) {
  m.m1 += weight * x;
  m.m2 += weight * x * x;
  m.m3 += weight * x * x * x;
  m.m4 += weight * x * x * x * x;
}

/// F_k = (k - 1 + at)/K for k = 1..K.
inline double node(int k, double at) { return (k - 1 + at) / steps; }

/// sum of R_2(F)^r F_1(R_2(F)) + R_1(F)^r F_2(R_1(F)) for the last, with 1 - F_i for the first;
/// cdfOf(i, x, F) is F_i(x), and F is what it is near.
template <class CdfOf>
RawMoments joinSum(Wait wait, const std::array<Lambda, 2> &task, double at, const CdfOf &cdfOf) {
  RawMoments m;
  for (int k = 1; k <= steps; ++k) {
    const double F = node(k, at);
    for (size_t i = 0; i < 2; ++i) {
      const double x = quantile(task[1 - i], F), other = cdfOf(i, x, F);
      addPowers(m, (wait == Wait::Last ? other : 1 - other) / steps, x);
    }
  }
  return m;
}

} // namespace quincunx::published
