// What timed runs of the plain program leave in a corpus (`quincunx run --timed`): of every input
// its repetitions, with what the system says of each, and how long the process takes to start up.
// The idea: repetitions are kept one by one, never as a mean, so that whoever reads them can see
// what disturbed them (lib/estimate/calibrate/InputTimes). Reference: docs/13-machines.md,
// docs/11-formats.md. It knows no counts; input and counted run belong together by label and
// arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

/// Machines are quicker and slower by the hour: by so much, as a share, the clock of one session is
/// off from that of another, in nine of ten.
inline constexpr double betweenSessions = 0.03;

/// One execution of the plain program. Everything as rusage(2) and perf_event_open(2) give it, of
/// the process and of the children it waited for.
struct Repetition {
  std::string identity;                  ///< unique name; merging goes by it
  uint32_t round = 0;                    ///< from 1; a round runs every input once
  int exitStatus = 0;                    ///< exit code
  double start = 0;                      ///< seconds since the epoch
  double wall = 0, user = 0, system = 0; ///< seconds, from before fork to the end
  uint64_t minorFaults = 0, majorFaults = 0;
  uint64_t voluntarySwitches = 0, involuntarySwitches = 0; ///< context switches
  double peakMemory = 0;                                   ///< bytes
  /// User mode; where the system grants them.
  std::optional<double> cycles, instructions, branchMisses, cacheMisses;

  double cpu() const { return user + system; } ///< seconds
  bool operator==(const Repetition &) const = default;
};

/// One input and all its repetitions.
struct Timing {
  std::string identity;                ///< unique name of the input, see timingIdentity()
  std::string label;                   ///< as that of the counted run
  std::vector<std::string> arguments;  ///< empty when not stored
  std::string standardInput;           ///< path, empty when none or not stored
  std::vector<Repetition> repetitions; ///< ordered by round, then identity

  bool operator==(const Timing &) const = default;
};

/// The identity of an input, wherever it is timed: 32 hex digits, from what describes it.
std::string timingIdentity(const std::string &label, const std::vector<std::string> &arguments,
                           const std::string &standardInput);

/// The process from its fork to the entry point of the program, where it was ended: what the loader
/// and the system take before the first instruction that is the program's.
struct StartUp {
  std::string identity;                  ///< unique name; merging goes by it
  double start = 0;                      ///< seconds since the epoch
  double wall = 0, user = 0, system = 0; ///< seconds

  double cpu() const { return user + system; } ///< seconds
  bool operator==(const StartUp &) const = default;
};

/// The one program that the timings of a corpus are of.
struct TimedProgram {
  std::string path;              ///< absolute; its file name only where paths are not stored
  std::string md5;               ///< of its bytes, 32 hex digits
  std::string processorModel;    ///< on which it was timed
  bool parallel = false;         ///< uses several processors at once, so it was not pinned
  int pinned = -1;               ///< the processor all repetitions ran on; -1: any
  std::vector<StartUp> startUps; ///< ordered by identity; empty: could not be measured

  bool operator==(const TimedProgram &) const = default;
};

} // namespace quincunx
