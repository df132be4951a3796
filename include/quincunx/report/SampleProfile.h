// LLVM's sample profile, as text: for clang's -fprofile-sample-use and for llvm-profdata.
// Reference: docs/23-exports.md. Code of one line can be told apart where it was compiled with
// -fdebug-info-for-profiling.
#pragma once

#include "quincunx/estimate/InlineCounts.h"

#include <iosfwd>

namespace quincunx {

/// Functions with a name that the format cannot hold are left out.
void printSampleProfile(const std::map<std::string, InlineCounts> &functions, std::ostream &out);

} // namespace quincunx
