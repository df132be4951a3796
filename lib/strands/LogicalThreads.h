// Members of teams and tasks of OpenMP as threads of their own.
#pragma once

#include "quincunx/strands/Events.h"

#include <map>
#include <vector>

namespace quincunx {

/// With kinds up to QX_STRAND_PASS alone. Threads of the process come first, as they were, without
/// what they did as members of teams and in tasks.
struct LogicalThreads {
  ProcessStrands strands;
  bool hasTeamOfOne = false;
  bool hasExclusion = false;   ///< depend(mutexinoutset)
  std::vector<uint32_t> ranOn; ///< numbers of threads of the process, where each began
};

/// Factors by which work is more, by the site where who does it was begun: threads, members of
/// teams (the thread that makes the team is the first, until it ends), tasks. What is begun by
/// these in turn is not theirs.
using WorkFactors = std::map<uint32_t, double>;

LogicalThreads logicalThreads(const ProcessStrands &process, const WorkFactors &factors = {});

} // namespace quincunx
