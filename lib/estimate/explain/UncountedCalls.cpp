// What the program calls that was not counted.
// The idea: a call happens as often as its block executes, in the mean as in a run. What it costs
// is not known here: machines may price it (price/LibraryCosts).
#include "UncountedCalls.h"

#include "estimate/price/LibraryFunctions.h"

#include <algorithm>

namespace quincunx {

std::vector<UncountedCall> uncountedCalls(const BlockCosts &costs, const Attribution &parts,
                                          std::span<const double> meanCounts) {
  const LibraryFunctions library(costs.maps());
  std::map<std::string, UncountedCall> found;
  std::map<std::string, double> most; // from one function
  for (size_t f = 0; f < costs.matrix().functions.size(); ++f) {
    const FlowValues flow = parts.flow(f, meanCounts);
    std::map<std::string, double> own;
    for (const Call &call : costs.function(f).calls)
      if (library.numberOf(call.callee) != noIndex)
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
