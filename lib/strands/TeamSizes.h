// What a process would have written down whose teams had more threads or fewer.
#pragma once

#include "quincunx/strands/Events.h"

namespace quincunx {

struct ResizedTeams {
  ProcessStrands strands;
  uint32_t atOnce = 1; ///< threads that the process would have
  uint32_t had = 1;    ///< of the largest teams
  /// Of what the process did, the share that was of the largest teams, neither in loops that they
  /// share nor in tasks, of several threads from one meeting to the next, and more than 200 counts
  /// of each: it is taken to do as much of it as before.
  double besideLoops = 0;
};

/// Gives each team that had as many threads as the largest ones `threads` in place of them, at
/// least 1. Iterations stay with who did them, or go to the first thread of the team, until they
/// are dealt anew. Fails where teams had one thread, of which it is not known where they would have
/// met, and where threads did more than to work, to meet and to have locks, beside tasks.
Result<ResizedTeams> resizeTeams(const ProcessStrands &strands, uint32_t threads);

} // namespace quincunx
