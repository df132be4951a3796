// From counts to time: the prices, in nanoseconds, at which the counts of timed inputs come out at
// their times, and how well such prices predict inputs that they were not fitted to. Reference:
// docs/13-machines.md. It runs nothing and keeps no files.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/InputTimes.h"
#include "quincunx/estimate/Misses.h"
#include "quincunx/estimate/Note.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

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

/// A part of the program that was sampled: its share of the processor time in user mode of the
/// inputs that were, by samples and by the fit.
struct SampledShare {
  std::string name; ///< "main.c:12", where the function begins, or the line that calls a library
  bool isCall = false;
  double sampled = 0, fitted = 0;
  double samples = 0;
};

struct Calibration {
  Machine machine;                             ///< prices in ns, and the fit to this program
  std::optional<ImputedMisses> carried;        ///< where there were some to carry
  size_t runs = 0;                             ///< that were timed; 0: nothing below is known
  std::vector<JudgedRun> judged;               ///< by cross-validation, in the order of the runs
  double medianError = 0, p90Error = 0;        ///< of their errors, without sign
  double coverage = 0;                         ///< share of them inside their intervals
  std::array<JudgedPercentile, 3> percentiles; ///< p50, p90, p99
  double samples = 0;                ///< of where the program is, of the timed inputs; 0: none
  double userShare = 1;              ///< of the processor time of these inputs, in user mode
  std::vector<SampledShare> sampled; ///< the largest first
  Interval residual;                 ///< 90 % of times, relative to their predictions
  /// What the fit used: groups of prices, and by how much (relative deviation) they depart from the
  /// first guess.
  std::vector<std::pair<std::string, double>> departures;
  std::vector<Note> notes;
};

/// How far programs are off by prices of a machine with their misses, each by a factor of its own:
/// Machine::programSpread where nothing was timed and misses were carried to most of the work.
/// Found with 13 programs, 0.22 to 0.27 (`off 2` in bench/log/2026-11-22-time.tsv).
inline constexpr double programSpreadWithMisses = 0.22;

/// Of a program that was not timed: the prices of `machine`, which is in ns, and carried misses.
/// Errors: misses that cannot be carried.
Result<Calibration> predictUntimed(const CountMatrix &matrix, const std::vector<Map> &maps,
                                   const Machine &machine,
                                   const SimulatedRuns *simulated = nullptr);

/// `guess` is what is thought of prices beforehand; only their proportions matter. `sampled`: where
/// executions of the plain program were, of some of the timed runs or of none. An error when
/// runs are fewer than five, their times do not differ beyond noise, misses cannot be carried, or
/// the fit is not plausible (docs/13-machines.md, "Fits that are refused").
Result<Calibration> calibrate(const CountMatrix &matrix, const std::vector<Map> &maps,
                              const Machine &guess, std::span<const TimedRun> runs,
                              const Stopwatch &stopwatch, const SimulatedRuns *simulated = nullptr,
                              std::span<const SampledRun> sampled = {});

} // namespace quincunx
