// Maps of which nothing is known but the flow.
#pragma once

#include "quincunx/map/Map.h"
#include "quincunx/map/SourceBlock.h"

namespace quincunx::test {

inline std::vector<MapSources> unknownSources(const std::vector<Map> &maps) {
  std::vector<MapSources> all;
  for (const Map &m : maps)
    all.emplace_back(m.functions.size());
  return all;
}

} // namespace quincunx::test
