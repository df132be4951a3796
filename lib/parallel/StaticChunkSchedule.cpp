// schedule(static, chunk): chunks to threads in turn, and nothing is decided while the loop runs.
// Reference: OpenMP 5.2, 11.5.3.
#include "Shares.h"

#include <algorithm>

namespace quincunx::parallel {

namespace {
class StaticChunkSchedule : public LoopSchedule {
public:
  StaticChunkSchedule(uint64_t iterations, uint64_t chunk, uint32_t threads)
      : n(iterations), size(chunk), nextChunk(threads) {
    for (uint32_t t = 0; t < threads; ++t)
      nextChunk[t] = t;
  }
  Chunk next(uint32_t thread) override {
    const uint64_t begin = std::min(n, nextChunk[thread] * size);
    nextChunk[thread] += nextChunk.size();
    return {begin, std::min(n, begin + size)};
  }

private:
  uint64_t n, size;
  std::vector<uint64_t> nextChunk; ///< of each thread
};
} // namespace

std::unique_ptr<LoopSchedule> dealStaticChunks(uint64_t iterations, uint64_t chunk,
                                               uint32_t threads) {
  return std::make_unique<StaticChunkSchedule>(iterations, chunkSize(iterations, chunk), threads);
}

} // namespace quincunx::parallel
