// The cost of single calls: for every function the distribution over all its calls in all runs,
// each with what it called, from what record=calls kept. Reference: docs/07-calls.md. It models
// nothing, and in no other units than those the program was built with.
#pragma once

#include "quincunx/estimate/Note.h"
#include "quincunx/estimate/Observed.h"

namespace quincunx {

struct ObservedCalls {
  std::string machine, unit;
  uint64_t runs = 0; ///< used
  /// With calls that ended, in the order of maps and functions. `cost` is that of a call, `calls`
  /// are per run. Intervals of percentiles and of the deviation say what buckets leave open, for
  /// certain; there are no trust intervals, since calls of one run are not independent.
  std::vector<FunctionFigures> functions;
  std::vector<std::string> slowest; ///< parallel: label of the run with the dearest call
  std::vector<uint64_t> cut;        ///< parallel: calls that may have cost more (docs/07-calls.md)
  std::vector<Note> notes;

  /// Of `f`, a function of map `image`; null: none of its calls were measured.
  const FunctionFigures *of(const Function &f, size_t image) const;
};

/// An error when nothing was recorded, or not in the units of `machine`.
Result<ObservedCalls> observeCalls(const Corpus &corpus, const Machine &machine);

} // namespace quincunx
