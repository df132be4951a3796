// What is said of inputs, in words.
#pragma once

#include "quincunx/estimate/Explained.h"
#include "quincunx/report/Display.h"

#include <string>

namespace quincunx {

/// "type = 7 and n >= 300"; empty: everywhere.
std::string conditionText(const InputEffect &effect);
/// "cost x 8.1", "n to the power 1.98", "cost x 1.6 for each 1 more of depth".
std::string effectText(const InputEffect &effect);
/// Why runs differ, in one sentence.
std::string verdict(const Explained &e, const Display &display);

} // namespace quincunx
