// Threads that take jobs in all kinds of ways, or have shares of their own: jobs.sh.
//   jobs FORM THREADS JOBS           does them
//   jobs --known FORM THREADS JOBS   work of all threads and of the way to the end, in units: who
//   is free takes the next job
// Jobs take 10 to 80 units; what is done to take them is hardly anything beside that.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

int threads, jobs;
std::vector<unsigned> out;

int unitsOf(int job) { return 10 + 7 * (job * 5 % 11); }
__attribute__((noinline)) unsigned grind(int units, unsigned x) {
  for (int i = 0; i < units * 2000; ++i)
    x = (x * 1664525u + 1013904223u) ^ (x >> 7);
  return x;
}
void doJob(int job) { out[job] += grind(unitsOf(job), job); }

template <class F> void inThreads(F f) {
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back(f, t);
  for (std::thread &t : all)
    t.join();
}

// ---- an atomic counter ----

void counter() {
  std::atomic<int> next{0};
  inThreads([&](int) {
    for (int job; (job = next++) < jobs;)
      doJob(job);
  });
}

// The first thread takes part.
void chunks() {
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (;;) {
      const size_t begin = next.fetch_add(2, std::memory_order_relaxed);
      if (begin >= static_cast<size_t>(jobs))
        break;
      const size_t end = std::min<size_t>(begin + 2, jobs);
      for (size_t job = begin; job < end; ++job)
        doJob(static_cast<int>(job));
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t)
    others.emplace_back(work);
  work();
  for (std::thread &t : others)
    t.join();
}

struct Source {
  std::atomic<int> next{0};
  int end;
  bool get(int &job) {
    job = next.fetch_add(1);
    return job < end;
  }
};
void source() {
  Source s{.end = jobs};
  inThreads([&](int) {
    int job;
    while (s.get(job))
      doJob(job);
  });
}

struct Down {
  std::atomic<int> left;
  std::optional<int> get() {
    const int job = --left;
    if (job < 0)
      return std::nullopt;
    return job;
  }
};
void down() {
  Down d{jobs};
  inThreads([&](int) {
    while (const std::optional<int> left = d.get())
      doJob(jobs - 1 - *left);
  });
}

void phases() {
  std::atomic<int> next{0};
  const auto again = [&]() noexcept { next = 0; };
  std::barrier<decltype(again)> all(threads, again);
  inThreads([&](int) {
    for (int phase = 0; phase < 3; ++phase) {
      for (int job; (job = next++) < jobs;)
        doJob(job);
      all.arrive_and_wait();
    }
  });
}

void exchange() {
  std::atomic<int> next{0};
  inThreads([&](int) {
    for (;;) {
      int job = next.load();
      while (job < jobs && !next.compare_exchange_weak(job, job + 1)) {
      }
      if (job >= jobs)
        return;
      doJob(job);
    }
  });
}

// Two at a time, fewer at the end.
void pieces() {
  std::atomic<int> next{0};
  inThreads([&](int) {
    for (;;) {
      int job = next.load(), end;
      do {
        if (job >= jobs)
          return;
        end = std::min(job + 2, jobs);
      } while (!next.compare_exchange_weak(job, end));
      for (; job < end; ++job)
        doJob(job);
    }
  });
}

void swap() {
  int next = 0;
  inThreads([&](int) {
    int job = __atomic_load_n(&next, __ATOMIC_RELAXED);
    while (job < jobs)
      if (__atomic_compare_exchange_n(&next, &job, job + 1, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED))
        doJob(job++);
  });
}

// Each job has a flag, which is set by who does it.
void flags() {
  std::vector<std::atomic<bool>> taken(jobs);
  inThreads([&](int) {
    for (int job = 0; job < jobs; ++job)
      if (!taken[job].exchange(true))
        doJob(job);
  });
}

void marks() {
  std::vector<char> taken(jobs);
  inThreads([&](int) {
    for (int job = 0; job < jobs; ++job) {
      char none = 0;
      if (__atomic_compare_exchange_n(&taken[job], &none, 1, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED))
        doJob(job);
    }
  });
}

// Whether jobs are left is asked before, without the lock, so that some find none that never took
// one.
void looksFirst() {
  std::atomic<int> next{0};
  std::mutex lock, results;
  inThreads([&](int) {
    while (next.load() < jobs) {
      lock.lock();
      const int job = next++;
      lock.unlock();
      if (job >= jobs)
        break;
      const unsigned result = grind(unitsOf(job), job);
      const std::lock_guard guard(results);
      out[job] = result;
    }
  });
}

void singles() {
#pragma omp parallel num_threads(threads)
  for (int job = 0; job < jobs; ++job) {
#pragma omp single nowait
    doJob(job);
  }
}

void team() {
  int next = 0;
#pragma omp parallel num_threads(threads)
  for (;;) {
    int job;
#pragma omp atomic capture
    job = next++;
    if (job >= jobs)
      break;
    doJob(job);
  }
}

// ---- locks ----

void critical() {
  int next = 0;
#pragma omp parallel num_threads(threads)
  for (;;) {
    int job;
#pragma omp critical
    job = next++;
    if (job >= jobs)
      break;
    doJob(job);
  }
}

/// Takes jobs under a lock; `done` comes behind each.
template <class F> void takeUnder(std::mutex &lock, F done) {
  int next = 0;
  inThreads([&](int) {
    for (;;) {
      int job;
      {
        const std::lock_guard guard(lock);
        job = next++;
      }
      if (job >= jobs)
        return;
      doJob(job);
      done();
    }
  });
}

void locked() {
  std::mutex lock;
  takeUnder(lock, [] {});
}

/// Results are kept under the lock of the jobs, in the order in which these were done.
void results() {
  std::mutex lock;
  int kept = 0;
  takeUnder(lock, [&] {
    const std::lock_guard guard(lock);
    ++kept;
  });
}

// Jobs are put one at a time.
void queue() {
  std::mutex lock;
  std::condition_variable there;
  std::deque<int> waiting;
  bool stop = false;
  std::thread putter([&] {
    for (int job = 0; job < jobs; ++job) {
      {
        const std::lock_guard guard(lock);
        waiting.push_back(job);
      }
      there.notify_one();
    }
    {
      const std::lock_guard guard(lock);
      stop = true;
    }
    there.notify_all();
  });
  inThreads([&](int) {
    for (;;) {
      int job;
      {
        std::unique_lock has(lock);
        there.wait(has, [&] { return stop || !waiting.empty(); });
        if (waiting.empty())
          return;
        job = waiting.front();
        waiting.pop_front();
      }
      doJob(job);
    }
  });
  putter.join();
}

// Workers keep the lock from the end of a job to the next one.
class Pool {
public:
  explicit Pool(int size) {
    for (int t = 0; t < size; ++t)
      workers.emplace_back(&Pool::work, this);
  }
  void put(std::function<void()> job) {
    {
      const std::lock_guard guard(lock);
      waiting.push_back(std::move(job));
    }
    there.notify_one();
  }
  void putAll(std::vector<std::function<void()>> all) {
    {
      const std::lock_guard guard(lock);
      waiting.insert(waiting.end(), all.begin(), all.end());
    }
    there.notify_all();
  }
  void wait() {
    std::unique_lock has(lock);
    done.wait(has, [&] { return atWork == 0 && waiting.empty(); });
  }
  ~Pool() {
    {
      const std::lock_guard guard(lock);
      stop = true;
    }
    there.notify_all();
    for (std::thread &t : workers)
      t.join();
  }

private:
  void work() {
    std::unique_lock has(lock);
    for (;;) {
      there.wait(has, [&] { return stop || !waiting.empty(); });
      if (waiting.empty())
        return;
      const std::function<void()> job = std::move(waiting.front());
      waiting.pop_front();
      ++atWork;
      has.unlock();
      job();
      has.lock();
      if (--atWork == 0 && waiting.empty())
        done.notify_all();
    }
  }
  std::mutex lock;
  std::condition_variable there, done;
  std::deque<std::function<void()>> waiting;
  int atWork = 0;
  bool stop = false;
  std::vector<std::thread> workers;
};

std::vector<std::function<void()>> half(int which) {
  std::vector<std::function<void()>> all;
  for (int job = which * jobs / 2; job < (which + 1) * jobs / 2; ++job)
    all.emplace_back([job] { doJob(job); });
  return all;
}
void pool() {
  Pool p(threads);
  for (const int which : {0, 1}) {
    for (const auto &job : half(which))
      p.put(job);
    p.wait();
  }
}
void batches() {
  Pool p(threads);
  for (const int which : {0, 1}) {
    p.putAll(half(which));
    p.wait();
  }
}

// Threads that are asked to stop, a condition variable that knows of that, futures.
class Stopped {
public:
  explicit Stopped(int size) {
    for (int t = 0; t < size; ++t)
      workers.emplace_back([this](const std::stop_token &stop) { work(stop); });
  }
  std::future<unsigned> put(int job) {
    std::packaged_task<unsigned()> task([job] { return grind(unitsOf(job), job); });
    std::future<unsigned> result = task.get_future();
    {
      const std::lock_guard guard(lock);
      waiting.push_back(std::move(task));
    }
    there.notify_one();
    return result;
  }

private:
  void work(const std::stop_token &stop) {
    for (;;) {
      std::packaged_task<unsigned()> task;
      {
        std::unique_lock has(lock);
        if (!there.wait(has, stop, [&] { return !waiting.empty(); }))
          return;
        task = std::move(waiting.front());
        waiting.pop_front();
      }
      task();
    }
  }
  std::mutex lock;
  std::condition_variable_any there;
  std::deque<std::packaged_task<unsigned()>> waiting;
  std::vector<std::jthread> workers;
};
void stopped() {
  Stopped pool(threads);
  std::vector<std::future<unsigned>> results;
  for (int job = 0; job < jobs; ++job)
    results.push_back(pool.put(job));
  for (int job = 0; job < jobs; ++job)
    out[job] = results[job].get();
}

// A buffer of two semaphores, and a job for each thread that says that there are no more.
void buffer() {
  std::counting_semaphore<> space(16), there(0);
  std::mutex lock;
  std::deque<int> waiting;
  std::thread putter([&] {
    for (int job = 0; job < jobs + threads; ++job) {
      space.acquire();
      {
        const std::lock_guard guard(lock);
        waiting.push_back(job);
      }
      there.release();
    }
  });
  inThreads([&](int) {
    for (;;) {
      there.acquire();
      int job;
      {
        const std::lock_guard guard(lock);
        job = waiting.front();
        waiting.pop_front();
      }
      space.release();
      if (job >= jobs)
        return;
      doJob(job);
    }
  });
  putter.join();
}

// ---- shares ----

int shareOf(int thread) { return (thread + 1) * jobs / 5; }
void shares() {
  std::mutex lock;
  inThreads([&](int thread) {
    for (int item = 0; item < shareOf(thread); ++item) {
      const unsigned result = grind(10, item);
      const std::lock_guard guard(lock);
      out[0] += result;
    }
  });
}
void progress() {
  std::atomic<int> done{0};
  std::atomic<unsigned> sum{0};
  inThreads([&](int thread) {
    for (int item = 0; item < shareOf(thread); ++item) {
      sum += grind(10, item);
      if (++done % 1000 > 990)
        std::fputs("soon\n", stderr);
    }
  });
  out[0] = sum;
}

// A slot is taken for each item, the first one that is free: no job.
void slots() {
  constexpr int most = 64;
  static std::atomic<bool> used[most];
  static unsigned results[most];
  inThreads([&](int thread) {
    for (int item = 0; item < shareOf(thread); ++item) {
      int slot = 0;
      for (int i = 0; i < most; ++i)
        if (!used[i].exchange(true)) {
          slot = i;
          break;
        }
      results[slot] += grind(10, item);
      std::atomic<bool> &mine = used[slot];
      mine = false;
    }
  });
  out[0] = std::accumulate(results, results + most, 0u);
}

// Who is done with the last job does something for all of them.
void last() {
  std::atomic<int> next{0};
  int left = jobs;
  inThreads([&](int) {
    for (int job; (job = next++) < jobs;) {
      doJob(job);
      if (__atomic_sub_fetch(&left, 1, __ATOMIC_ACQ_REL) == 0)
        out[0] += grind(60, job);
    }
  });
}

// The same of a loop that a team shares.
void sums() {
  int left = jobs;
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(threads)
  for (int job = 0; job < jobs; ++job) {
    doJob(job);
    int now;
#pragma omp atomic capture
    now = --left;
    if (now == 0)
      out[0] += grind(60, job);
  }
}

// The same twice, and all wait for that each time.
void rounds() {
  std::atomic<int> next[2], done[2], round{0};
  inThreads([&](int) {
    for (int r = 0; r < 2; ++r) {
      for (int job; (job = next[r]++) < jobs;) {
        doJob(job);
        if (++done[r] == jobs) {
          out[0] += grind(60, job);
          round = r + 1;
          round.notify_all();
        }
      }
      for (int now; (now = round.load()) <= r;)
        round.wait(now);
    }
  });
}

// ---- what is known of them ----

struct Known {
  int work, way;
};
Known dealt(int from, int to, int together = 1) {
  std::vector<int> free(threads, 0);
  Known known{0, 0};
  for (int job = from; job < to; job += together) {
    int &first = *std::min_element(free.begin(), free.end());
    for (int k = job; k < std::min(job + together, to); ++k) {
      first += unitsOf(k);
      known.work += unitsOf(k);
    }
  }
  known.way = *std::max_element(free.begin(), free.end());
  return known;
}
Known all() { return dealt(0, jobs); }
Known pairs() { return dealt(0, jobs, 2); }
Known halves() {
  const Known a = dealt(0, jobs / 2), b = dealt(jobs / 2, jobs);
  return {a.work + b.work, a.way + b.way};
}
Known allAndLast() {
  const Known known = all();
  return {known.work + 60, known.way + 60};
}
Known twice() {
  const Known known = allAndLast();
  return {2 * known.work, 2 * known.way};
}
Known ofShares() {
  Known known{0, 10 * shareOf(threads - 1)};
  for (int t = 0; t < threads; ++t)
    known.work += 10 * shareOf(t);
  return known;
}

const std::map<std::string, std::pair<void (*)(), Known (*)()>> forms = {
    {"exchange", {exchange, all}},
    {"pieces", {pieces, pairs}},
    {"swap", {swap, all}},
    {"flags", {flags, all}},
    {"marks", {marks, all}},
    {"stopped", {stopped, all}},
    {"buffer", {buffer, all}},
    {"counter", {counter, all}},
    {"chunks", {chunks, pairs}},
    {"source", {source, all}},
    {"down", {down, all}},
    {"phases", {phases, all}},
    {"looks-first", {looksFirst, all}},
    {"singles", {singles, all}},
    {"team", {team, all}},
    {"critical", {critical, all}},
    {"locked", {locked, all}},
    {"results", {results, all}},
    {"queue", {queue, all}},
    {"pool", {pool, halves}},
    {"batches", {batches, halves}},
    {"shares", {shares, ofShares}},
    {"last", {last, allAndLast}},
    {"sums", {sums, allAndLast}},
    {"rounds", {rounds, twice}},
    {"slots", {slots, ofShares}},
    {"progress", {progress, ofShares}}};

} // namespace

int main(int, char **words) {
  const bool isAsked = std::strcmp(words[1], "--known") == 0;
  words += isAsked ? 2 : 1;
  const auto &[run, known] = forms.at(*words);
  threads = std::atoi(words[1]);
  jobs = std::atoi(words[2]);
  out.assign(jobs, 0);
  if (isAsked) {
    const Known k = known();
    std::printf("%d %d\n", k.work, k.way);
    return 0;
  }
  run();
  std::printf("%u\n", std::accumulate(out.begin(), out.end(), 0u));
}
