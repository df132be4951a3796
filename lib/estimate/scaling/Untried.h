// Code that no run reached and that other sizes may reach: branches that compare with a limit, and
// of which all runs stayed on one side.
#pragma once

#include "quincunx/estimate/Growth.h"
#include "quincunx/estimate/Note.h"

#include <functional>

namespace quincunx {

struct UntriedBranch {
  CodePlace at;
  uint64_t limit = 0;
  std::vector<std::string> calls; ///< functions behind it that never ran, linkage names
};

/// Which sizes ran, and where to they are to go.
struct SizesThatRan {
  double least = 0, most = 0; ///< of the runs
  bool grow = false;          ///< what is below a limit may come to it, and not the other way round
};

/// Of branches that ran, with a limit that the size, or an eighth or eight times of it, has not
/// passed in any run: what is compared with a limit far inside of the sizes is no size. Behind the
/// branch is a loop or a call of code that is counted, and a way back: what only ends the program
/// changes no law.
std::vector<UntriedBranch> untriedBranches(const BlockCosts &costs, const SizesThatRan &sizes);
/// What leans on them; nothing of none. `sourceName`: of a linkage name.
std::vector<Note> notesOn(const std::vector<UntriedBranch> &untried,
                          const std::function<std::string(const std::string &)> &sourceName);

} // namespace quincunx
