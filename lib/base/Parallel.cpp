// A loop over all cores.
// The idea: every thread, the caller's among them, takes the next item until there are none, so
// that items of unequal length balance by themselves. It has no threads waiting between loops.
#include "quincunx/base/Parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace quincunx {

void forEachParallel(size_t n, const std::function<void(size_t)> &work) {
  std::atomic<size_t> next{0};
  const auto takeAll = [&] {
    for (size_t i = next++; i < n; i = next++)
      work(i);
  };
  const size_t threads = std::min<size_t>(n, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> others;
  for (size_t t = 1; t < threads; ++t)
    others.emplace_back(takeAll);
  takeAll();
  for (std::thread &t : others)
    t.join();
}

} // namespace quincunx
