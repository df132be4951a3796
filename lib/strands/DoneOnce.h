// What is done once, by who comes first (call_once, variables in functions), among other waits.
#pragma once

#include "quincunx/strands/Events.h"

#include <optional>
#include <utility>
#include <vector>

namespace quincunx {

/// The same without its events within loops that teams share, if there is any: iterations work and
/// have locks, so that they can be dealt anew, whoever of them came first where something was done
/// once. `serial`: also from the first to the last of the loops that one thread goes through.
std::optional<ProcessStrands> withoutOnceInLoops(const ProcessStrands &strands, bool serial);

/// What a thread did, and whoever else comes there first could have done.
struct OncePart {
  size_t thread = 0, begin = 0,
         end = 0; ///< from that event to that one, with locks and joins at most
  std::vector<std::pair<size_t, size_t>> others; ///< thread and event: they come there, too
};
std::vector<OncePart> onceParts(const std::vector<StrandThread> &threads);

} // namespace quincunx
