// Every item is worked on exactly once, whatever their number.
#include "quincunx/base/Parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

TEST(Parallel, WorksOnEveryItemOnce) {
  for (const size_t n : {0, 1, 2, 1000}) {
    std::vector<std::atomic<int>> visits(n);
    quincunx::forEachParallel(n, [&](size_t i) { ++visits[i]; });
    for (const auto &v : visits)
      EXPECT_EQ(v, 1) << "of " << n;
  }
}

TEST(Parallel, ALoopWithinAnotherHasOneThread) {
  std::vector<std::atomic<int>> visits(100);
  quincunx::forEachParallel(10, [&](size_t i) {
    const std::thread::id own = std::this_thread::get_id();
    quincunx::forEachParallel(
        10, [&](size_t j) { visits[10 * i + j] += std::this_thread::get_id() == own ? 1 : 100; });
  });
  for (const auto &v : visits)
    EXPECT_EQ(v, 1);
}

} // namespace
