// Sums over calls that were recorded while the program ran, each with all it called (record=calls).
#pragma once

#include "CallCounts.h"

#include <vector>

namespace quincunx {

/// What the clock behind recorded calls charged per class, in all images that ran; empty: nothing
/// of use was recorded, or images differ, so that sums of one hold what another charged otherwise.
std::vector<ClassCount> recordingClock(const CountMatrix &matrix, const std::vector<Map> &maps);

/// What each block of a function costs by such a clock.
std::vector<double> clockCosts(const Function &function, const std::vector<ClassCount> &clock);

/// Per run: how often function `f` of the matrix ended the program, or threw, in itself.
std::vector<double> stopsOf(const CountMatrix &matrix, size_t f, const Function &function,
                            const FlowSolver &flow);

/// Per run: frames of function `f` of the matrix that ended inside a call that never returned;
/// empty: none ever.
std::vector<double> framesLost(const CountMatrix &matrix, size_t f, const FlowSolver &flow);

/// Per function of the matrix and run: may a frame of it, or of what may be called under it, have
/// been lost? What that frame had used up is in no sum over calls above it. Empty: none ever was.
std::vector<std::vector<bool>> losesUnder(const CountMatrix &matrix, const std::vector<Map> &maps,
                                          const CallCounts &calls);

} // namespace quincunx
