// A PAMELA+ model that a verb takes: read from its file, with values of its parameters.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Ast.h"

#include <map>
#include <string>
#include <vector>

namespace quincunx::tool {

/// Parsed and checked; the first thing that is wrong.
Result<pamela::Model> readModel(const std::string &path);
/// Prints the error, and the line that it is about with a caret below the place; the status for it.
int failInModel(const Error &error);
/// Parses "P=128" and so on; `option` is named in errors.
Result<std::map<std::string, double>> parseDefines(const std::vector<std::string> &texts,
                                                   const char *option = "-D");

} // namespace quincunx::tool
