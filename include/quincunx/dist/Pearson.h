// Pearson's system: the one law of types 0 to VII with given mean, variance, skewness and kurtosis.
// Reference: docs/09-percentiles-and-bounds.md.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"

namespace quincunx {

enum class PearsonType { twoPoint, normal, I, II, III, IV, V, VI, VII };
/// "two-point", "0" (normal), "I" .. "VII".
const char *name(PearsonType type);

/// The type and its two shape parameters, of the law mirrored to a skewness >= 0:
///   I, II   exponents a <= b of the beta density x^(a-1) (1-x)^(b-1)
///   III     shape of the gamma law
///   IV, VII m and nu of (1+x^2)^-m exp(-nu atan x)
///   V       shape of the inverse gamma law
///   VI      exponents of the beta prime density x^(a-1) (1+x)^-(a+b)
/// and, of a two-point law, the probability of the larger value. What is not there is 0.
struct PearsonParameters {
  PearsonType type = PearsonType::normal;
  double first = 0, second = 0;
  bool mirrored = false;
};

/// Needs admissible moments with a variance above 0. About 20 ns.
PearsonParameters pearsonParameters(const Moments &m);

/// The law itself, for every admissible pair of skewness and kurtosis. Refuses moments that no law
/// has, and those of a constant. `range` is not used: moments decide.
Result<DistributionPtr> fitPearson(const Moments &m, Range range);

} // namespace quincunx
