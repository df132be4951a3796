// How well one half of a corpus predicts the other, over many splits, by the default estimate and
// by every model that applies, beside what a perfect estimator would show. Reference:
// docs/14-how-far-to-trust-it.md.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/Note.h"
#include "quincunx/estimate/RunSource.h"

#include <array>
#include <string>
#include <vector>

namespace quincunx {

/// mean, standard deviation, p50, p90, p99.
using Shown = std::array<double, 5>;
extern const std::array<const char *, 5> shownNames;

/// Relative errors over splits: their mean, and their standard deviation from split to split.
struct OverSplits {
  Shown mean{}, spread{};
};

struct Prediction {
  std::string estimator;
  std::string why;     ///< not empty: it does not apply, for this reason
  OverSplits inSample; ///< errors on the runs it was made from
  OverSplits heldOut;  ///< on the others
};

struct Validation {
  std::string machine, unit;
  std::string request; ///< the marked function; empty: these are runs
  uint64_t splits = 0;
  uint64_t profiled = 0, heldOut = 0; ///< runs, in each split
  Shown truth{};                      ///< of all runs
  /// What a perfect estimator would show: the root mean square over 1000 pairs of bootstrap samples
  /// of these sizes of the difference of the two, relative to the second.
  Shown floor{};
  std::vector<Prediction> predictions; ///< the default estimate first
  std::vector<Note> notes;
};

/// Halves of the finished runs (or requests) are drawn at random, with a fixed seed, from runs in
/// an order by what they cost and counted: equal data give equal answers, whatever runs are called.
/// An error when there are less than four.
Result<Validation> validate(const RunSource &source, const Machine &machine);

} // namespace quincunx
