// Functions of the source by what debug locations say of them.
// The idea: a scope is of the function of its name that starts on its line of its file. If a
// function of the map is that one (the first of several copies), code of the scope is of it; else
// all such scopes of the map make a function together. Names alone would mix static functions of
// several files. One function alone is a group only where it is code of others.
#include "quincunx/map/SourceFunctions.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace quincunx {

namespace {

/// Name, file and line.
using Key = std::tuple<std::string_view, std::string_view, uint32_t>;

Key keyOf(const Function &f, const Scope &s) {
  return {s.function, s.file < f.files.size() ? std::string_view(f.files[s.file].path) : "",
          s.line};
}

/// What another file holds of a body has no line, and is of that body.
uint32_t bodyOf(const Function &f, uint32_t scope) {
  while (scope != 0 && f.scopes[scope].line == 0)
    scope = f.scopes[scope].parent;
  return scope;
}

} // namespace

SourceFunctions::SourceFunctions(const std::vector<Map> &maps, bool inlined) {
  for (const Map &map : maps) {
    starts.push_back(origins.size());
    add(map, inlined);
    addGroups(map, starts.back());
  }
  starts.push_back(origins.size());
}

void SourceFunctions::add(const Map &map, bool inlined) {
  std::map<Key, size_t> known;
  const size_t from = origins.size();
  for (const Function &f : map.functions) {
    if (f.scopes[0].line != 0)
      known.try_emplace(keyOf(f, f.scopes[0]), origins.size());
    origins.push_back({&f, 0, false});
  }
  std::vector<std::vector<size_t>> &ofMap = numbers.emplace_back();
  for (size_t i = 0; i < map.functions.size(); ++i) {
    const Function &f = map.functions[i];
    std::vector<size_t> &ofScopes = ofMap.emplace_back(inlined ? f.scopes.size() : 1, from + i);
    for (uint32_t s = 1; s < ofScopes.size(); ++s) {
      const uint32_t body = bodyOf(f, s);
      if (body == 0)
        continue;
      const auto [at, fresh] = known.try_emplace(keyOf(f, f.scopes[body]), origins.size());
      if (fresh)
        origins.push_back({&f, body, true});
      ofScopes[s] = at->second;
      if (at->second != from + i)
        origins[at->second].inlined = true;
    }
  }
}

void SourceFunctions::addGroups(const Map &map, size_t from) {
  std::vector<std::vector<size_t>> all(map.groups.size());
  for (size_t number = from; number < origins.size(); ++number)
    if (const uint32_t group = origins[number].own().group; group != noIndex)
      all[group].push_back(number);
  groupStarts.push_back(origins.size());
  groups.resize(origins.size(), none);
  membersOf.resize(origins.size());
  for (size_t g = 0; g < all.size(); ++g) {
    if (all[g].size() < (map.groups[g].isForeign ? 1 : 2))
      continue;
    for (const size_t member : all[g])
      groups[member] = origins.size();
    groups.push_back(none);
    membersOf.push_back(std::move(all[g]));
    origins.push_back(origins[membersOf.back().front()]);
  }
}

size_t SourceFunctions::mapOf(size_t number) const {
  return static_cast<size_t>(std::ranges::upper_bound(starts, number) - starts.begin()) - 1;
}

size_t SourceFunctions::of(size_t map, size_t function, uint32_t scope) const {
  const std::vector<size_t> &ofScopes = numbers[map][function];
  return scope < ofScopes.size() ? ofScopes[scope] : ofScopes[0];
}

} // namespace quincunx
