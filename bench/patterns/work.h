// What programs of bench/patterns.py have in common: work that is done, or slept with -DSLEEP, and the speedup that comes of it.
#pragma once
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <future>
#include <latch>
#include <map>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <queue>
#include <random>
#include <semaphore>
#include <set>
#include <shared_mutex>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

#ifdef SLEEP
inline std::atomic<long> total{0};
// A sleep is some 50 us late.
inline void work(int units) {
  total.fetch_add(units, std::memory_order_relaxed);
  timespec t{0, units * 20000L - 50000};
  nanosleep(&t, nullptr);
}
#else
inline volatile double sink;
__attribute__((noinline)) inline void work(int units) {
  double s = 0;
  for (int i = 0; i < units * 400; ++i)
    s += i * 0.5;
  sink = s;
}
#endif

struct Timer {
  std::chrono::steady_clock::time_point began;
  Timer() {
    prctl(PR_SET_TIMERSLACK, 1000);
    began = std::chrono::steady_clock::now();
  }
  ~Timer() {
#ifdef SLEEP
    printf("%.4f\n", static_cast<double>(total) * 20e-6 / std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
#endif
  }
};
inline unsigned rnd(unsigned &x) {
  x = x * 1664525u + 1013904223u;
  return x >> 16;
}
