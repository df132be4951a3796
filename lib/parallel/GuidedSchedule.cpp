// schedule(guided, chunk): chunks that shrink with what is left.
// The rule is libomp's iterative one: with R iterations left and P threads a chunk has R / (2 P) of
// them, rounded down, and `chunk` from R < 2 P (chunk + 1) on; all chunks have that size in loops
// of at most (2 chunk + 1) P iterations. OpenMP asks only for about R / P and at least `chunk`.
// Reference: OpenMP 5.2, 11.5.3; Polychronopoulos & Kuck, Guided self-scheduling, IEEE Trans.
// Comput. 36 (1987).
#include "Shares.h"

#include <algorithm>

namespace quincunx::parallel {

namespace {
class GuidedSchedule : public LoopSchedule {
public:
  GuidedSchedule(uint64_t iterations, uint64_t chunk, uint32_t threads)
      : n(iterations), size(chunk), teamSize(threads) {}
  Chunk next(uint32_t) override {
    const uint64_t left = n - at, begin = at;
    if (left < 2 * teamSize * (size + 1))
      at = std::min(n, at + size);
    else // rounded as libomp does, which multiplies by 1 / (2 P)
      at +=
          static_cast<uint64_t>(static_cast<double>(left) * (0.5 / static_cast<double>(teamSize)));
    return {begin, at};
  }

private:
  uint64_t n, size, teamSize, at = 0;
};
} // namespace

std::unique_ptr<LoopSchedule> dealGuided(uint64_t iterations, uint64_t chunk, uint32_t threads) {
  chunk = chunkSize(iterations, chunk);
  if ((2 * chunk + 1) * threads >= iterations)
    return dealQueue(iterations, chunk, threads);
  return std::make_unique<GuidedSchedule>(iterations, chunk, threads);
}

} // namespace quincunx::parallel
