// Every item is worked on exactly once, whatever their number.
#include "quincunx/base/Parallel.h"

#include <gtest/gtest.h>

#include <atomic>
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

} // namespace
