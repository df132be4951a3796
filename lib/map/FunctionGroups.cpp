// Puts functions of the source together. The idea: what a function is depends on its name and where
// it stands; scopes of one function come again and again, and it is asked once for each.
#include "quincunx/map/FunctionGroups.h"

#include <map>
#include <string_view>
#include <tuple>

namespace quincunx {

namespace {

/// Knows the groups of one map.
class Grouping {
public:
  Grouping(Map &of, const GroupOf &groupOf) : map(of), ask(groupOf) {}

  void group(Scope &s, const Function &f) {
    if (s.line == 0 || s.file >= f.files.size())
      return;
    const std::string &path = f.files[s.file].path;
    const auto [at, fresh] = known.try_emplace({s.function, path, s.line}, noIndex);
    if (fresh)
      at->second = numberOf(ask(s, path));
    s.group = at->second;
  }

private:
  uint32_t numberOf(const FunctionGroup &group) {
    if (group.name.empty())
      return noIndex;
    const auto [at, fresh] =
        numbers.try_emplace(group.name, static_cast<uint32_t>(map.groups.size()));
    if (fresh)
      map.groups.push_back(group);
    return at->second;
  }

  Map &map;
  const GroupOf &ask;
  std::map<std::tuple<std::string_view, std::string_view, uint32_t>, uint32_t> known;
  std::map<std::string, uint32_t> numbers;
};

} // namespace

void groupFunctions(std::vector<Map> &maps, const GroupOf &groupOf) {
  for (Map &map : maps) {
    Grouping grouping(map, groupOf);
    for (Function &f : map.functions)
      for (Scope &s : f.scopes)
        grouping.group(s, f);
  }
}

} // namespace quincunx
