// Who calls whom in a program of one or several images, by name, and in which order callees can be
// composed into callers. It knows no counts; whom calls through pointers may call it is told.
// Reference: docs/07-calls.md.
#pragma once

#include "quincunx/map/Map.h"

#include <cstdint>
#include <vector>

namespace quincunx {

/// A call of an instrumented function. Numbers are those of CallGraph::functions.
struct CallSite {
  uint32_t block = 0; ///< of the caller
  uint32_t callee = 0;
  uint32_t scope = 0; ///< of the caller
};

/// A call through a pointer, which calls one of several functions.
struct PointerSite {
  uint32_t block = 0; ///< of the caller
  std::vector<uint32_t> callees;
};

struct CallGraph {
  /// `maps` must outlive it. A name means a function of the caller's image, where it has one (of
  /// several, which are local to their files, that of the caller's file); else one of another
  /// image, if there is just one.
  explicit CallGraph(const std::vector<Map> &maps);

  std::vector<const Function *> functions;        ///< of all maps, in their order
  std::vector<uint32_t> imageOf;                  ///< parallel: index of the map
  std::vector<std::vector<CallSite>> calls;       ///< parallel
  std::vector<std::vector<PointerSite>> pointers; ///< parallel; none before setPointers()
  /// Parallel: calls that start threads, and what runs in these. They are no calls of it.
  std::vector<std::vector<CallSite>> starts;
  /// Functions that call each other, directly or not, together; callees before callers.
  std::vector<std::vector<uint32_t>> components;
  std::vector<bool> recursive;       ///< parallel to components
  std::vector<uint32_t> componentOf; ///< parallel to functions

  uint32_t numberOf(uint32_t map, uint32_t function) const { return first[map] + function; }
  /// The inverse: index in its map.
  uint32_t indexOf(uint32_t number) const { return number - first[imageOf[number]]; }

  /// `sites`: parallel to functions. Sets components anew.
  void setPointers(std::vector<std::vector<PointerSite>> sites);

private:
  void findComponents();
  std::vector<uint32_t> first; ///< per map
};

} // namespace quincunx
