// What functions make with all that they call: shares of the variance, of the tail and of the mean,
// and the heaviest way of calls from main.
#pragma once

#include "Decisions.h"
#include "estimate/counts/TotalCosts.h"

namespace quincunx {

/// The function under which all others run: main, or the one whose requests take the place of runs;
/// TotalCosts::none where it was not counted.
size_t rootOf(const BlockCosts &blocks, const std::string &request);

/// What functions cost themselves: the order-th cumulant, per function and run.
std::vector<TotalCosts::PerRun> ownCosts(const BlockCosts &blocks, size_t order);

/// Do the calls of nearly all `runs` make sense?
bool isKnown(const TotalCosts &calls, size_t runs);

/// `costs`: of calls. `tail`: rows.
ExplainedTotals explainTotals(const BlockCosts &blocks, TotalCosts &calls,
                              const TotalCosts::Costs &costs, const CostOfRuns &runs,
                              std::span<const size_t> tail, size_t root);

} // namespace quincunx
