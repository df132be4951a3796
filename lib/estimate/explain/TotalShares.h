// What functions make with all that they call: shares of the variance, of the tail and of the mean,
// and the heaviest way of calls from main.
#pragma once

#include "Decisions.h"
#include "estimate/price/FunctionCosts.h"

namespace quincunx {

/// `costs`: of calls. `tail`: rows.
ExplainedTotals explainTotals(const BlockCosts &blocks, const FunctionRows &rows, TotalCosts &calls,
                              const TotalCosts::Costs &costs, const CostOfRuns &runs,
                              std::span<const size_t> tail, size_t root);

} // namespace quincunx
