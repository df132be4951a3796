// A loop over all cores.
// The idea: every thread, the caller's among them, takes the next item until there are none, so
// that items of unequal length balance by themselves. A loop within another one is the business of
// the thread that met it. It has no threads waiting between loops.
#include "quincunx/base/Parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace quincunx {

namespace {
thread_local bool isInLoop = false;
} // namespace

void forEachParallel(size_t n, const std::function<void(size_t)> &work) {
  std::atomic<size_t> next{0};
  const bool isInner = isInLoop;
  const auto takeAll = [&] {
    isInLoop = true;
    for (size_t i = next++; i < n; i = next++)
      work(i);
    isInLoop = isInner;
  };
  const size_t most = isInner ? 1 : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  try {
    for (size_t t = 1; t < std::min(n, most); ++t)
      others.emplace_back(takeAll);
  } catch (const std::system_error &) { // no more threads: those that are there do the work
  }
  takeAll();
  for (std::thread &t : others)
    t.join();
}

} // namespace quincunx
