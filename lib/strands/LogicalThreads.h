// Members of teams and tasks of OpenMP as threads of their own.
#pragma once

#include "quincunx/strands/Events.h"

#include <map>
#include <vector>

namespace quincunx {

/// A loop that a team shared, once.
struct TeamLoop {
  uint32_t site = 0;
  qx_schedule schedule = QX_SCHEDULE_OTHER;
  uint64_t chunk = 0;
  uint32_t teamSize = 1;
  /// Where a thread of the team begins its part.
  struct Part {
    uint32_t member = 0;          ///< number in the team
    size_t thread = 0, event = 0; ///< indices in LogicalThreads::strands
  };
  std::vector<Part> parts;
};

/// Without kinds of teams and tasks. Threads of the process come first, as they were, without
/// what they did as members of teams and in tasks; then members, then tasks.
struct LogicalThreads {
  ProcessStrands strands;
  size_t firstMember = 0, firstTask = 0; ///< indices
  bool hasTeamOfOne = false;
  bool hasExclusion = false;   ///< depend(mutexinoutset)
  std::vector<uint32_t> ranOn; ///< numbers of threads of the process, where each began
  std::vector<TeamLoop> loops; ///< if asked for; their events are left out of `strands` otherwise
};

/// Factors by which work is more, by the site where who does it was begun: threads, members of
/// teams (the thread that makes the team is the first, until it ends), tasks. What is begun by
/// these in turn is not theirs.
using WorkFactors = std::map<uint32_t, double>;

enum class WithLoops : bool { no, yes };
LogicalThreads logicalThreads(const ProcessStrands &process, WithLoops withLoops = WithLoops::no,
                              const WorkFactors &factors = {});

} // namespace quincunx
