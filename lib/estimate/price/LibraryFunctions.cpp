// Finds what a program calls and no map has.
// The idea: the map has the names that calls mention; a name that no map has a function of was
// compiled elsewhere. Calls through pointers have no names and are not in it.
#include "LibraryFunctions.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace quincunx {

LibraryFunctions::LibraryFunctions(const std::vector<Map> &maps) {
  struct Called {
    ByteSource bytes = ByteSource::none;
    std::set<std::string> written;
  };
  std::set<std::string_view> counted;
  std::map<std::string_view, Called> called;
  for (const Map &map : maps)
    for (const Function &f : map.functions) {
      counted.insert(f.name);
      for (const Call &call : f.calls) {
        if (call.callee.empty())
          continue;
        const auto [at, isNew] = called.try_emplace(call.callee, Called{call.bytes, {}});
        if (!isNew && at->second.bytes != call.bytes)
          at->second.bytes = ByteSource::none;
        if (!call.written.empty())
          at->second.written.insert(call.written);
      }
    }
  for (const auto &[name, calls] : called)
    if (!counted.contains(name)) {
      all.emplace_back(name);
      byteSources.push_back(calls.bytes);
      writtenAs.emplace_back(calls.written.begin(), calls.written.end());
    }
}

uint32_t LibraryFunctions::numberOf(const std::string &callee) const {
  const auto at = std::lower_bound(all.begin(), all.end(), callee);
  return at != all.end() && *at == callee ? static_cast<uint32_t>(at - all.begin()) : noIndex;
}

} // namespace quincunx
