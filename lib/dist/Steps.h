// The staircase law behind makeSteps and makeMixture. It checks nothing.
#pragma once

#include "quincunx/dist/Mixture.h"

namespace quincunx {

/// `sorted` ascending; `weights` parallel to it, or empty when all are 1; `openWeight` lies above
/// all of them; `m` is what moments() answers.
DistributionPtr stepLaw(std::vector<double> sorted, std::vector<double> weights, double openWeight,
                        const Moments &m);

} // namespace quincunx
