// Columns of costs, one number per run and function.
// The idea: runs wait in one block of memory and go to the columns of their functions so many at a
// time: going from column to column for every run would miss the caches each time. A program has
// thousands of functions, of which a run enters hundreds.
#include "PerFunctionCosts.h"

#include <algorithm>

namespace quincunx {

namespace {
constexpr size_t pendingRuns = 16;
} // namespace

PerFunctionCosts::PerFunctionCosts(size_t first, size_t last, bool constant, size_t expectedRuns)
    : from(std::min(first, last)), to(last), fields(constant ? 3 : 6), expected(expectedRuns),
      kept(to - from), pending(kept.size() * fields * pendingRuns), dirty(kept.size()) {}

void PerFunctionCosts::add(size_t function, size_t run, const FunctionCost &cost, double weight) {
  if (!has(function))
    return;
  const size_t f = function - from;
  double *slot = &pending[f * fields * pendingRuns + run % pendingRuns];
  const double values[] = {cost.k.k1, cost.calls, cost.bytes, cost.k.k2, cost.k.k3, cost.k.k4};
  for (size_t i = 0; i < fields; ++i)
    slot[i * pendingRuns] += values[i];
  dirty[f] = true;
  if (cost.uncertain()) {
    kept[f].below += weight * (cost.k.k1 - cost.low);
    kept[f].above += weight * (cost.high - cost.k.k1);
  }
}

void PerFunctionCosts::addTotal(size_t function, const FunctionCost &sum) {
  if (!has(function))
    return;
  kept[function - from].total += sum.k.k1;
  kept[function - from].calls += sum.calls;
  kept[function - from].bytes += sum.bytes;
}

void PerFunctionCosts::endRun(size_t run) {
  if ((run + 1) % pendingRuns == 0)
    flush(run);
}

void PerFunctionCosts::finish(size_t run) { flush(run); }

/// Moves the pending runs, of which `run` is the last, to the columns.
void PerFunctionCosts::flush(size_t run) {
  const size_t first = run - run % pendingRuns;
  for (size_t f = 0; f < kept.size(); ++f) {
    if (!dirty[f])
      continue;
    dirty[f] = false;
    double *slot = &pending[f * fields * pendingRuns];
    for (size_t i = 0; i < fields; ++i)
      kept[f].columns[i].setAll(first, slot + i * pendingRuns, run - first + 1, expected);
    std::fill_n(slot, fields * pendingRuns, 0.0);
  }
}

} // namespace quincunx
