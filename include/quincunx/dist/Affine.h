// The law of shift + scale X.
#pragma once

#include "quincunx/dist/Distribution.h"

namespace quincunx {

/// `scale` is above 0, both are finite. Steps of the law of X stay steps, at the places that
/// rounding gives them.
DistributionPtr makeAffine(DistributionPtr law, double shift, double scale);

} // namespace quincunx
