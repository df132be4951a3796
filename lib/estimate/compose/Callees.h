// What a function calls and starts, as parts of its tree.
#pragma once

#include "quincunx/estimate/Modelled.h"

namespace quincunx {

/// Of function `number`; `executed`, `composition`, `options` as of compose(). Of each alone nobody
/// knows how many threads there are: each fork is one.
std::vector<ModelledCall> calleesOf(const CallGraph &graph,
                                    std::span<const ExecutionCounts> executed,
                                    const Composition &composition, uint32_t number,
                                    const ComposeOptions &options = {});

} // namespace quincunx
