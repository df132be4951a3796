// Whether a model means something: names that are defined, once, with as many arguments as they are
// given, of the kind that their place asks for, and not by themselves.
// Reference: docs/12-pamela.md, "Names and kinds". It knows no values.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Ast.h"

#include <vector>

namespace quincunx::pamela {

/// What is wrong with it, file by file in the order of places; empty when nothing is. At most 20. A
/// formal argument is of the kind that its uses ask for. Indices and formal arguments hide
/// definitions and each other.
std::vector<Error> check(const Model &model);

} // namespace quincunx::pamela
