// One question of what would happen if, or a sweep of one variable.
#pragma once

#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/WhatIf.h"

namespace quincunx {

/// Of changes that go together (checkComposition); `options` name one variable at most.
Result<WhatIfAnswer> answered(BlockCosts costs, const Machine &machine,
                              const std::vector<Change> &changes, const WhatIfOptions &options);

} // namespace quincunx
