// Runs of which the strands are known, and their figures.
#pragma once

#include "quincunx/estimate/ParallelRuns.h"

#include <functional>

namespace quincunx {

/// Visits runs of which the path is known; what is left out is counted in `out`.
Status forEachStrandRun(const Corpus &corpus, LeftOut &out,
                        const std::function<Status(Run &&)> &visit);
/// Figures and path; an error names the run.
Result<ParallelWork> workOf(const Run &run, const ClockCosts &costs);
RunWork figuresOf(const Run &run, const ParallelWork &work);
/// The one with that label or identity (its beginning is enough); an error when there is none, or
/// several.
Result<Run> strandRun(const Corpus &corpus, const std::string &name);
/// Why none is left.
Error nothingIn(const LeftOut &left);

/// "1 thread", "8 threads".
std::string threadsText(uint32_t n);

} // namespace quincunx
