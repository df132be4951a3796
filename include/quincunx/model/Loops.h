// What belongs to a loop of a map. It knows no counts.
#pragma once

#include "quincunx/map/Map.h"

#include <vector>

namespace quincunx {

/// Per block, whether it is in the loop: those from which its back edges are reached without
/// passing its header.
std::vector<bool> bodyOf(const Function &f, const Loop &loop);
/// bodyOf() all loops of the function.
std::vector<std::vector<bool>> bodiesOf(const Function &f);

/// Is the branch the condition of a loop, in its header or where it ends? What it decides is the
/// loop's trips. `bodies`: of all loops.
bool isLoopCondition(const Function &f, const Branch &b,
                     const std::vector<std::vector<bool>> &bodies);

} // namespace quincunx
