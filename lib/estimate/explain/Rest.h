// Who makes what effects of inputs leave of the variance.
#pragma once

#include "Decisions.h"
#include "InputModel.h"

namespace quincunx {

/// `costs`: of all runs.
ExplainedRest explainRest(const BlockCosts &blocks, const Attribution &parts,
                          const InputModel &model, std::span<const double> costs,
                          const CostOfCalls &calls, std::span<const double> meanCounts);

} // namespace quincunx
