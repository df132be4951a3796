// Where executions of the plain program were when they were sampled: places of the source with
// numbers of samples, kept execution by execution. The idea: an address means something in one
// build on one machine only, so places are named before they are kept. Reference:
// docs/13-machines.md, docs/11-formats.md. It draws no conclusion
// (lib/estimate/calibrate/SampledParts).
#pragma once

#include "quincunx/profile/Timing.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace quincunx {

/// A line of the source that was executing, or that called code of another object that was.
struct SampledPlace {
  std::string function; ///< whose text it is, as debug information names it; empty: not known
  std::string file;     ///< path in debug information; empty: not known
  uint32_t line = 0;    ///< 0: not known
  std::string object;   ///< file name of the library that executed; empty: the program itself

  auto operator<=>(const SampledPlace &) const = default;
};

/// One execution of the plain program that was sampled at regular intervals of its time in user
/// mode, with all its threads and the children it waited for.
struct SampledExecution {
  std::string identity;                     ///< unique name; merging goes by it
  double start = 0;                         ///< seconds since the epoch
  double cpu = 0;                           ///< seconds: user and system, as rusage(2) gives them
  double interval = 0;                      ///< seconds in user mode that a sample stands for
  std::map<SampledPlace, uint64_t> samples; ///< by place

  uint64_t total() const { ///< samples
    uint64_t sum = 0;
    for (const auto &[place, count] : samples)
      sum += count;
    return sum;
  }
  bool operator==(const SampledExecution &) const = default;
};

/// An input with its executions that were sampled.
struct SampledInput {
  Timing input;                             ///< without repetitions
  std::vector<SampledExecution> executions; ///< ordered by identity
  bool operator==(const SampledInput &) const = default;
};

} // namespace quincunx
