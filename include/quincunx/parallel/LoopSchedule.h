// Who gets which chunk of a loop, decided when it is asked for.
// Reference: docs/27-parallel.md; OpenMP 5.2, 11.5.3. It knows no time: who asks first is told by
// the order of calls.
#pragma once

#include "quincunx/parallel/Description.h"

#include <memory>
#include <span>

namespace quincunx::parallel {

/// Iterations begin <= i < end; none when they are equal.
struct Chunk {
  uint64_t begin = 0, end = 0;
  explicit operator bool() const { return begin < end; }
};

/// One time through a loop by a team.
class LoopSchedule {
public:
  virtual ~LoopSchedule() = default;
  /// What this thread does next. One that got nothing is done, and asks no more.
  virtual Chunk next(uint32_t thread) = 0;
};

/// For so many iterations and threads; chunk 0 is the default.
using ScheduleFunction = std::unique_ptr<LoopSchedule>(uint64_t iterations, uint64_t chunk,
                                                       uint32_t threads);

#define QUINCUNX_SCHEDULE(enumerator, name, function, asks) ScheduleFunction function;
#include "quincunx/parallel/Schedules.def"
#undef QUINCUNX_SCHEDULE

struct ScheduleKind {
  const char *name; ///< as OpenMP writes it
  ScheduleFunction *deal;
  bool asks; ///< a thread asks for each chunk, and pays for it
};
/// In the order of `Schedule`.
std::span<const ScheduleKind> schedules();

/// By this schedule; a team of one has all of it at once, whatever the schedule.
std::unique_ptr<LoopSchedule> deal(Schedule schedule, uint64_t iterations, uint64_t chunk,
                                   uint32_t threads);

} // namespace quincunx::parallel
