// What four moments say for certain: sharp bounds of the cdf and of percentiles over all laws that
// have them. Reference: docs/09-percentiles-and-bounds.md. They hold for the moments given; that
// these are estimates is not known here.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"

namespace quincunx {

/// Where the law may have mass: anywhere, or nowhere below 0.
enum class Where { line, notNegative };

/// inf and sup of P(T <= t). Refuses moments that no such law has.
Result<Range> cdfBounds(const Moments &m, double t, Where where);
/// low: the smallest t with sup P(T <= t) >= p; high: the smallest with inf P(T <= t) >= p, the
/// percentile that is guaranteed. 0 < p < 1.
Result<Range> quantileBounds(const Moments &m, double p, Where where);

/// quantileBounds() over the laws with one mode, wherever it is. That is an assumption, which
/// moments cannot confirm. Sharp on the line; for Where::notNegative what one mode and the sign
/// imply each alone. Refuses moments that no law with one mode has. Source:
/// docs/09-percentiles-and-bounds.md.
Result<Range> unimodalQuantileBounds(const Moments &m, double p, Where where);

/// The guaranteed upper percentile from mean and variance alone (one-sided).
double cantelliQuantile(const Moments &m, double p);
/// From mean and variance by Chebyshev's two-sided inequality: always above Cantelli's.
double chebyshevQuantile(const Moments &m, double p);

} // namespace quincunx
