// Which arm of a branch a question means.
#pragma once

#include "NameResolver.h"
#include "quincunx/estimate/BlockCosts.h"

namespace quincunx {

/// A branch with the arm that is meant as its first one.
struct MeantBranch {
  size_t function = 0; ///< index in CountMatrix::functions
  Branch branch;
};

/// Of the branches that stand at a place, those that have the arm asked for: the true one, or one
/// that leads to a line. Errors (all arms are listed by line): which arm is true is not known,
/// different branches stand there, no arm leads to that line.
Result<std::vector<MeantBranch>> meantBranches(const Place &place,
                                               const std::vector<ProgramElement> &spots,
                                               const BlockCosts &blocks);

} // namespace quincunx
