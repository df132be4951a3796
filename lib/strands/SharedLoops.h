// Loops that teams shared, as loops of a description: the work of each iteration, so that another
// schedule can deal them.
#pragma once

#include "LogicalThreads.h"

#include "quincunx/parallel/Description.h"

#include <set>

namespace quincunx {

struct SharedLoop {
  const TeamLoop *of = nullptr;
  parallel::Loop loop;      ///< its costs, unless iterations have locks
  double perCost = 1;       ///< iterations that one of these is of
  uint32_t iterations = 0;  ///< that have locks, and are bodies of their own; 0: none are
  std::vector<size_t> last; ///< by part: the event at which its last iteration had ended
  double perIteration = 0;  ///< work, in the mean
};

/// Locks in `owned`, by address, may be had in iterations. `most`: iterations that are told apart;
/// neighbours go together where there are more. An error where what threads did in it is not all
/// known, or is more than to work and to have locks.
Result<SharedLoop> sharedLoop(const TeamLoop &loop, const std::vector<StrandThread> &threads,
                              const std::set<uint64_t> &owned, uint64_t most);

/// As the library deals such a loop; `known`: not where the program decides when it runs.
struct LoopDealing {
  parallel::Schedule schedule = parallel::Schedule::fixed;
  uint64_t chunk = 0;
  bool isKnown = true;
  bool isByChance() const; ///< who is free does what comes next
};
LoopDealing dealingOf(const TeamLoop &loop);

} // namespace quincunx
