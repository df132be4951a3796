// A function of a module: its map, and what its blocks are called there.
#pragma once

#include "quincunx/map/Map.h"

#include <string>
#include <vector>

namespace quincunx {

struct MappedFunction {
  Function map;
  /// What blocks are called in the IR ("%entry"), parallel to the map's; empty where it is only
  /// known what was recorded.
  std::vector<std::string> labels;
};

} // namespace quincunx
