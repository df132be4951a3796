// A calibration of one build for another.
#pragma once

#include "PricedBuild.h"

namespace quincunx {

/// `machine` with its fit to the code of `maps`: blocks that are the same cost the same, others
/// depart from the machine's prices as their function does. `fitted`: the build it was fitted to,
/// priced by it. Without a fit nothing changes.
Machine carriedFit(const Machine &machine, const PricedBuild &fitted, const std::vector<Map> &maps);

} // namespace quincunx
