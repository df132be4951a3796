// The functions of the source that the code of maps came from: those that were compiled, and those
// that were inlined wherever they are called. It counts and prices nothing.
#pragma once

#include "quincunx/map/Map.h"

#include <vector>

namespace quincunx {

class SourceFunctions {
public:
  /// `maps` must outlive it. `inlined`: false leaves all code to the functions that were compiled.
  SourceFunctions(const std::vector<Map> &maps, bool inlined);

  /// Numbers over all maps: those of a map follow each other, as its functions do, and behind these
  /// are the ones that were inlined everywhere.
  size_t first(size_t map) const { return starts[map]; }
  size_t size() const { return starts.back(); }
  /// What the code of a scope is of.
  size_t of(size_t map, size_t function, uint32_t scope) const;

  /// Where it begins: a function, and one of its scopes.
  struct Origin {
    const Function *function = nullptr;
    uint32_t scope = 0;
    bool inlined = false; ///< code of it is in other functions
    const Scope &own() const { return function->scopes[scope]; }
  };
  const Origin &origin(size_t number) const { return origins[number]; }

private:
  void add(const Map &map, bool inlined);

  std::vector<size_t> starts;
  std::vector<Origin> origins;
  std::vector<std::vector<std::vector<size_t>>> numbers; ///< per map, function and scope
};

} // namespace quincunx
