// Members of teams and tasks of OpenMP as threads of their own.
#pragma once

#include "quincunx/strands/Events.h"

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

LogicalThreads logicalThreads(const ProcessStrands &process);

} // namespace quincunx
