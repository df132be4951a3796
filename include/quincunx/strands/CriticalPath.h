// Work and span of what ran: how much the threads of a process did, and how much of that had to be
// done one thing after another (Brent 1974; Cilkview, He et al. 2010). In the clock of counts, so
// that it does not matter how many processors there were. It does not predict times.
#pragma once

#include "quincunx/strands/Events.h"

#include <compare>
#include <map>

namespace quincunx {

/// A stretch of the critical path in one thread.
struct PathLeg {
  uint32_t thread = 0; ///< its number
  uint64_t work = 0;
  StrandEvent from, to; ///< the event before its first strand (kind 0: none), and its last one
};

/// What strands have in common that are shown as one.
struct StrandPlace {
  uint32_t created = 0;  ///< site where their thread was created; 0: it is the first
  uint32_t site = 0;     ///< of the event that they end with; 0 where the thread ends
  qx_strand_kind kind{}; ///< of that event
  auto operator<=>(const StrandPlace &) const = default;
};
/// Of a strand that ends with it, of a thread that was created there.
StrandPlace placeOf(const StrandEvent &end, uint32_t created);

/// The longest way through the graph of strands.
struct CriticalPath {
  uint64_t span = 0;
  std::vector<PathLeg> legs;             ///< in order; their work adds up to the span
  std::map<StrandPlace, uint64_t> parts; ///< the same, by what its strands have in common
};

struct ParallelWork {
  uint64_t work = 0;                           ///< of all strands
  size_t strands = 0;                          ///< stretches between two events of a thread
  size_t threads = 0;                          ///< that began
  bool hasTeams = false, hasTeamOfOne = false; ///< of OpenMP
  bool hasExclusion = false;                   ///< depend(mutexinoutset)
  bool hasUnjoined = false;                    ///< threads that nobody joined
  bool hasTimeouts = false;                    ///< waits that ended as their time was over
  uint32_t spins = 0;          ///< a site at which a thread looks again and again; 0: there is none
  bool hasFolded = false;      ///< sections of locks stand for several
  bool hasUncounted = false;   ///< who came last at counters is not known of all
  bool hasClaims = false;      ///< jobs were taken from counters
  bool hasUnexplained = false; ///< waits that ended, and nobody had let them go on
  CriticalPath free;           ///< a lock keeps nobody waiting
  CriticalPath locked; ///< who had a lock later waits for all who had it before, as it happened
};

/// An error when events were left out, or contradict each other.
Result<ParallelWork> parallelWork(const ProcessStrands &strands);

} // namespace quincunx
