// Events that a machine prices besides instructions: where a function counts simulated misses
// (record=predictor), and page faults, which are known of whole runs.
#pragma once

#include "quincunx/map/Map.h"

#include <array>
#include <vector>

namespace quincunx {

enum class Event : uint8_t {
  mispredict,
  l2Hit,
  l3Hit,
  memoryAccess,
  prefetchedLine,
  pageWalk,
  fault
};
inline constexpr size_t eventCount = 7;
/// As .machine files say it.
inline constexpr std::array<const char *, eventCount> eventNames{
    "mispredict", "l2Hit", "l3Hit", "memoryAccess", "prefetchedLine", "pageWalk", "fault"};

struct EventCounter {
  uint32_t counter = 0; ///< within the function
  uint32_t block = 0;   ///< in which it happens
  Event event = Event::mispredict;
};
/// Empty where nothing was simulated.
std::vector<EventCounter> eventCounters(const Function &f);
/// Was it built with record=predictor?
bool simulates(const Map &map);

} // namespace quincunx
