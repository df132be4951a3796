// The order of timed runs. It runs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quincunx::tool {

struct TimedStep {
  bool isStartUp = false; ///< up to the entry point only
  size_t input = 0;
  uint32_t round = 0;
};

/// `missing`: repetitions to make, per input. Rounds are numbered from `firstRound` on; `startUps`
/// lie evenly among them.
std::vector<TimedStep> schedule(const std::vector<size_t> &missing, uint32_t firstRound,
                                size_t startUps);

} // namespace quincunx::tool
