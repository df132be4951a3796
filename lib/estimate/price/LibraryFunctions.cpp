// Finds what a program calls and no map has.
// The idea: the map has the names that calls mention; a name that no map has a function of was
// compiled elsewhere. Calls through pointers have no names and are not in it, and neither are
// copies and fills of memory that the compiler knows (class `memory`), which may become
// instructions.
#include "LibraryFunctions.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace quincunx {

LibraryFunctions::LibraryFunctions(const std::vector<Map> &maps) {
  std::set<std::string_view> counted, called;
  for (const Map &map : maps)
    for (const Function &f : map.functions) {
      counted.insert(f.name);
      for (const Call &call : f.calls)
        if (!call.callee.empty())
          called.insert(call.callee);
    }
  for (const std::string_view name : called)
    if (!counted.contains(name))
      all.emplace_back(name);
}

uint32_t LibraryFunctions::numberOf(const std::string &callee) const {
  const auto at = std::lower_bound(all.begin(), all.end(), callee);
  return at != all.end() && *at == callee ? static_cast<uint32_t>(at - all.begin()) : noIndex;
}

} // namespace quincunx
