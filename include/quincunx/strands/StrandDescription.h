// What ran as a description that can be simulated (parallel/Simulate.h): what its threads did, and
// which of it came after what, with locks that are had by who comes first. Reference:
// docs/27-parallel.md. In the clock of counts; it simulates nothing.
#pragma once

#include "quincunx/parallel/Simulate.h"
#include "quincunx/strands/Events.h"

#include <vector>

namespace quincunx {

/// What threads wait for.
struct StrandWait {
  qx_strand_kind kind{}; ///< of the event at which they do
  uint32_t site = 0;     ///< of one of these events
};

struct StrandDescription {
  parallel::Description description; ///< a body for each thread, task and member; one more is first
  std::vector<StrandWait> channels, barriers, locks; ///< as the description numbers them
  uint32_t atOnce = 1; ///< threads of the process, which executed all that
};

/// `locksAsTheyWere`: they are had in the order in which they were. So is, in any case, a lock that
/// one thread gives back for another, or not at all. Fails where parallelWork() does.
Result<StrandDescription> describeStrands(const ProcessStrands &strands, bool locksAsTheyWere);

} // namespace quincunx
