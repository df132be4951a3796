// Which figures of a model its assumption of independence does not carry. Reference:
// docs/07-calls.md.
#pragma once

#include "CallDispersions.h"
#include "quincunx/estimate/Modelled.h"

namespace quincunx {

/// Sets ModelledFunction::refuted. `perRun`: each run was composed by itself.
void judgeIndependence(Modelled &model, const CallGraph &graph,
                       std::span<const ExecutionCounts> executed, const Composition &composition,
                       const CallDispersions &dispersions, bool perRun);

} // namespace quincunx
