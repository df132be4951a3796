// Code of others: what headers of the system, or files that a reader names, hold of a function's
// body. A reader asks for the lines that he wrote, and code of others stands where these call it.
// It does not look into the file system.
#pragma once

#include "quincunx/map/Map.h"
#include "quincunx/map/SourceBlock.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

/// Does the path, as maps have it, lie in a folder of headers that come with compilers and systems?
bool isSystemHeader(std::string_view path);

using IsForeign = std::function<bool(const std::string &path)>;

/// Moves every place in a foreign file to the place in the innermost function around it that is not
/// foreign, where the code is called (Location::called). Where all functions around it are, that is
/// the one that was compiled. Scopes stay as they are.
void foldForeign(std::vector<Map> &maps, const IsForeign &isForeign);
/// Takes the same places out of `sources`, which are of the same maps: how often foreign code is
/// executed says nothing of the lines that call it.
void foldForeign(std::vector<MapSources> &sources, const std::vector<Map> &maps,
                 const IsForeign &isForeign);

} // namespace quincunx
