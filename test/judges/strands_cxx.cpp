// What C++20 waits by without a lock, and futures: programs with known graphs, which carry the longest way along (strands_known.c)
// through each wait; PLAIN: without what knows it. Work between two of them is long beside the library's own code, of which a
// part lies between the place where the way is told and the one where the event is.
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Way { unsigned long long free, locked; };
extern "C" {
void known_begin(const Way *from);
void known_end(Way *to);
void known_say(Way *to);
void known_see(const Way *from);
#ifdef PLAIN
void known_begin(const Way *) {}
void known_end(Way *) {}
void known_say(Way *) {}
void known_see(const Way *) {}
#endif
}

namespace {

unsigned threads;
std::vector<unsigned> results(1 << 12);

__attribute__((noinline)) unsigned grind(unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < n; ++i)
    x = x % 7 == 3 ? x * 3 + i : x ^ (x >> 3) ^ i;
  return x;
}

/// A thread that hands the way on to who it begins and to who joins it.
class Thread {
public:
  template <class F> explicit Thread(F f) {
    known_say(&begin);
    thread = std::thread([this, f] {
      known_begin(&begin);
      f();
      known_end(&end);
    });
  }
  void join() {
    thread.join();
    known_see(&end);
  }

private:
  Way begin{}, end{};
  std::thread thread;
};
template <class F> void all(F f) {
  std::deque<Thread> team;
  for (unsigned t = 0; t < threads; ++t)
    team.emplace_back([f, t] { f(t); });
  for (Thread &t : team)
    t.join();
}

// Two gates: nobody works before the first one opens, and the first one goes on when all have passed the second.
void latches() {
  for (unsigned round = 0; round < 3; ++round) {
    std::latch open(1), done(threads);
    Way opened{}, finished{};
    Thread watcher([&] {
      done.wait();
      known_see(&finished);
      results[100 + round] = grind(20000);
    });
    Thread opener([&] {
      results[50] += grind(60000);
      known_say(&opened);
      open.count_down();
    });
    all([&](unsigned t) {
      open.wait();
      known_see(&opened);
      results[t] += grind(10000 + 7919 * (t + round) % 40000);
      known_say(&finished);
      if (t % 2 == 0)
        done.count_down();
      else
        done.arrive_and_wait();
      if (t % 2 != 0)
        known_see(&finished);
      results[t] += grind(3000);
    });
    opener.join();
    watcher.join();
  }
}

// The last one to come does something for all; one leaves early, another one comes and waits apart.
void barriers() {
  Way met[16]{}, complete[16]{};
  int phase = 0;
  auto completion = [&]() noexcept {
    known_see(&met[phase]);
    results[200 + phase] = grind(15000);
    known_say(&complete[phase]);
    ++phase;
  };
  std::barrier meeting(threads, completion);
  all([&](unsigned t) {
    for (int i = 0; i < 6; ++i) {
      results[t] += grind(5000 + 104729 * (t + 3 * i) % 30000);
      known_say(&met[i]);
      if (t == 1 && i == 3) {
        meeting.arrive_and_drop();
        return;
      }
      if (t == 0) {
        auto token = meeting.arrive();
        results[t] += grind(9000);
        meeting.wait(std::move(token));
      } else {
        meeting.arrive_and_wait();
      }
      known_see(&complete[i]);
    }
  });
}

// One adds, one takes; there is more than one at first, and several are added at once.
void semaphores() {
  std::counting_semaphore<1000> full(0), free(3);
  std::binary_semaphore last(0);
  std::vector<Way> added(400), taken(400);
  Way ended{};
  Thread consumer([&] {
    for (unsigned i = 0; i < 100; ++i) {
      if (i % 5 != 0 || !full.try_acquire())
        full.acquire();
      known_see(&added[i]);
      results[0] += grind(3000 + 997 * i % 20000);
      known_say(&taken[i]);
      free.release();
    }
    known_say(&ended);
    last.release();
  });
  for (unsigned i = 0; i < 100; i += 2) {
    for (unsigned k = 0; k < 2; ++k) {
      free.acquire();
      if (i + k >= 3)
        known_see(&taken[i + k - 3]);
    }
    results[1] += grind(9000);
    known_say(&added[i]);
    known_say(&added[i + 1]);
    full.release(2);
  }
  last.acquire();
  known_see(&ended);
  results[2] = grind(5000);
  consumer.join();
}

// Tasks of a pool, each with a future; who asks for the last one first has waited for all before.
void futures() {
  struct Job { std::packaged_task<unsigned()> run; Way done; };
  std::deque<Job> jobs(threads * 3);
  std::vector<std::future<unsigned>> answers;
  for (size_t j = 0; j < jobs.size(); ++j) {
    Job &job = jobs[j];
    job.run = std::packaged_task<unsigned()>([&job, j] {
      const unsigned x = grind(8000 + 1299709 * static_cast<unsigned>(j) % 50000);
      known_say(&job.done);
      return x;
    });
    answers.push_back(job.run.get_future());
  }
  std::promise<unsigned> begin;
  std::shared_future<unsigned> begun = begin.get_future().share();
  Way given{};
  std::deque<Thread> pool;
  for (unsigned t = 0; t < threads; ++t)
    pool.emplace_back([&, t, begun] {
      results[300 + t] = begun.get();
      known_see(&given);
      for (size_t j = t; j < jobs.size(); j += threads)
        jobs[j].run();
    });
  const unsigned value = grind(40000);
  known_say(&given);
  begin.set_value(value);
  for (size_t j = jobs.size(); j-- > 0;) {
    if (j % 3 == 0 && answers[j].wait_for(std::chrono::seconds(0)) != std::future_status::ready)
      while (answers[j].wait_for(std::chrono::seconds(100)) != std::future_status::ready)
        ;
    results[j] = answers[j].get();
    known_see(&jobs[j].done);
    results[j] += grind(2000);
  }
  for (Thread &t : pool)
    t.join();
}

// Several count down to what one waits for in a loop, late or not; another one goes through what was done, one by one.
void countdowns() {
  for (unsigned round = 0; round < 4; ++round) {
    std::atomic<unsigned> left{threads}, stage{0};
    Way finished{}, staged[8]{};
    Thread follower([&] {
      if (round % 2 != 0)
        results[90] += grind(300000);
      for (unsigned i = 0; i < 8; ++i) {
        stage.wait(i);
        known_see(&staged[i]);
        results[91] += grind(20000);
      }
    });
    std::deque<Thread> team;
    for (unsigned t = 0; t < threads; ++t)
      team.emplace_back([&, t] {
        results[t] += grind(20000 + 7919 * (t + round) % 90000);
        known_say(&finished);
        if (left.fetch_sub(1) == 1)
          left.notify_all();
      });
    for (unsigned i = 0; i < 8; ++i) {
      results[92] += grind(15000);
      known_say(&staged[i]);
      stage.store(i + 1);
      stage.notify_one();
    }
    for (unsigned now = left.load(); now != 0; now = left.load())
      left.wait(now);
    known_see(&finished);
    results[93] += grind(50000);
    for (Thread &t : team)
      t.join();
    follower.join();
  }
}

// A turn goes round.
void atomics() {
  std::vector<std::atomic<unsigned>> turn(threads * 5 + 1);
  std::vector<Way> given(threads * 5 + 1);
  turn[0] = 1;
  all([&](unsigned t) {
    results[t] += grind(4000 + 31 * t % 977);
    for (unsigned round = 0; round < 5; ++round) {
      const unsigned mine = round * threads + t;
      turn[mine].wait(0);
      known_see(&given[mine]);
      results[t] += grind(6000 + 17 * mine % 1999);
      known_say(&given[mine + 1]);
      turn[mine + 1].store(1);
      turn[mine + 1].notify_all();
    }
  });
}

Way initialised[3];
template <unsigned K> unsigned variable() {
  static const unsigned value = [] {
    const unsigned x = grind(60000 + 9000 * K);
    known_say(&initialised[K]);
    return x;
  }();
  known_see(&initialised[K]);
  return value;
}

// Who comes first does it, and the others wait for that: also those who came so late that they did not have to.
void once() {
  std::vector<std::once_flag> flags(4);
  std::vector<Way> done(flags.size());
  all([&](unsigned t) {
    results[t] += grind(9000 + 7919 * t % 70000);
    for (unsigned k = 0; k < 4 * flags.size(); ++k) {
      const unsigned flag = (k + t) % flags.size();
      std::call_once(flags[flag], [&] {
        results[100 + flag] = grind(80000);
        known_say(&done[flag]);
      });
      known_see(&done[flag]);
      results[t] += grind(3000 + 17 * t) + variable<0>();
      if (k % 2 != 0)
        results[t] += variable<1>() + grind(2000) + variable<2>();
    }
  });
}

} // namespace

int main(int count, char **words) {
  threads = count > 2 ? static_cast<unsigned>(std::stoul(words[2])) : 4;
  const std::pair<const char *, void (*)()> programs[] = {
      {"latches", latches}, {"barriers", barriers}, {"semaphores", semaphores}, {"futures", futures}, {"countdowns", countdowns}, {"atomics", atomics}, {"once", once}};
  for (const auto &[name, run] : programs)
    if (count > 1 && std::strcmp(words[1], name) == 0)
      run();
  unsigned sum = 0;
  for (const unsigned r : results)
    sum = sum * 31 + r;
  std::printf("%u\n", sum);
}
