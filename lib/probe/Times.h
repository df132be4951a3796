// Times of loops, batch by batch, and the costs that follow from them.
// The idea: a loop is known by its function, so Probes.def is the only list of names. It holds no
// clock.
#pragma once

#include "Loops.h"
#include "quincunx/probe/Probe.h"

#include <map>

namespace quincunx::probe {

using Loop = uint64_t (*)(Workspace &, uint64_t);

/// What one execution takes, for each loop and batch; a loop that is not possible has none.
using Times = std::map<Loop, std::vector<Use>>;

/// All loops, in the order of Probes.def.
std::vector<Loop> allLoops();
/// The costs of Probes.def, where all of their loops have times.
std::vector<ProbedCost> costsOf(const Times &times, unsigned batches);

} // namespace quincunx::probe
