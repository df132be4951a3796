// Writes expressions as trees of the language.
#pragma once

#include "Algebra.h"

#include <set>

namespace quincunx::pamela {

/// `taken`: names that indices must not hide. Parts that occur several times are shared.
Tree toTree(const Algebra &all, Id e, const std::set<std::string> &taken);

} // namespace quincunx::pamela
