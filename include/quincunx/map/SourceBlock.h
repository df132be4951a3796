// Lines of the source by how often they are executed. They stand behind the flow in a function's
// record and are read on their own, as only those who show sources need them.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/map/Location.h"

#include <compare>
#include <vector>

namespace quincunx {

/// Lines that are executed together: those of blocks as the frontend made them, before any of their
/// code was merged or dropped.
struct SourceBlock {
  struct Term {
    uint32_t index = noIndex; ///< of a block, or an edge
    bool isEdge = false;
    bool minus = false; ///< taken off the sum
    auto operator<=>(const Term &) const = default;
  };
  /// Of the flow of the same function; their sum is the count.
  std::vector<Term> terms;
  /// If not, the count is not known, but for this: it is 0 where the sum is (no terms: nowhere).
  bool known = true;
  std::vector<Location> lines; ///< without columns
  bool operator==(const SourceBlock &) const = default;
};

/// Of a function; empty: not known, and lines are those of the flow's blocks.
using SourceBlocks = std::vector<SourceBlock>;
/// Of a map, parallel to Map::functions.
using MapSources = std::vector<SourceBlocks>;

struct RawMap;
Result<MapSources> decodeSources(const RawMap &raw);

} // namespace quincunx
