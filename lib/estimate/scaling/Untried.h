// Code that no run reached and that other sizes may reach: branches that compare with a limit, and
// of which all runs stayed on one side.
#pragma once

#include "quincunx/estimate/Growth.h"
#include "quincunx/estimate/Note.h"

namespace quincunx {

struct UntriedBranch {
  CodePlace at;
  uint64_t limit = 0;
  std::vector<std::string> calls; ///< functions behind it that never ran, linkage names
};

/// Of branches that ran. `grows`: sizes grow, so that what is below a limit may come to it, and not
/// the other way round. Behind the branch is a loop or a call of code that is counted, and a way
/// back: what only ends the program changes no law.
std::vector<UntriedBranch> untriedBranches(const BlockCosts &costs, bool grows);
/// What leans on them; nothing of none.
std::vector<Note> notesOn(const std::vector<UntriedBranch> &untried);

} // namespace quincunx
