// Which loops of a run are dealt anew, and how.
#pragma once

#include "SharedLoops.h"

#include "quincunx/strands/StrandDescription.h"

namespace quincunx {

struct DealtLoop {
  SharedLoop shared;
  StrandChanges::Dealing dealing;
  bool isChanged = false; ///< as it ran it had another schedule, or another number of threads
};

struct DealtLoops {
  std::vector<DealtLoop> loops;
  std::string whyNot;       ///< of a loop that was to be changed and cannot be dealt; empty: none
  bool keepsChunks = false; ///< as StrandDescription has it
  double ofChunks = 0;      ///< the same
};

/// Those that are to be changed, and those whose chunks came to who was free. `had`: threads of the
/// teams that were resized; 0: none were. Loops of teams that several threads make share the
/// library's workers, which are dealt to these as it happens: they stay as they were.
DealtLoops dealtLoops(const LogicalThreads &logical, const StrandChanges &changes,
                      const std::set<uint64_t> &owned, uint32_t had);

} // namespace quincunx
