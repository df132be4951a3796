// What is done once, by who comes first (call_once, variables in functions), among other waits.
#pragma once

#include "quincunx/strands/Events.h"

#include <optional>

namespace quincunx {

/// The same without its events within loops that teams share, if there is any: iterations work and
/// have locks, so that they can be dealt anew, whoever of them came first where something was done
/// once. `serial`: also from the first to the last of the loops that one thread goes through.
std::optional<ProcessStrands> withoutOnceInLoops(const ProcessStrands &strands, bool serial);

} // namespace quincunx
