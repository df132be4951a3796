// Micro-benchmarks of the machine this runs on: what an instruction of each class, an event and an
// allocation take in nanoseconds, and the machine model that follows. It knows no programs; what a
// program makes of a machine is lib/estimate's. Reference: docs/13-machines.md.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/cost/Machine.h"
#include "quincunx/numeric/Moments.h"

#include <functional>
#include <string>
#include <vector>

namespace quincunx {

/// How likely an instruction is to cost its latency; else it costs its reciprocal throughput. Most
/// instructions do not wait for the one before, and what is counted is the code before the
/// optimiser, of which the latter removes a good part: so this is less than a processor would say.
/// Chosen on programs (docs/13-machines.md).
inline constexpr double exposed = 0.01;
/// How far programs are off, each by a factor of its own: Machine::programSpread of what is
/// measured. Found with 13 programs, 0.38 to 0.42 (`off` in bench/log/2026-11-22-time.tsv).
inline constexpr double measuredProgramSpread = 0.41;
/// Batches of one cost that spread further than this (see ProbedCost::spread) are worth a note.
inline constexpr double noisySpread = 0.10;

struct ProbeEffort {
  unsigned batches = 31; ///< of each loop, one after the other over all loops
  double batch = 2e-3;   ///< seconds of processor time, about
};

/// What one class, event or callee takes here.
struct ProbedCost {
  enum class Kind { instruction, event, callee };
  Kind kind = Kind::instruction;
  std::string word; ///< of the .machine file, or a linkage name
  std::string what; ///< what was done, one line
  /// Nanoseconds: when each execution waits for the one before, and when none does. Medians of the
  /// quicker half of the batches. Of an event both are its cost.
  double latency = 0, throughput = 0;
  double spread = 0; ///< between the quartiles of the batches, as a part of their median
  Moments law = {};  ///< ns, of a single execution (events: of the quicker half of the batches)
};

struct ProbedMachine {
  std::string clock; ///< that times were taken from
  ProbeEffort effort;
  std::vector<ProbedCost> costs; ///< what could not be measured is not there
};

/// Measures this machine, on one processor and in this thread. `batchDone` is called after each of
/// effort.batches rounds over all loops. Errors: memory that cannot be had.
Result<ProbedMachine> probeMachine(const ProbeEffort &effort,
                                   const std::function<void()> &batchDone = {});

/// The model: laws to four digits, `construct` at no cost, unit ns.
Machine machineOf(const ProbedMachine &probed, const std::string &name);
/// A .machine file: machineOf(), with comments that say what was measured and how it spread, on
/// which model of a processor.
std::string describe(const ProbedMachine &probed, const std::string &name,
                     const std::string &processor);
/// A line for each cost whose batches spread too far; empty on a quiet machine.
std::vector<std::string> noiseNotes(const ProbedMachine &probed);

} // namespace quincunx
