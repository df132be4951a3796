// schedule(monotonic:dynamic, chunk): one queue of chunks for all threads.
// Reference: OpenMP 5.2, 11.5.3; libomp's dynamic_chunked.
#include "Shares.h"

#include <algorithm>

namespace quincunx::parallel {

namespace {
class QueueSchedule : public LoopSchedule {
public:
  QueueSchedule(uint64_t iterations, uint64_t chunk) : n(iterations), size(chunk) {}
  Chunk next(uint32_t) override {
    const uint64_t begin = at;
    at = std::min(n, at + size);
    return {begin, at};
  }

private:
  uint64_t n, size, at = 0;
};
} // namespace

std::unique_ptr<LoopSchedule> dealQueue(uint64_t iterations, uint64_t chunk, uint32_t) {
  return std::make_unique<QueueSchedule>(iterations, chunkSize(iterations, chunk));
}

} // namespace quincunx::parallel
