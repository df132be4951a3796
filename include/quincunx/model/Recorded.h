// From what a run recorded of a branch to the record that branch models take. Lengths of runs that
// are known to a range only are placed in it so that they add up to what the counters say; that is
// a choice within a quarter of a power of two, not a measurement.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/cost/Branch.h"
#include "quincunx/model/FlowSolver.h"
#include "quincunx/profile/Recorders.h"

#include <span>

namespace quincunx {

/// `words`: the function's recorders in a run (Function::recorderWords); `counts`: what
/// FlowSolver::counts says of its counters.
///
/// The lengths of all true runs add up to `taken`, and those of all runs to `n`, exactly, whenever
/// lengths within the ranges can. They cannot where frames were lost while the loop ran (longjmp,
/// exit, a kill: the runs under way are not there), or forked (they are there twice); then each
/// range is taken at the end that is nearer.
///
/// An error where nothing was recorded of the branch: not in a loop, a switch, the exit of a loop
/// of constant trips, or not built with record=runs.
Result<BranchRecord> branchRecord(const Function &f, uint32_t branch,
                                  std::span<const uint64_t> words, const FunctionCounts &counts);

} // namespace quincunx
