// Quantiles of a law that knows only its tails.
#pragma once

#include "quincunx/dist/Distribution.h"

namespace quincunx {

/// Sums of weights are known up to this share.
inline constexpr double massRounding = 1e-12;

/// The smallest t with P(T <= t) >= p, where q = 1 - p is given beside it for its digits. `knots`
/// are those of the law.
double invert(const Distribution &law, std::span<const double> knots, double p, double q);

/// Adds the finite ends of a law's support.
void addEnds(const Range &support, std::vector<double> &knots);
/// Puts knots, also those of several laws, into ascending order without repetitions.
void sortKnots(std::vector<double> &knots);

} // namespace quincunx
