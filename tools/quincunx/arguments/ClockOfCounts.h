// What a corpus says in the clock of counts, whatever its prices are.
#pragma once

#include "quincunx/estimate/ObserveCorpus.h"
#include "quincunx/estimate/ParallelRuns.h"

namespace quincunx::tool {

Result<Observed> observeInClock(const Corpus &corpus, const std::vector<Map> &maps);
ClockCosts clockCostsOf(const Observed &inClock);
/// Functions that were called and not counted.
std::vector<std::string> libraryOf(const Observed &observed);

} // namespace quincunx::tool
