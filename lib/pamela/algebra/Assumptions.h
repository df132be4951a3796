// The assumptions of closed forms, as text.
#pragma once

#include "Algebra.h"

#include <set>

namespace quincunx::pamela {

std::vector<std::string> describeAssumptions(const Algebra &all,
                                             const std::set<std::string> &names);

} // namespace quincunx::pamela
