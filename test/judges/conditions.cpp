// What a lock, a condition variable and a counter are made into: jobs.sh.
//   conditions FORM THREADS JOBS           does it
//   conditions --known FORM THREADS JOBS   work of all threads and of the way to the end, in units
// A unit is a few microseconds; what is done with the lock is hardly anything beside that.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <pthread.h>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

int threads, jobs;
std::atomic<unsigned> out;

int unitsOf(int round, int thread) {
  return 10 + 9 * ((round * 7 + thread * 5 + round * thread) % 8);
}
__attribute__((noinline)) void grind(int units) {
  unsigned x = static_cast<unsigned>(units);
  for (int i = 0; i < units * 2000; ++i)
    x = (x * 1664525u + 1013904223u) ^ (x >> 7);
  out += x;
}

std::vector<std::thread> begin(const std::function<void(int)> &f) {
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back(f, t);
  return all;
}
void end(std::vector<std::thread> all) {
  for (std::thread &t : all)
    t.join();
}

// ---- a barrier ----

class Barrier {
public:
  void meet() {
    std::unique_lock lock(mutex);
    const int mine = generation;
    if (++here == threads) {
      here = 0;
      ++generation;
      next.notify_all();
    } else {
      next.wait(lock, [&] { return generation != mine; });
    }
  }

private:
  std::mutex mutex;
  std::condition_variable next;
  int here = 0, generation = 0;
};

void barrier() {
  Barrier all;
  end(begin([&](int t) {
    for (int r = 0; r < jobs / 2; ++r) {
      grind(unitsOf(r, t));
      all.meet();
    }
  }));
}

// ---- rounds that one thread begins, and whose end it waits for ----

struct Rounds {
  std::mutex mutex;
  std::condition_variable begun, done;
  int round = 0, left = 0;
  bool isOver = false;

  bool next(int &mine) {
    std::unique_lock lock(mutex);
    begun.wait(lock, [&] { return round != mine || isOver; });
    if (isOver)
      return false;
    mine = round;
    return true;
  }
  void isDone() {
    const std::lock_guard lock(mutex);
    if (--left == 0)
      done.notify_one();
  }
  void begin() {
    std::unique_lock lock(mutex);
    left = threads;
    ++round;
    begun.notify_all();
    while (left > 0)
      done.wait(lock);
  }
  void stop() {
    const std::lock_guard lock(mutex);
    isOver = true;
    begun.notify_all();
  }
};

void rounds() {
  Rounds all;
  std::vector<std::thread> workers = begin([&](int t) {
    for (int r = 0; all.next(r);) {
      grind(unitsOf(r - 1, t));
      all.isDone();
    }
  });
  for (int r = 0; r < jobs / 2; ++r)
    all.begin();
  all.stop();
  end(std::move(workers));
}

// ---- a semaphore ----

class Permits {
public:
  explicit Permits(int n) : count(n) {}
  void take() {
    std::unique_lock lock(mutex);
    while (count == 0)
      given.wait(lock);
    --count;
  }
  void give() {
    const std::lock_guard lock(mutex);
    ++count;
    given.notify_one();
  }

private:
  std::mutex mutex;
  std::condition_variable given;
  int count;
};

// Who has a permit sleeps as well, so that all come for one also on few processors.
void permits() {
  Permits two(2);
  end(begin([&](int) {
    for (int j = 0; j < jobs; ++j) {
      grind(10);
      two.take();
      grind(30);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      two.give();
    }
  }));
}

// ---- a buffer with room for four ----

class Buffer {
public:
  void put(int job) {
    std::unique_lock lock(mutex);
    isEmptier.wait(lock, [&] { return there.size() < 4; });
    there.push_back(job);
    isFuller.notify_one();
  }
  bool get(int &job) {
    std::unique_lock lock(mutex);
    isFuller.wait(lock, [&] { return !there.empty() || isOver; });
    if (there.empty())
      return false;
    job = there.front();
    there.pop_front();
    isEmptier.notify_one();
    return true;
  }
  void close() {
    const std::lock_guard lock(mutex);
    isOver = true;
    isFuller.notify_all();
  }

private:
  std::mutex mutex;
  std::condition_variable isEmptier, isFuller;
  std::deque<int> there;
  bool isOver = false;
};

// As many put as take.
void buffer() {
  Buffer b;
  std::vector<std::thread> takers = begin([&](int) {
    for (int units; b.get(units);)
      grind(units);
  });
  end(begin([&](int) {
    for (int j = 0; j < jobs; ++j) {
      grind(10);
      b.put(30);
    }
  }));
  b.close();
  end(std::move(takers));
}

// ---- a pool whose threads keep the lock from one job to the next ----

void keeps() {
  std::mutex mutex;
  std::condition_variable isFuller, isIdle;
  std::deque<int> queue;
  int busy = 0;
  bool isOver = false;
  std::vector<std::thread> workers = begin([&](int) {
    std::unique_lock lock(mutex);
    for (;;) {
      isFuller.wait(lock, [&] { return isOver || !queue.empty(); });
      if (queue.empty())
        return;
      const int units = queue.front();
      queue.pop_front();
      ++busy;
      lock.unlock();
      grind(units);
      lock.lock();
      if (--busy == 0 && queue.empty())
        isIdle.notify_all();
    }
  });
  for (int j = 0; j < jobs; ++j) {
    {
      const std::lock_guard lock(mutex);
      queue.push_back(unitsOf(j, 0));
    }
    isFuller.notify_one();
  }
  {
    std::unique_lock lock(mutex);
    isIdle.wait(lock, [&] { return busy == 0 && queue.empty(); });
    isOver = true;
  }
  isFuller.notify_all();
  end(std::move(workers));
}

// ---- a pool by a layer of one's own over pthreads ----

class Mutex {
  friend class Condition;

public:
  void lock() { check(pthread_mutex_lock(&mutex)); }
  void unlock() { check(pthread_mutex_unlock(&mutex)); }

private:
  static void check(int result) {
    if (result != 0)
      std::abort();
  }
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
};
class Held {
public:
  explicit Held(Mutex &m) : mutex(m) { mutex.lock(); }
  ~Held() { mutex.unlock(); }

private:
  Mutex &mutex;
};
class Condition {
public:
  void wait(Mutex &with) { pthread_cond_wait(&condition, &with.mutex); }
  void tell() { pthread_cond_broadcast(&condition); }

private:
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
};

void layer() {
  Mutex mutex;
  Condition isFuller, isIdle;
  std::deque<int> queue;
  int left = 0;
  bool isOver = false;
  std::vector<std::thread> workers = begin([&](int) {
    for (;;) {
      int units = 0;
      {
        const Held held(mutex);
        while (queue.empty() && !isOver)
          isFuller.wait(mutex);
        if (queue.empty())
          return;
        units = queue.front();
        queue.pop_front();
      }
      grind(units);
      const Held held(mutex);
      if (--left == 0)
        isIdle.tell();
    }
  });
  for (int j = 0; j < jobs; ++j) {
    const Held held(mutex);
    ++left;
    queue.push_back(unitsOf(j, 0));
    isFuller.tell();
  }
  {
    const Held held(mutex);
    while (left > 0)
      isIdle.wait(mutex);
    isOver = true;
    isFuller.tell();
  }
  end(std::move(workers));
}

// ---- stages, each of which waits for the one before, item by item ----

struct Stage {
  std::mutex mutex;
  std::condition_variable more;
  int done = 0;
  void say(int item) {
    const std::lock_guard lock(mutex);
    done = item;
    more.notify_all();
  }
  void await(int item) {
    std::unique_lock lock(mutex);
    more.wait(lock, [&] { return done >= item; });
  }
};

// The first item comes late, so that all of them wait once.
void stages() {
  std::vector<Stage> all(static_cast<size_t>(threads));
  end(begin([&](int t) {
    for (int item = 1; item <= jobs; ++item) {
      if (t > 0)
        all[static_cast<size_t>(t) - 1].await(item);
      else if (item == 1)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      grind(unitsOf(item, t));
      all[static_cast<size_t>(t)].say(item);
    }
  }));
}

// ---- a flag that is looked at again and again ----

void spins() {
  std::atomic<bool> isThere{false};
  end(begin([&](int t) {
    if (t == 0) {
      grind(jobs);
      isThere = true;
    }
    while (!isThere) {
    }
  }));
}

// The others work until the first one has done its part.
void until() {
  std::atomic<bool> isOver{false};
  end(begin([&](int t) {
    if (t == 0) {
      grind(jobs);
      isOver = true;
    } else {
      while (!isOver)
        grind(1);
    }
  }));
}

/// The same, until they are asked to stop.
void asked() {
  std::vector<std::jthread> others;
  for (int t = 1; t < threads; ++t)
    others.emplace_back([](const std::stop_token &stop) {
      while (!stop.stop_requested())
        grind(1);
    });
  grind(jobs);
}

// ---- results in the order of their rows ----

/// The first thread comes once more than the others.
int rowsOfTurns() { return threads * jobs + 1; }
void turns() {
  std::mutex mutex;
  std::condition_variable next;
  int turn = 0;
  end(begin([&](int t) {
    for (int row = t; row < rowsOfTurns(); row += threads) {
      grind(unitsOf(row, t));
      std::unique_lock lock(mutex);
      next.wait(lock, [&] { return turn == row; });
      grind(5);
      ++turn;
      next.notify_all();
    }
  }));
}

// ---- a lock of atomics ----

struct Tickets {
  std::atomic<unsigned> next{0}, served{0};
  void lock() {
    const unsigned mine = next.fetch_add(1);
    for (unsigned now; (now = served.load()) != mine;)
      served.wait(now);
  }
  void unlock() {
    served.fetch_add(1);
    served.notify_all();
  }
};
void tickets() {
  Tickets lock;
  end(begin([&](int t) {
    for (int r = 0; r < jobs / 2; ++r) {
      grind(unitsOf(r, t));
      lock.lock();
      grind(20);
      lock.unlock();
    }
  }));
}

// ---- who comes last ----

/// Who counts down last does the rest.
constexpr int rest = 200;
void merge() {
  std::atomic<int> left{threads};
  end(begin([&](int t) {
    grind(unitsOf(jobs, t));
    if (left.fetch_sub(1) == 1)
      grind(rest);
  }));
}

/// The same by how much is done, and by bits.
void parts() {
  std::atomic<size_t> bytes{0};
  const auto all = static_cast<size_t>(threads * (threads + 1) / 2);
  end(begin([&](int t) {
    const auto mine = static_cast<size_t>(t) + 1;
    grind(unitsOf(jobs, t));
    if (bytes.fetch_add(mine) + mine == all)
      grind(rest);
  }));
}
void bits() {
  std::atomic<unsigned> came{0};
  const unsigned all = (1u << threads) - 1;
  end(begin([&](int t) {
    const unsigned mine = 1u << t;
    grind(unitsOf(jobs, t));
    if ((came.fetch_or(mine) | mine) == all)
      grind(rest);
  }));
}

/// Who comes last does more, and then all go on, those longer that were quick before.
void onward() {
  std::atomic<int> left{threads};
  end(begin([&](int t) {
    grind(unitsOf(jobs, t));
    if (--left <= 0)
      grind(rest);
    grind(100 - unitsOf(jobs, t));
  }));
}

/// Two come to each node of a tree, and the second one goes on from there.
void nodes() {
  std::vector<std::atomic<int>> came(static_cast<size_t>(2 * threads));
  end(begin([&](int t) {
    grind(unitsOf(jobs, t));
    for (size_t node = static_cast<size_t>(threads + t) / 2; node > 0; node /= 2) {
      if (came[node].fetch_add(1, std::memory_order_acq_rel) == 0)
        return;
      grind(15);
    }
  }));
}

/// A barrier of atomics.
void meet() {
  std::atomic<int> here{0}, round{0};
  end(begin([&](int t) {
    for (int r = 0; r < jobs / 2; ++r) {
      grind(unitsOf(r, t));
      if (++here == threads) {
        here = 0;
        round = r + 1;
        round.notify_all();
      }
      for (int now; (now = round.load()) <= r;)
        round.wait(now);
    }
  }));
}

// ---- what is known of them ----

struct Known {
  int work = 0, way = 0;
};
Known ofRounds() {
  Known known;
  for (int r = 0; r < jobs / 2; ++r) {
    int most = 0;
    for (int t = 0; t < threads; ++t) {
      most = std::max(most, unitsOf(r, t));
      known.work += unitsOf(r, t);
    }
    known.way += most;
  }
  return known;
}
Known ofTickets() {
  Known known;
  std::vector<int> comes, rounds(static_cast<size_t>(threads));
  for (int t = 0; t < threads; ++t)
    comes.push_back(unitsOf(0, t));
  for (int left = threads * (jobs / 2); left > 0; --left) {
    const auto next = std::min_element(comes.begin(), comes.end());
    const auto t = next - comes.begin();
    known.way = std::max(known.way, *next) + 20;
    known.work += unitsOf(rounds[static_cast<size_t>(t)], static_cast<int>(t)) + 20;
    const int round = ++rounds[static_cast<size_t>(t)];
    *next = round < jobs / 2 ? known.way + unitsOf(round, static_cast<int>(t)) : 1 << 30;
  }
  return known;
}
Known ofMerge() {
  Known known;
  for (int t = 0; t < threads; ++t) {
    known.work += unitsOf(jobs, t);
    known.way = std::max(known.way, unitsOf(jobs, t));
  }
  return {known.work + rest, known.way + rest};
}
Known ofOnward() { return {threads * 100 + rest, 100 + rest}; }
/// Of one thread there is no node; of a node with one below it, nobody is the second.
Known ofNodes() {
  std::vector<int> ends(static_cast<size_t>(2 * threads));
  Known known;
  for (int t = 0; t < threads; ++t) {
    ends[static_cast<size_t>(threads + t)] = unitsOf(jobs, t);
    known.work += unitsOf(jobs, t) + (t > 0 ? 15 : 0);
  }
  for (size_t node = static_cast<size_t>(threads) - 1; node > 0; --node)
    ends[node] = std::max(ends[2 * node], ends[2 * node + 1]) + 15;
  known.way = ends[1];
  return known;
}
Known ofPermits() { return {threads * jobs * 40, 10 + threads * jobs * 15}; }
Known ofBuffer() { return {threads * jobs * 40, 10 + jobs * 30}; }
Known ofPool() {
  Known known;
  std::vector<int> free(static_cast<size_t>(threads));
  for (int j = 0; j < jobs; ++j) {
    *std::min_element(free.begin(), free.end()) += unitsOf(j, 0);
    known.work += unitsOf(j, 0);
  }
  known.way = *std::max_element(free.begin(), free.end());
  return known;
}
Known ofTurns() {
  Known known;
  std::vector<int> free(static_cast<size_t>(threads));
  int before = 0;
  for (int row = 0; row < rowsOfTurns(); ++row) {
    int &own = free[static_cast<size_t>(row % threads)];
    own = before = std::max(before, own + unitsOf(row, row % threads)) + 5;
    known.work += unitsOf(row, row % threads) + 5;
  }
  known.way = before;
  return known;
}
Known ofStages() {
  Known known;
  std::vector<int> ends(static_cast<size_t>(threads));
  for (int item = 1; item <= jobs; ++item)
    for (int t = 0; t < threads; ++t) {
      int &end = ends[static_cast<size_t>(t)];
      end = std::max(end, t > 0 ? ends[static_cast<size_t>(t) - 1] : 0) + unitsOf(item, t);
      known.work += unitsOf(item, t);
    }
  known.way = ends.back();
  return known;
}

const std::map<std::string, std::pair<void (*)(), Known (*)()>> forms = {
    {"barrier", {barrier, ofRounds}},  {"rounds", {rounds, ofRounds}},
    {"permits", {permits, ofPermits}}, {"room", {buffer, ofBuffer}},
    {"keeps", {keeps, ofPool}},        {"layer", {layer, ofPool}},
    {"turns", {turns, ofTurns}},       {"stages", {stages, ofStages}},
    {"merge", {merge, ofMerge}},       {"nodes", {nodes, ofNodes}},
    {"parts", {parts, ofMerge}},       {"bits", {bits, ofMerge}},
    {"onward", {onward, ofOnward}},    {"tickets", {tickets, ofTickets}}, {"meet", {meet, ofRounds}},        {"spins", {spins, ofRounds}},      {"until", {until, ofRounds}}, {"asked", {asked, ofRounds}}};

} // namespace

int main(int, char **words) {
  const bool isAsked = std::strcmp(words[1], "--known") == 0;
  words += isAsked ? 2 : 1;
  const auto &[run, known] = forms.at(*words);
  threads = std::atoi(words[1]);
  jobs = std::atoi(words[2]);
  if (isAsked) {
    const Known k = known();
    std::printf("%d %d\n", k.work, k.way);
    return 0;
  }
  run();
  std::printf("%u\n", out.load());
}
