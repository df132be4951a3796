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
  std::map<std::string, std::map<size_t, double>> found; // by the row that calls
  for (size_t f = 0; f < costs.matrix().functions.size(); ++f) {
    const FlowValues flow = parts.flow(f, meanCounts);
    for (const Call &call : costs.function(f).calls)
      if (library.numberOf(call.callee) != noIndex)
        found[call.callee][parts.functions().of(f, call.at.scope)] += flow.blocks[call.block];
  }
  std::vector<UncountedCall> out;
  for (const auto &[name, callers] : found) {
    UncountedCall all{name, 0, 0};
    double most = 0;
    for (const auto &[row, calls] : callers) {
      all.calls += calls;
      if (calls > most) {
        most = calls;
        all.caller = row;
      }
    }
    if (all.calls > 0)
      out.push_back(std::move(all));
  }
  std::stable_sort(out.begin(), out.end(), [](const UncountedCall &a, const UncountedCall &b) {
    return a.calls > b.calls;
  });
  return out;
}

} // namespace quincunx
