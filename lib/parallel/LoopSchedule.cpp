// The table of schedules. Reference: docs/27-parallel.md.
#include "quincunx/parallel/LoopSchedule.h"

namespace quincunx::parallel {

std::span<const ScheduleKind> schedules() {
  static constexpr ScheduleKind all[] = {
#define QUINCUNX_SCHEDULE(enumerator, name, function, asks) {name, function, asks},
#include "quincunx/parallel/Schedules.def"
#undef QUINCUNX_SCHEDULE
  };
  return all;
}

std::unique_ptr<LoopSchedule> deal(Schedule schedule, uint64_t iterations, uint64_t chunk,
                                   uint32_t threads) {
  if (threads == 1)
    return dealStatic(iterations, chunk, threads);
  return schedules()[static_cast<size_t>(schedule)].deal(iterations, chunk, threads);
}

} // namespace quincunx::parallel
