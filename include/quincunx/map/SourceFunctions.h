// The functions of the source that the code of maps came from: those that were compiled, those that
// were inlined wherever they are called, and groups of both. It counts and prices nothing.
#pragma once

#include "quincunx/map/Map.h"

#include <cstdint>
#include <span>
#include <vector>

namespace quincunx {

class SourceFunctions {
public:
  /// `maps` must outlive it. `inlined`: false leaves all code to the functions that were compiled.
  SourceFunctions(const std::vector<Map> &maps, bool inlined);

  /// Numbers over all maps: those of a map follow each other, as its functions do, behind these are
  /// the ones that were inlined everywhere, and then its groups.
  size_t first(size_t map) const { return starts[map]; }
  size_t firstGroup(size_t map) const { return groupStarts[map]; }
  size_t size() const { return starts.back(); }
  size_t mapOf(size_t number) const;
  /// What the code of a scope is of.
  size_t of(size_t map, size_t function, uint32_t scope) const;

  /// Where it begins: a function, and one of its scopes.
  struct Origin {
    const Function *function = nullptr;
    uint32_t scope = 0;
    bool inlined = false; ///< code of it is in other functions
    const Scope &own() const { return function->scopes[scope]; }
  };
  /// Of a group: of its first member.
  const Origin &origin(size_t number) const { return origins[number]; }

  static constexpr size_t none = SIZE_MAX;
  /// The group of a function; none: it is in no group, or is one.
  size_t groupOf(size_t number) const { return groups[number]; }
  /// Of a group, ascending; nothing of a function.
  std::span<const size_t> members(size_t number) const { return membersOf[number]; }

private:
  void add(const Map &map, bool inlined);
  void addGroups(const Map &map, size_t from);

  std::vector<size_t> starts, groupStarts;
  std::vector<Origin> origins;
  std::vector<std::vector<std::vector<size_t>>> numbers; ///< per map, function and scope
  std::vector<size_t> groups;                            ///< per number
  std::vector<std::vector<size_t>> membersOf;            ///< per number
};

} // namespace quincunx
