// What timed runs of the plain program say: how long each input takes, and how good a measurement
// that is. Times are processor times (user and system) of repetitions, of which the least counts:
// what disturbs a program only adds to it. Reference: docs/13-machines.md. It knows no counts and
// predicts nothing.
#pragma once

#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/Note.h"
#include "quincunx/profile/Samples.h"
#include "quincunx/profile/Timing.h"

#include <optional>
#include <string>
#include <vector>

namespace quincunx {

/// One input. Its repetitions are at least one.
struct TimedInput {
  std::string label;
  std::vector<std::string> arguments; ///< empty when not stored
  std::string standardInput;          ///< empty when none or not stored
  double time = 0;                    ///< seconds: the least of its repetitions
  std::optional<double> cycles; ///< in user mode: the least; none unless all repetitions have them
  double spread = 0;            ///< median of its repetitions over `time`, less 1
  size_t repetitions = 0;
  /// Of these, disturbed: above 1.5 times the least, or with more than 2 m + 2 involuntary context
  /// switches, m being the median of the input.
  size_t disturbed = 0;
};

/// How times of the same input change from round to round.
struct Drift {
  double perRound = 0; ///< relative; robust slope over the medians of rounds
  double error = 0;    ///< its standard error; infinite for less than three rounds
  size_t rounds = 0;   ///< from the first to the last
};

/// From fork to the entry point of the program.
struct TimedStartUp {
  double time = 0;   ///< seconds: the least
  double spread = 0; ///< median over that, less 1
  size_t repetitions = 0;
};

/// A run of which the plain program was timed.
struct TimedRun {
  size_t row = 0;  ///< of the count matrix
  double time = 0; ///< ns, above 0
};

/// A run of which executions of the plain program were sampled.
struct SampledRun {
  size_t row = 0; ///< of the count matrix
  size_t executions = 0;
  double cpu = 0, user = 0; ///< seconds, of all of them; `user` by samples: at most `cpu`
  std::map<SampledPlace, uint64_t> samples;
};

/// How well times are known.
struct Stopwatch {
  double noise = 0;              ///< of a time, relative standard deviation
  double resolution = 0;         ///< ns: no time is known better than that
  std::optional<double> startUp; ///< ns, where it was measured
};

struct InputTimes {
  std::vector<TimedInput>
      inputs;             ///< in the order of the timings, those without repetitions left out
  size_t repetitions = 0; ///< of all inputs
  double median = 0;      ///< of the times of the inputs, seconds
  /// Relative standard deviation of a time, from least times of halves of the repetitions: an upper
  /// bound, as a time is the least of all. NaN when no input has two repetitions.
  double noise = 0;
  double variation = 0;            ///< relative standard deviation of the times over inputs
  std::optional<double> frequency; ///< Hz: cycles in user mode per second; median over inputs
  Drift drift;
  double waiting = 0;   ///< share of all wall time that was no processor time; 0 when there is none
  double disturbed = 0; ///< share of repetitions
  std::optional<TimedStartUp> startUp;
  std::vector<Note> notes; ///< what has to be said beside all that
};

InputTimes estimateTimes(const std::vector<Timing> &timings, const std::vector<StartUp> &startUps);

} // namespace quincunx
