#include "work.h"

// Task scheduler: a locked deque per worker, stealing from the other end, idle workers sleep on an event count.
struct Task {
  unsigned seed;
  int depth;
};

class LocalDeque {
public:
  void push(Task t) {
    std::lock_guard<std::mutex> lk(m);
    tasks.push_back(t);
  }
  bool pop(Task &t) {
    std::lock_guard<std::mutex> lk(m);
    if (tasks.empty())
      return false;
    t = tasks.back();
    tasks.pop_back();
    return true;
  }
  bool steal(Task &t) {
    std::unique_lock<std::mutex> lk(m, std::try_to_lock);
    if (!lk.owns_lock())
      lk.lock();
    if (tasks.empty())
      return false;
    t = tasks.front();
    tasks.pop_front();
    return true;
  }

private:
  std::mutex m;
  std::deque<Task> tasks;
};

class Scheduler {
public:
  explicit Scheduler(int n) : deques(n) {}
  void spawn(int self, Task t) {
    outstanding.fetch_add(1);
    deques[self].push(t);
    {
      std::lock_guard<std::mutex> lk(idleLock);
      ++epoch;
    }
    idle.notify_one();
  }
  void worker(int self) {
    for (;;) {
      long seen;
      {
        std::lock_guard<std::mutex> lk(idleLock);
        if (finished)
          return;
        seen = epoch;
      }
      Task t;
      if (find(self, t)) {
        run(self, t);
        continue;
      }
      std::unique_lock<std::mutex> lk(idleLock);
      idle.wait(lk, [&] { return finished || epoch != seen; });
    }
  }

private:
  bool find(int self, Task &t) {
    if (deques[self].pop(t))
      return true;
    int n = (int)deques.size();
    for (int k = 1; k < n; ++k)
      if (deques[(self + k) % n].steal(t))
        return true;
    return false;
  }
  void run(int self, Task t) {
    work(30 + rnd(t.seed) % 130);
    int children = t.depth > 0 ? 1 + rnd(t.seed) % 3 : 0;
    for (int c = 0; c < children; ++c)
      spawn(self, Task{rnd(t.seed) * 31 + c, t.depth - 1});
    if (outstanding.fetch_sub(1) == 1) {
      std::lock_guard<std::mutex> lk(idleLock);
      finished = true;
      idle.notify_all();
    }
  }
  std::vector<LocalDeque> deques;
  std::atomic<long> outstanding{0};
  std::mutex idleLock;
  std::condition_variable idle;
  long epoch = 0;
  bool finished = false;
};

int main(int, char **argv) {
  Timer t;
  int n = atoi(argv[1]);
  Scheduler s(n);
  for (unsigned r = 0; r < 4; ++r)
    s.spawn(0, Task{r * 1001 + 5, 4});
  std::vector<std::thread> ts;
  for (int i = 0; i < n; ++i)
    ts.emplace_back([&s, i] { s.worker(i); });
  for (auto &x : ts)
    x.join();
}
