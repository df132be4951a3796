// What would happen if: the runs of a corpus with other costs, another machine or another mix of
// inputs, beside what they were, and how far the difference can be trusted. Costs, machines,
// callees and mixes are exact on the counts: nothing is assumed about the flow of the program.
// Reference: docs/17-what-if.md. It runs nothing and guesses no names.
#pragma once

#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Change.h"
#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/Growth.h"
#include "quincunx/estimate/NameReader.h"
#include "quincunx/estimate/Note.h"

#include <optional>
#include <string>
#include <vector>

namespace quincunx {

struct WhatIfOptions : NameReader {
  std::vector<double> percentiles{0.5, 0.9, 0.99};
  std::string variable;       ///< of a sweep; empty: one answer
  std::vector<double> points; ///< values of the variable
  std::string otherVariable;  ///< of a second sweep, at each value of which there is a first one
  std::vector<double> otherPoints;
  /// Outcomes of branches change within runs, whatever these differ in.
  bool withinRuns = false;
  std::string observed = "run"; ///< what the rows of the matrix are: runs, or requests
};

struct Compared {
  std::string name; ///< "p50", "p99.9", "mean", "sd"
  IntervalEstimate before, after, difference;
  /// After, if what is outside of the loops whose trips change goes along with them as it does
  /// from run to run; the intervals hold it. Nothing where it does not.
  std::optional<double> along;
};

struct SweepPoint {
  double x = 0;
  std::vector<double> after; ///< parallel to WhatIfAnswer::figures
  double y = 0;              ///< value of the other variable
};

struct WhatIfAnswer {
  std::string machine, unit;           ///< before
  std::string otherMachine, otherUnit; ///< after
  uint64_t finished = 0, censored = 0, crashed = 0, unrecorded = 0;
  double afterRuns = 0; ///< as many equal runs would tell as much about what is after
  std::vector<AppliedChange> changes;
  std::vector<Compared> figures;       ///< of a sweep only `before` is filled
  std::string grows;                   ///< the feature of which the size changes; empty: none
  Growth growth;                       ///< how the hottest loops grow with it
  std::string variable, otherVariable; ///< of sweeps; empty: none
  std::vector<SweepPoint> points;      ///< those of one value of the other variable together
  std::vector<Note> notes;
  /// Where requests take the place of runs: the marked function (linkage name; empty: these are
  /// runs).
  std::string request;
};

/// `costs` are those of `machine`. Errors: a name that means nothing or several things, a variable
/// without a sweep, a change that the corpus cannot answer.
Result<WhatIfAnswer> whatIf(BlockCosts costs, const Machine &machine,
                            const std::vector<Change> &changes, const WhatIfOptions &options);

} // namespace quincunx
