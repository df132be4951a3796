// How well one half of a corpus predicts the other, by the default estimate and by every model that
// applies, beside what a perfect estimator would show. Reference: docs/14-how-far-to-trust-it.md.
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

struct Prediction {
  std::string estimator;
  std::string why;  ///< not empty: it does not apply, for this reason
  Shown inSample{}; ///< relative errors on the runs it was made from
  Shown heldOut{};  ///< on the others
};

struct Validation {
  std::string machine, unit;
  std::string request;                ///< the marked function; empty: these are runs
  uint64_t profiled = 0, heldOut = 0; ///< runs
  Shown truth{};                      ///< of the runs held out
  /// What a perfect estimator would show: the root mean square over 1000 pairs of bootstrap samples
  /// of these sizes of the difference of the two, relative to the second.
  Shown floor{};
  std::vector<Prediction> predictions; ///< the default estimate first
  std::vector<Note> notes;
};

/// Every second finished run is held out, in the order of their identities, which are random
/// (requests: in the order in which they were kept); the same corpus is always divided alike. An
/// error when there are less than four.
Result<Validation> validate(const RunSource &source, const Machine &machine);

} // namespace quincunx
