// schedule(static): a contiguous share for each thread, and nothing is decided while the loop runs.
// Reference: OpenMP 5.2, 11.5.3; libomp's static_balanced, its default.
#include "Shares.h"

namespace quincunx::parallel {

namespace {
class StaticSchedule : public LoopSchedule {
public:
  StaticSchedule(uint64_t iterations, uint32_t threads)
      : n(iterations), teamSize(threads), isDone(threads, false) {}
  Chunk next(uint32_t thread) override {
    if (isDone[thread])
      return {};
    isDone[thread] = true;
    return share(n, teamSize, thread);
  }

private:
  uint64_t n;
  uint32_t teamSize;
  std::vector<bool> isDone;
};
} // namespace

std::unique_ptr<LoopSchedule> dealStatic(uint64_t iterations, uint64_t, uint32_t threads) {
  return std::make_unique<StaticSchedule>(iterations, threads);
}

} // namespace quincunx::parallel
