// Private to lib/pamela: what closed forms take for granted, as text.
#pragma once

#include "Algebra.h"

#include <set>

namespace quincunx::pamela {

std::vector<std::string> describeAssumptions(const Algebra &all,
                                             const std::set<std::string> &names);

} // namespace quincunx::pamela
