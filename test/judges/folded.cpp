// Threads that have locks many times: folded FORM THREADS SECTIONS. What a section does hangs on numbers that are alike
// however many there are.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

enum { locks = 16 };
static std::mutex mutexes[locks], results;
static std::condition_variable condition;
static unsigned long sums[locks], next_job, jobs;

static unsigned work(unsigned x, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    x = x * 1664525 + 1013904223;
  return x;
}

/// Has one of so many locks at random, and at every hundredth section lets others go on.
static void random_locks(unsigned seed, unsigned long sections, unsigned among, bool signals) {
  unsigned x = seed;
  for (unsigned long i = 0; i < sections; ++i) {
    x = work(x, 50 + (x >> 8) % 100);
    const unsigned which = (x >> 16) % among;
    std::lock_guard lock(mutexes[which]);
    x = work(x, 30);
    sums[which] += x & 1;
    if (signals && i % 100 == 0)
      condition.notify_one();
  }
}

/// Another lock behind each.
static void two_locks(unsigned seed, unsigned long sections) {
  unsigned x = seed;
  for (unsigned long i = 0; i < sections / 2; ++i) {
    x = work(x, 50 + (x >> 8) % 100);
    {
      std::lock_guard lock(mutexes[0]);
      x = work(x, 10);
    }
    std::lock_guard lock(results);
    x = work(x, 20);
    sums[0] += x & 1;
  }
}

static void take_jobs() {
  for (;;) {
    unsigned long job;
    {
      std::lock_guard lock(mutexes[0]);
      if (next_job == jobs)
        return;
      job = next_job++;
    }
    const unsigned x = work(1, 50 + job * 7919 % 400);
    std::lock_guard lock(results);
    sums[0] += x;
  }
}

static std::atomic<unsigned long> counter;

static void count_jobs() {
  unsigned long job;
  while ((job = counter++) < jobs) {
    const unsigned x = work(1, 50 + job * 7919 % 400);
    if (job % 2 == 0) {
      std::lock_guard lock(results);
      sums[0] += x;
    }
  }
}

int main(int, char **argv) {
  const char *form = argv[1];
  const unsigned threads = std::atoi(argv[2]);
  const unsigned long sections = std::atol(argv[3]);
  jobs = sections * threads / 2;
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t)
    all.emplace_back([=] {
      const unsigned seed = 7919 * t + 1;
      if (std::strcmp(form, "one") == 0)
        random_locks(seed, sections, 1, false);
      else if (std::strcmp(form, "many") == 0)
        random_locks(seed, sections, locks, false);
      else if (std::strcmp(form, "signals") == 0)
        random_locks(seed, sections, 4, true);
      else if (std::strcmp(form, "two") == 0)
        two_locks(seed, sections);
      else if (std::strcmp(form, "counter") == 0)
        count_jobs();
      else
        take_jobs();
    });
  for (std::thread &t : all)
    t.join();
  std::printf("%lu\n", sums[0]);
}
