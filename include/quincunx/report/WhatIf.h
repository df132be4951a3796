// Answers to "what if": a table before and after for people, the same at full precision for
// programs. It computes nothing that is not in the answer. Reference: docs/17-what-if.md.
#pragma once

#include "quincunx/estimate/WhatIf.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <string>

namespace quincunx {

void printWhatIf(const WhatIfAnswer &a, const Display &display, std::ostream &out);
/// `corpus` is the path as the reader gave it.
Status printWhatIfJson(const WhatIfAnswer &a, const std::string &corpus, std::ostream &out);

} // namespace quincunx
