// LLVM's sample profile, as text: for clang's -fprofile-sample-use and for llvm-profdata.
// Reference: docs/23-exports.md. Maps have no discriminators: arms of a branch that stand on one
// line cannot be told apart.
#pragma once

#include "quincunx/estimate/InlineCounts.h"

#include <iosfwd>

namespace quincunx {

/// Functions with a name that the format cannot hold are left out.
void printSampleProfile(const std::map<std::string, InlineCounts> &functions, std::ostream &out);

} // namespace quincunx
