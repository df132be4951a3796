// What the program calls that was not counted.
// The idea: the map has the names that calls mention, and a call happens as often as its block
// executes; a name that no map has a function of was compiled elsewhere. What such a call costs is
// not known: machines may price it. Calls through pointers have no names and are not in it.
#include "UncountedCalls.h"

#include <algorithm>
#include <set>

namespace quincunx {

std::vector<UncountedCall> uncountedCalls(const BlockCosts &costs, const Attribution &parts,
                                          std::span<const double> meanCounts) {
  std::set<std::string_view> counted;
  for (const Map &map : costs.maps())
    for (const Function &f : map.functions)
      counted.insert(f.name);
  std::map<std::string, UncountedCall> found;
  std::map<std::string, double> most; // from one function
  for (size_t f = 0; f < costs.matrix().functions.size(); ++f) {
    const FlowValues flow = parts.flow(f, meanCounts);
    std::map<std::string, double> own;
    for (const Call &call : costs.function(f).calls)
      if (!call.callee.empty() && !counted.contains(call.callee))
        own[call.callee] += flow.blocks[call.block];
    for (const auto &[name, calls] : own) {
      UncountedCall &all = found[name];
      all.name = name;
      all.calls += calls;
      if (calls > most[name]) {
        most[name] = calls;
        all.caller = f;
      }
    }
  }
  std::vector<UncountedCall> out;
  for (const auto &[name, call] : found)
    if (call.calls > 0)
      out.push_back(call);
  std::stable_sort(out.begin(), out.end(), [](const UncountedCall &a, const UncountedCall &b) {
    return a.calls > b.calls;
  });
  return out;
}

} // namespace quincunx
