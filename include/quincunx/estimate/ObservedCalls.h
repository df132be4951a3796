// The cost of single calls: for every function the distribution over all its calls in all runs,
// each with what it called, from what record=calls kept. Reference: docs/07-calls.md.
#pragma once

#include "quincunx/estimate/Note.h"
#include "quincunx/estimate/Observed.h"

namespace quincunx {

struct ObservedCalls {
  std::string machine, unit;
  uint64_t runs = 0; ///< used
  /// With calls that ended, in the order of maps and functions. `cost` is that of a call, `calls`
  /// are per run. Intervals of percentiles and of the deviation say what buckets leave open, for
  /// certain. Where the program was sampled, `spread` says how well their times are known, and
  /// intervals of the mean and of percentiles are 90 % of that on top; they say nothing of calls
  /// to come, since those of one run are not independent.
  std::vector<FunctionFigures> functions;
  std::vector<std::string> slowest; ///< parallel: label of the run with the dearest call
  std::vector<uint64_t> cut;        ///< parallel: calls that may have cost more (docs/07-calls.md)
  std::vector<Note> notes;

  /// Of `f`, a function of map `image`; null: none of its calls were measured.
  const FunctionFigures *of(const Function &f, size_t image) const;
};

/// By other prices than those of the build: an error, or an estimate with a note that says so.
enum class OtherPrices : uint8_t { refused, estimated };
/// An error when nothing was recorded.
Result<ObservedCalls> observeCalls(const Corpus &corpus, const Machine &machine,
                                   OtherPrices others = OtherPrices::refused);

} // namespace quincunx
