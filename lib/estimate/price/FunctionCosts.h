// What functions cost themselves in each run, and what lies above them all.
#pragma once

#include "estimate/counts/TotalCosts.h"
#include "quincunx/estimate/BlockCosts.h"

namespace quincunx {

/// The function under which all others run: main, or the one whose requests take the place of runs;
/// TotalCosts::none where it was not counted.
size_t rootOf(const BlockCosts &blocks, const std::string &request);

/// What functions cost themselves: the order-th cumulant, per function and run.
std::vector<TotalCosts::PerRun> ownCosts(const BlockCosts &blocks, size_t order);

/// Do the calls of nearly all `runs` make sense?
bool isKnown(const TotalCosts &calls, size_t runs);

} // namespace quincunx
