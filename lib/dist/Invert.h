// Private to lib/dist: quantiles of a law that knows only its tails.
#pragma once

#include "quincunx/dist/Distribution.h"

namespace quincunx {

/// The smallest t with P(T <= t) >= p, where q = 1 - p is given beside it for its digits. `knots`
/// are those of the law.
double invert(const Distribution &law, std::span<const double> knots, double p, double q);

/// Ascending without repetitions: what several laws' knots are put together with.
void sortKnots(std::vector<double> &knots);

} // namespace quincunx
