// Whether parameters have values in the ranges that the model says. Reference: docs/12-pamela.md,
// "Assumptions".
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Ast.h"

#include <map>
#include <string>

namespace quincunx::pamela {

/// What to say of a value that is not in the range of its parameter.
std::string outOfRange(const Definition &parameter, double value, bool below, double bound);

/// The first that is not, with the place of the bound. Parameters without a value are left to
/// those who need one. `given`: values in place of those of the model.
Status checkRanges(const Model &model, const std::map<std::string, double> &given);

} // namespace quincunx::pamela
