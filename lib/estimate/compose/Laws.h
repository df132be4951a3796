// The law of one call, from what a model knows of it.
#pragma once

#include "quincunx/dist/Mixture.h"

#include <string>
#include <utility>
#include <vector>

namespace quincunx {

/// A law, and its family: of the mixture of parts, or, without parts, one fitted to k. Null where
/// none can be found.
std::pair<DistributionPtr, std::string> lawOf(const Cumulants &k,
                                              const std::vector<MixtureComponent> &parts);

} // namespace quincunx
