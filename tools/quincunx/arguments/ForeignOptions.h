// Which code is of others, as --headers and --foreign say: it is told of as part of the lines that
// call it.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/map/Foreign.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace quincunx::tool {

struct ForeignOptions {
  bool headers = false;              ///< none is
  std::vector<std::string> patterns; ///< besides headers of the system: files by their paths
};

void addForeignOptions(CLI::App &verb, ForeignOptions &options);
/// Files that a reader names (SourceFiles.h, matchSource()) are not foreign.
Result<IsForeign> foreignFiles(const ForeignOptions &options, const std::vector<Map> &maps,
                               const std::vector<std::string> &named);

} // namespace quincunx::tool
