// Which counted runs were timed: inputs of both belong together by label, arguments and standard
// input.
#pragma once

#include "quincunx/estimate/Calibrate.h"
#include "quincunx/estimate/InputTimes.h"
#include "quincunx/profile/Corpus.h"

namespace quincunx {

struct TimedRuns {
  std::vector<TimedRun> runs;      ///< one per input; of several runs of an input the first
  std::vector<SampledRun> sampled; ///< one per input that was sampled
  size_t uncounted = 0;            ///< timed inputs of which no finished run was counted
  size_t untimed = 0;              ///< finished runs of inputs that were not timed
};

/// `matrix`: of the runs of `corpus`.
Result<TimedRuns> timedRuns(const Corpus &corpus, const CountMatrix &matrix,
                            const InputTimes &timed);

/// How well the times are known.
Stopwatch stopwatchOf(const InputTimes &timed);

} // namespace quincunx
