// Sizes that several schedules have in common: contiguous shares that differ by at most one, the
// larger ones first, and chunks.
#pragma once

#include "quincunx/parallel/LoopSchedule.h"

#include <algorithm>

namespace quincunx::parallel {

/// What the thread has of n, when each of `threads` has a share.
inline Chunk share(uint64_t n, uint32_t threads, uint32_t thread) {
  const uint64_t small = n / threads, larger = n % threads;
  const uint64_t begin = thread * small + std::min<uint64_t>(thread, larger);
  return {begin, begin + small + (thread < larger ? 1 : 0)};
}

/// The size of chunks that was asked for, or 1; a larger one than the loop is the loop.
inline uint64_t chunkSize(uint64_t iterations, uint64_t asked) {
  return std::max<uint64_t>(std::min(iterations, asked), 1);
}

} // namespace quincunx::parallel
