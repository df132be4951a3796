// The source files that functions of a program come from, and which of them a reader means by a
// path. It does not look into the file system.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/map/Map.h"

#include <string>
#include <vector>

namespace quincunx {

/// The distinct sources of functions in the maps, ordered by path; a path stands once per version.
std::vector<SourceFile> sourceFiles(const std::vector<Map> &maps);

/// The path in `sources` that `path` means: the one that agrees with it in most trailing
/// components, at least in the file's name. Errors: several agree equally (they are listed), none
/// does (the nearest is named).
Result<std::string> matchSource(const std::string &path, const std::vector<SourceFile> &sources);

} // namespace quincunx
