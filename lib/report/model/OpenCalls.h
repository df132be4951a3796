// What cannot be said of calls through pointers.
#pragma once

#include "quincunx/report/Model.h"

#include <span>
#include <string>

namespace quincunx {

/// Why a mean is open, in a sentence.
std::string openCalls(const CallGraph &graph, const OpenCalls &open, const Display &display);

/// Of those of `rows` (numbers of the model's functions) of which the mean is open, between what it
/// is.
void printOpenCalls(const ModelReport &m, std::span<const size_t> rows, const Display &display,
                    std::ostream &out);

} // namespace quincunx
