// What functions make with all that they call, and the heaviest way of calls. How it is found:
// lib/estimate/explain/TotalShares.h. Reference: docs/18-why-runs-differ.md.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace quincunx {

/// Of the total cost of a function: its own, and that of all that runs while it does. Recursion is
/// counted once. They do not add up: what a function makes, its callers make, too.
struct TotalShares {
  double variance = 0; ///< Cov(total, T) / Var[T], what is random within runs included
  double tail = 0;     ///< of the difference of the tail and the others
  double mean = 0;
  bool isRecorded = false; ///< else each call of what it calls is taken as the average of its run
};

struct CallStep {
  size_t function = 0; ///< of Explained::functions
  double variance = 0; ///< of that between runs, made by calls that come this way
};

struct ExplainedTotals {
  /// Parallel to Explained::functions; empty: not known.
  std::vector<std::optional<TotalShares>> functions;
  std::vector<CallStep>
      path; ///< from main on, each callee with at least half of its caller's share
  /// Recorded in the units of the build; by these prices in proportion to what counts make of both.
  bool isConverted = false;
  double callbacks = 0; ///< share of the mean that nobody in the program called: under main alone
  /// Runs whose calls contradict each other: what pointers call is under main alone, too,
  /// where it was not recorded.
  size_t unsolved = 0;
};

} // namespace quincunx
