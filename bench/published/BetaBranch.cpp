// The thesis' law for the share of true outcomes of a branch whose outcomes come in runs: a beta
// law with the right mean and the right rate of variance. Skewness and kurtosis are those of that
// beta law, not of the runs, and for runs burstier than chance the beta law does not exist (a <=
// 0). Reference: Gautama's thesis (4.11) to (4.15).
#include "Published.h"

#include <cmath>

namespace quincunx::published {

BetaBranch betaBranch(const RunLengths &runs) {
  const double U = runs.up.mean, D = runs.down.mean, vU = runs.up.variance, vD = runs.down.variance;
  const double sum = D + U, between = D * D * vU + U * U * vD;
  BetaBranch r;
  // (4.12)
  r.a = (D * D * (U - vU) + U * U * (D - vD)) * D / (sum * between);
  r.b = U / D * r.a;
  // (4.14), then P = 1 - Q by (4.15)
  const double once = D * D * (U + vU) + U * U * (D + vD);
  const double twice = D * D * (U + 2 * vU) + U * U * (D + 2 * vD);
  r.p.mean = 1 - D / sum;
  r.p.variance = between / (sum * sum * sum);
  r.p.skewness = 2 * (D - U) * sum * sum * std::sqrt(r.p.variance) / once;
  r.p.kurtosis =
      3 * sum * (sum * D * D * U * U + (2 * (D - U) * (D - U) + D * U) * between) / (twice * once);
  return r;
}

} // namespace quincunx::published
