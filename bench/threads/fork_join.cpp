// Rounds of threads that are begun and joined, with counters under locks.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
#include "grind.h"
static std::mutex counter;
template <class F> static void count(F &&f) {
#ifndef COUNT
  std::lock_guard<std::mutex> lock(counter); // COUNT
#endif
  f();
}
int main(int argc, char **argv) {
  const int threads = argc > 2 ? std::atoi(argv[1]) : 1;
  const unsigned size = static_cast<unsigned>(std::atoi(argv[2]));
  for (int round = 0; round < 6; ++round) {
    grind(500 * size);
    std::vector<std::thread> team;
    for (int t = 1; t < threads; ++t)
      team.emplace_back([=] { // FIRST
        for (int i = 0; i < 5; ++i) {
          grind(TIMES(FIRST, 700 + 40 * static_cast<unsigned>(t)) * size);
          count([=] { grind(TIMES(FIRST, 120) * size); });
        }
      });
    std::thread slow([=] { // SECOND
      grind(TIMES(SECOND, 6000) * size);
      count([=] { grind(TIMES(SECOND, 900) * size); });
    });
    for (std::thread &t : team)
      t.join();
    slow.join();
  }
}
