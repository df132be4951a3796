// What functions cost in each run, kept for those in a range. It draws no conclusion.
#pragma once

#include "estimate/price/PricedMap.h"
#include "quincunx/estimate/Column.h"

#include <array>
#include <vector>

namespace quincunx {

/// What is kept of a function: per run k1, calls and bytes, and k2, k3, k4 where costs are random.
struct FunctionColumns {
  std::array<Column, 6> columns;
  double below = 0, above = 0;            ///< of k1 over all runs, because counts are intervals
  double total = 0, calls = 0, bytes = 0; ///< over all requests, where that is known
  bool ran() const { return !columns[0].empty() || !columns[1].empty() || calls != 0; }
};

/// The functions `first` <= f < `last`, by their number (SourceFunctions).
class PerFunctionCosts {
public:
  /// `constant`: blocks have constant costs. `expectedRuns` is only a hint.
  PerFunctionCosts(size_t first, size_t last, bool constant, size_t expectedRuns);
  bool has(size_t function) const { return function >= from && function < to; }
  const FunctionColumns &of(size_t function) const { return kept[function - from]; }
  /// Keeps what a function cost in a run, with what it is told to have cost before; runs come in
  /// ascending order.
  void add(size_t function, size_t run, const FunctionCost &cost, double weight);
  /// Adds what a function cost over many requests together.
  void addTotal(size_t function, const FunctionCost &sum);
  /// Says that all functions of run `run` were added.
  void endRun(size_t run);
  /// Says that `run` was the last.
  void finish(size_t run);

private:
  void flush(size_t run);

  size_t from, to, fields, expected;
  std::vector<FunctionColumns> kept;
  std::vector<double> pending; ///< functions x fields x pending runs
  std::vector<bool> dirty;     ///< functions with pending runs
};

} // namespace quincunx
