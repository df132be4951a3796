// From counts to time: the prices, in nanoseconds, at which the counts of timed inputs come out at
// their times, and how well such prices predict inputs that they were not fitted to. Reference:
// docs/13-machines.md. It runs nothing and keeps no files.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/Trust.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

/// A run of which the plain program was timed.
struct TimedRun {
  size_t row = 0;  ///< of the count matrix
  double time = 0; ///< ns, above 0
};

/// How well times are known.
struct Stopwatch {
  double noise = 0;              ///< of a time, relative standard deviation
  double resolution = 0;         ///< ns: no time is known better than that
  std::optional<double> startUp; ///< ns, where it was measured
};

/// An input that was timed, predicted by prices that were fitted without it.
struct JudgedRun {
  size_t row = 0;
  double time = 0, predicted = 0; ///< ns
  Interval interval;              ///< 90 %, ns
  double error() const { return predicted / time - 1; }
};

/// A percentile of the times of the judged inputs.
struct JudgedPercentile {
  double p = 0;
  double measured = 0, predicted = 0; ///< ns
  double error() const { return predicted / measured - 1; }
};

struct Calibration {
  Machine machine;                             ///< prices in ns, and the fit to this program
  size_t runs = 0;                             ///< that were timed; 0: nothing below is known
  std::vector<JudgedRun> judged;               ///< by cross-validation, in the order of the runs
  double medianError = 0, p90Error = 0;        ///< of their errors, without sign
  double coverage = 0;                         ///< share of them inside their intervals
  std::array<JudgedPercentile, 3> percentiles; ///< p50, p90, p99
  Interval residual;                           ///< 90 % of times, relative to their predictions
  /// What the fit used: groups of prices, and by how much (relative deviation) they depart from the
  /// first guess.
  std::vector<std::pair<std::string, double>> departures;
  std::vector<Note> notes;
};

/// Runs of a build with record=predictor, of which the misses per execution of a block stand for
/// those of runs that count none.
struct SimulatedRuns {
  const CountMatrix &matrix;
  const std::vector<Map> &maps;
};

/// `guess` is what is thought of prices beforehand; where runs are timed only their proportions
/// matter. With no run timed and a guess in ns, prices are the guess, with carried misses. An error
/// when runs are fewer than five otherwise, or their times do not differ beyond noise.
Result<Calibration> calibrate(const CountMatrix &matrix, const std::vector<Map> &maps,
                              const Machine &guess, std::span<const TimedRun> runs,
                              const Stopwatch &stopwatch, const SimulatedRuns *simulated = nullptr);

} // namespace quincunx
