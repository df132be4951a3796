// Three stages that are joined by queues of room for some, and as many such lines as threads are asked for.
#include <array>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
#include "grind.h"
class Queue {
public:
  void put(int x) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return waiting.size() < 4; });
    waiting.push(x);
    changed.notify_all();
  }
  int take() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !waiting.empty(); });
    const int x = waiting.front();
    waiting.pop();
    changed.notify_all();
    return x;
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::queue<int> waiting;
};
int main(int argc, char **argv) {
  const int lines = argc > 2 ? std::atoi(argv[1]) : 1, size = std::atoi(argv[2]), items = 40;
  std::vector<std::array<Queue, 2>> queues(static_cast<size_t>(lines));
  std::vector<std::thread> threads;
  for (auto &[first, second] : queues) {
    threads.emplace_back([&first = first, size] { // FIRST
      for (int i = 0; i < items; ++i) {
        grind(TIMES(FIRST, 900 + 20 * i) * static_cast<unsigned>(size));
        first.put(i);
      }
    });
    threads.emplace_back([&first = first, &second = second, size] { // SECOND
      for (int i = 0; i < items; ++i) {
        const int x = first.take();
        grind(TIMES(SECOND, 1500 + 300 * (x % 3)) * static_cast<unsigned>(size));
        second.put(x);
      }
    });
    threads.emplace_back([&second = second, size] { // THIRD
      for (int i = 0; i < items; ++i) {
        second.take();
        grind(TIMES(THIRD, 1100) * static_cast<unsigned>(size));
      }
    });
  }
  for (std::thread &t : threads)
    t.join();
}
