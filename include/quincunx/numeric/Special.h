// Special functions with both tails computed directly. All are finite for every finite argument in
// their stated domain. Reference: Abramowitz & Stegun ch. 6, 26. It knows no laws as objects
// (lib/dist).
#pragma once

#include <cstdint>

namespace quincunx {

double normalCdf(double z);
double normalSurvival(double z); ///< 1 - normalCdf(z), without cancellation
double normalDensity(double z);
double normalQuantile(double p); ///< 0 < p < 1

/// Gamma law with shape a > 0 and scale 1, at x >= 0: P, Q = 1 - P, density.
double gammaCdf(double a, double x);
double gammaSurvival(double a, double x);
double gammaDensity(double a, double x); ///< at 0 with a < 1: infinity

double expm1MinusX(double x); ///< e^x - 1 - x, with full relative accuracy

/// Beta law with shapes a, b > 0: P(B <= x).
double betaCdf(double a, double b, double x);

/// Student's t with `freedom` >= 1 degrees of freedom; 0 < p < 1.
double studentQuantile(double freedom, double p);
/// P(B <= k) for B binomial (n, p); k < 0 gives 0, k >= n gives 1.
double binomialCdf(int64_t k, uint64_t n, double p);

} // namespace quincunx
