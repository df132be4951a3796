// Functions of the source that a reader takes for one: code of headers that was compiled by itself,
// instances of a template. It decides nothing about which these are.
#pragma once

#include "quincunx/map/Map.h"

#include <functional>
#include <string>

namespace quincunx {

/// What the function of a scope, in a file of that path, is shown as a part of; no name: of itself.
using GroupOf = std::function<FunctionGroup(const Scope &own, const std::string &path)>;

/// Sets Scope::group and Map::groups. Those of which `groupOf` says one name are a group of their
/// map.
void groupFunctions(std::vector<Map> &maps, const GroupOf &groupOf);

} // namespace quincunx
