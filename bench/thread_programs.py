"""Programs with threads, made by chance: C++20 of a seed. argv: number of threads.

Each begins and ends with work of one thread, and has two or three of the forms below between them, one after the other; sizes and
costs are drawn. work(n) goes through a loop n * 2000 times, or, with -DSLEEP, sleeps n milliseconds, so that more threads than
processors can be waited for by the clock: who came late sleeps less the next time. What was worked in all is printed, and how long it took."""
import random

BEGIN = r"""// Seed %d: %s.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <future>
#include <latch>
#include <mutex>
#include <omp.h>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>
static int P;
static std::atomic<long> worked;
#ifdef SLEEP
#include <time.h>
static thread_local long late;
[[gnu::noinline]] static void work(long n) {
  worked.fetch_add(n, std::memory_order_relaxed);
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const long until = now.tv_sec * 1000000000 + now.tv_nsec + n * 1000000 - late;
  const timespec to = {until / 1000000000, until %% 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &to, nullptr);
  clock_gettime(CLOCK_MONOTONIC, &now);
  late = now.tv_sec * 1000000000 + now.tv_nsec - until;
}
#else
[[gnu::noinline]] static void work(long n) {
  worked.fetch_add(n, std::memory_order_relaxed);
  for (volatile long i = 0; i < n * 2000; i = i + 1)
    ;
}
#endif
"""


class Maker:
    def __init__(self, seed, openmp):
        self.rng = random.Random(seed)
        self.openmp = openmp
        self.count = 0

    def costs(self, n, mean):
        """Of n jobs, as an array of the program's."""
        law = self.rng.choice(["even", "exponential", "two"])
        drawn = {"even": lambda: mean, "exponential": lambda: self.rng.expovariate(1 / mean),
                 "two": lambda: mean * (5 if self.rng.random() < 0.1 else 0.6)}[law]
        self.count += 1
        values = ", ".join(str(max(1, round(drawn()))) for _ in range(n))
        self.globals.append(f"static const int cost{self.count}[] = {{{values}}};")
        return f"cost{self.count}"

    def between(self, a, b):
        return self.rng.randint(a, b)

    # Teams of OpenMP, which can be told with other numbers of threads.
    def loop(self):
        n = self.between(60, 140)
        schedule = self.rng.choice(["static", "static,1", f"static,{self.between(2, 5)}", "monotonic:dynamic",
                                    f"monotonic:dynamic,{self.between(2, 3)}", "guided"])
        section = self.rng.choice(["", "", f"\n#pragma omp critical(c{self.count})\n    work({self.between(1, 2)});"])
        c = self.costs(n, 8)
        return f"""#pragma omp parallel for num_threads(P) schedule({schedule})
  for (int i = 0; i < {n}; ++i) {{
    work({c}[i]);{section}
  }}"""

    def loops(self):
        n, m, k = self.between(40, 80), self.between(40, 80), self.between(3, 9)
        c, d = self.costs(n, 8), self.costs(m, 8)
        first, second = self.rng.choice([("static", "static"), ("static", "monotonic:dynamic"), ("monotonic:dynamic,2", "guided")])
        nowait = self.rng.choice([" nowait", ""])
        return f"""#pragma omp parallel num_threads(P)
  {{
#pragma omp for schedule({first}){nowait}
    for (int i = 0; i < {n}; ++i)
      work({c}[i]);
#pragma omp for schedule({second})
    for (int i = 0; i < {m}; ++i)
      work({d}[i]);
#pragma omp single
    work({k});
  }}"""

    def tasks(self):
        n, kids = self.between(20, 40), self.between(0, 3)
        c, d = self.costs(n, 10), self.costs(max(1, kids), 6)
        inner = f"""
      for (int j = 0; j < {kids}; ++j) {{
#pragma omp task firstprivate(j)
        work({d}[j]);
      }}
#pragma omp taskwait
      work(2);""" if kids else ""
        return f"""#pragma omp parallel num_threads(P)
#pragma omp single
  for (int i = 0; i < {n}; ++i) {{
#pragma omp task firstprivate(i)
    {{
      work({c}[i]);{inner}
    }}
  }}"""

    def taskloop(self):
        n = self.between(50, 100)
        c = self.costs(n, 8)
        return f"""#pragma omp parallel num_threads(P)
#pragma omp single
#pragma omp taskloop grainsize({self.between(1, 4)})
  for (int i = 0; i < {n}; ++i)
    work({c}[i]);"""

    def wavefront(self):
        n = self.between(5, 9)
        c = self.costs(n * n, 8)
        self.globals.append(f"static char done{self.count}[{(n + 1) * (n + 1)}];")
        at = f"done{self.count}"
        return f"""#pragma omp parallel num_threads(P)
#pragma omp single
  for (int i = 1; i <= {n}; ++i)
    for (int j = 1; j <= {n}; ++j) {{
#pragma omp task firstprivate(i, j) depend(in : {at}[(i - 1) * {n + 1} + j], {at}[i * {n + 1} + j - 1]) depend(out : {at}[i * {n + 1} + j])
      work({c}[(i - 1) * {n} + j - 1]);
    }}"""

    def sections(self):
        parts = "\n".join(f"#pragma omp section\n    work({self.between(20, 120)});" for _ in range(self.between(3, 9)))
        return f"#pragma omp parallel sections num_threads(P)\n  {{\n{parts}\n  }}"

    def group(self):
        n = self.between(10, 20)
        c = self.costs(n, 12)
        return f"""#pragma omp parallel num_threads(P)
#pragma omp single
  {{
    for (int round = 0; round < 3; ++round) {{
#pragma omp taskgroup
      for (int i = 0; i < {n}; ++i) {{
#pragma omp task firstprivate(i)
        work({c}[i]);
      }}
      work({self.between(2, 9)});
    }}
  }}"""

    # Threads of the program's own, with as many of them as there are.
    def team(self, body, before=""):
        return f"""{{
    std::vector<std::thread> threads;{before}
    for (int t = 0; t < P; ++t)
      threads.emplace_back([&, t] {{
        {body}
      }});
    for (auto &one : threads)
      one.join();
  }}"""

    def shares(self):
        n = self.between(60, 140)
        c = self.costs(n, 8)
        section = self.rng.choice(["", "          std::lock_guard hold(only);\n          work(1);\n"])
        how = self.rng.choice([f"int i = t; i < {n}; i += P", f"int i = {n} * t / P; i < {n} * (t + 1) / P; ++i"])
        return self.team(f"for ({how}) {{\n          work({c}[i]);\n{section}        }}", "\n    std::mutex only;")

    def counter(self):
        n = self.between(60, 140)
        c = self.costs(n, 8)
        return self.team(f"for (int i; (i = next++) < {n};)\n          work({c}[i]);", "\n    std::atomic<int> next = 0;")

    def queue(self):
        n, put, most = self.between(60, 120), self.between(0, 1), self.rng.choice([0, 0, self.between(1, 8)])
        c = self.costs(n, 10)
        wait = f"\n        space.wait(lock, [&] {{ return jobs.size() < {most}; }});" if most else ""
        tell = "\n          space.notify_one();" if most else ""
        return f"""{{
    std::mutex m;
    std::condition_variable some, space;
    std::deque<int> jobs;
    bool isOver = false;
    std::vector<std::thread> threads;
    for (int t = 0; t < P; ++t)
      threads.emplace_back([&] {{
        for (;;) {{
          std::unique_lock lock(m);
          some.wait(lock, [&] {{ return isOver || !jobs.empty(); }});
          if (jobs.empty())
            return;
          const int job = jobs.front();
          jobs.pop_front();{tell}
          lock.unlock();
          work({c}[job]);
        }}
      }});
    for (int i = 0; i < {n}; ++i) {{
      {"work(1);" if put else ""}
      {{
        std::unique_lock lock(m);{wait}
        jobs.push_back(i);
      }}
      some.notify_one();
    }}
    {{
      std::lock_guard lock(m);
      isOver = true;
    }}
    some.notify_all();
    for (auto &one : threads)
      one.join();
  }}"""

    def pipeline(self):
        n, stages, room = self.between(20, 40), self.between(2, 4), self.between(1, 4)
        costs = [self.costs(n, 6) for _ in range(stages)]
        threads = "\n".join(f"""    threads.emplace_back([&] {{
      for (int i = 0; i < {n}; ++i) {{
        {f"full[{s - 1}].acquire();" if s else ""}
        work({costs[s]}[i]);
        {f"free[{s - 1}].release();" if s else ""}
        {f"free[{s}].acquire(); full[{s}].release();" if s < stages - 1 else ""}
      }}
    }});""" for s in range(stages))
        made = ", ".join(f"std::counting_semaphore<>({{}})" for _ in range(stages))
        return f"""{{
    std::counting_semaphore<> full[] = {{{made.format(*["0"] * stages)}}}, free[] = {{{made.format(*[str(room)] * stages)}}};
    std::vector<std::thread> threads;
{threads}
    for (auto &one : threads)
      one.join();
  }}"""

    def rounds(self):
        n = self.between(3, 8)
        c = self.costs(37, 8)
        return self.team(f"for (int r = 0; r < {n}; ++r) {{\n          work({c}[(r * 5 + t) % 37]);\n          all.arrive_and_wait();\n        }}",
                         "\n    std::barrier all(P);")

    def latch(self):
        c = self.costs(37, 12)
        return self.team(f"if (t == 0)\n          work({self.between(10, 40)});\n        else\n          begun.wait();\n        if (t == 0)\n"
                         f"          begun.count_down();\n        work({c}[t % 37]);", "\n    std::latch begun(1);")

    def asyncs(self):
        n = self.between(3, 14)
        c = self.costs(n, 30)
        return f"""{{
    std::vector<std::future<int>> parts;
    for (int i = 0; i < {n}; ++i)
      parts.push_back(std::async(std::launch::async, [i] {{
        work({c}[i]);
        return i;
      }}));
    for (auto &one : parts)
      work(one.get() % 3);
  }}"""

    def tree(self):
        depth = self.between(2, 4)
        c = self.costs(31, 20)
        return f"""{{
    std::function<void(int, int)> walk = [&](int node, int left) {{
      work({c}[node % 31]);
      if (left == 0)
        return;
      auto one = std::async(std::launch::async, walk, 2 * node + 1, left - 1);
      walk(2 * node + 2, left - 1);
      one.get();
      work(2);
    }};
    walk(0, {depth});
  }}"""

    def readers(self):
        n, each = self.between(40, 80), self.between(4, 9)
        c = self.costs(n, 5)
        return self.team(f"""for (int i = t; i < {n}; i += P) {{
          work({c}[i]);
          if (i % {each} == 0) {{
            std::unique_lock write(table);
            work(2);
          }} else {{
            std::shared_lock read(table);
            work(2);
          }}
        }}""", "\n    std::shared_mutex table;")

    def permits(self):
        n, most = self.between(40, 80), self.between(1, 3)
        c = self.costs(n, 6)
        return self.team(f"for (int i = t; i < {n}; i += P) {{\n          work(2);\n          permits.acquire();\n          work({c}[i]);\n"
                         f"          permits.release();\n        }}", f"\n    std::counting_semaphore<> permits({most});")

    def ring(self):
        n = self.between(3, 6)
        return self.team(f"""for (int r = 0; r < {n}; ++r) {{
          work({self.between(2, 9)});
          std::unique_lock lock(m);
          moved.wait(lock, [&] {{ return turn == t; }});
          work(1);
          turn = (turn + 1) % P;
          moved.notify_all();
        }}""", "\n    std::mutex m;\n    std::condition_variable moved;\n    int turn = 0;")

    def promise(self):
        c = self.costs(37, 12)
        return self.team(f"if (t == 0) {{\n          work({self.between(10, 40)});\n          given.set_value(t);\n        }} else {{\n"
                         f"          work({self.between(1, 20)} + wanted.get());\n        }}\n        work({c}[t % 37]);",
                         "\n    std::promise<int> given;\n    std::shared_future<int> wanted = given.get_future().share();")

    def once(self):
        c = self.costs(37, 12)
        return self.team(f"work({c}[t % 37]);\n        std::call_once(made, [] {{ work({self.between(10, 30)}); }});\n        work({c}[(t + 5) % 37]);",
                         "\n    std::once_flag made;")

    def local(self):
        c = self.costs(37, 12)
        return self.team(f"work({c}[t % 37]);\n        static const int made = [] {{ work({self.between(10, 30)}); return 3; }}();\n"
                         f"        work({c}[(t + made) % 37]);")

    def flag(self):
        c = self.costs(37, 12)
        return self.team(f"if (t == P - 1) {{\n          work({self.between(10, 40)});\n          is.store(1);\n          is.notify_all();\n"
                         f"        }} else {{\n          is.wait(0);\n        }}\n        work({c}[t % 37]);", "\n    std::atomic<int> is = 0;")

    # Forms that came later, of seeds from 1000 on.
    def master(self):
        n = self.between(3, 6)
        c = self.costs(37, 8)
        return f"""#pragma omp parallel num_threads(P)
  for (int r = 0; r < {n}; ++r) {{
#pragma omp master
    work({self.between(2, 12)});
#pragma omp barrier
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 37; ++i)
      work({c}[i]);
  }}"""

    def locked(self):
        n = self.between(40, 90)
        c = self.costs(n, 7)
        return f"""{{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel for num_threads(P) schedule({self.rng.choice(["static", "static,2", "monotonic:dynamic"])})
    for (int i = 0; i < {n}; ++i) {{
      work({c}[i]);
      omp_set_lock(&lock);
      work(1);
      omp_unset_lock(&lock);
    }}
    omp_destroy_lock(&lock);
  }}"""

    def ordered(self):
        n = self.between(30, 60)
        c = self.costs(n, 8)
        return f"""#pragma omp parallel for num_threads(P) schedule(static, 1) ordered
  for (int i = 0; i < {n}; ++i) {{
    work({c}[i]);
#pragma omp ordered
    work(1);
  }}"""

    def unusual(self):
        n, words = self.between(20, 40), self.rng.choice(["untied", "if(i % 3 != 0)", "final(i % 4 == 0)", "priority(i % 5)", "mergeable"])
        c = self.costs(n, 9)
        return f"""#pragma omp parallel num_threads(P)
#pragma omp single
  for (int i = 0; i < {n}; ++i) {{
#pragma omp task firstprivate(i) {words}
    work({c}[i]);
  }}"""

    def branches(self):
        c = self.costs(31, 12)
        self.globals.append(f"""static void branch{self.count}(int node, int left) {{
  work({c}[node % 31]);
  if (left == 0)
    return;
#pragma omp task
  branch{self.count}(2 * node + 1, left - 1);
#pragma omp task
  branch{self.count}(2 * node + 2, left - 1);
#pragma omp taskwait
  work(1);
}}""")
        return f"#pragma omp parallel num_threads(P)\n#pragma omp single\n  branch{self.count}(0, {self.between(3, 5)});"

    def everyone(self):
        n = self.between(3, 7)
        c = self.costs(37, 9)
        return f"""#pragma omp parallel num_threads(P)
#pragma omp for schedule(static)
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < {n}; ++j) {{
#pragma omp task firstprivate(i, j)
      work({c}[(i * {n} + j) % 37]);
    }}"""

    def pool(self):
        n = self.between(30, 60)
        c = self.costs(n, 10)
        return f"""{{
    std::mutex m;
    std::condition_variable_any some;
    std::deque<std::packaged_task<int()>> jobs;
    std::vector<std::jthread> threads;
    for (int t = 0; t < P; ++t)
      threads.emplace_back([&](std::stop_token stop) {{
        for (;;) {{
          std::unique_lock lock(m);
          if (!some.wait(lock, stop, [&] {{ return !jobs.empty(); }}))
            return;
          auto job = std::move(jobs.front());
          jobs.pop_front();
          lock.unlock();
          job();
        }}
      }});
    std::vector<std::future<int>> answers;
    for (int i = 0; i < {n}; ++i) {{
      std::packaged_task<int()> job([i] {{
        work({c}[i]);
        return i;
      }});
      answers.push_back(job.get_future());
      {{
        std::lock_guard lock(m);
        jobs.push_back(std::move(job));
      }}
      some.notify_one();
    }}
    for (auto &one : answers)
      one.wait();
    for (auto &one : threads)
      one.request_stop();
  }}"""

    def both(self):
        n = self.between(40, 80)
        c = self.costs(n, 6)
        return self.team(f"""for (int i = t; i < {n}; i += P) {{
          work({c}[i]);
          std::scoped_lock hold(left, right);
          work(1);
        }}""", "\n    std::mutex left, right;")

    def striped(self):
        n, stripes = self.between(60, 120), self.between(2, 8)
        c = self.costs(n, 6)
        return self.team(f"""for (int i = t; i < {n}; i += P) {{
          work({c}[i]);
          std::lock_guard hold(stripes[i % {stripes}]);
          work(2);
        }}""", f"\n    std::vector<std::mutex> stripes({stripes});")

    def completion(self):
        n = self.between(3, 6)
        c = self.costs(37, 8)
        return self.team(f"for (int r = 0; r < {n}; ++r) {{\n          work({c}[(r * 5 + t) % 37]);\n          all.arrive_and_wait();\n        }}",
                         f"\n    std::barrier all(P, []() noexcept {{ work({self.between(2, 12)}); }});")

    def tries(self):
        n = self.between(30, 60)
        c = self.costs(n, 7)
        return self.team(f"""for (int i = t; i < {n}; i += P) {{
          work({c}[i]);
          while (!table.try_lock())
            work(1);
          work(1);
          table.unlock();
        }}""", "\n    std::mutex table;")

    def levels(self):
        c = self.costs(31, 12)
        return self.team(f"work({c}[t % 31]);\n        std::thread inner([t] {{ work({c}[(t + 7) % 31]); }});\n"
                         f"        work({c}[(t + 3) % 31]);\n        inner.join();\n        work(2);")

    def program(self, seed):
        names = ("loop loops tasks taskloop wavefront sections group" if self.openmp else
                 "shares counter queue pipeline rounds latch asyncs tree readers permits ring promise once local flag").split()
        if seed >= 1000:
            names = ("master locked ordered unusual branches everyone" if self.openmp else "pool both striped completion tries levels").split()
        self.globals = []
        chosen = self.rng.sample(names, self.rng.randint(2, 3))
        forms = [getattr(self, name)() for name in chosen]
        body = "\n".join(f if f.startswith("#") else "  " + f for f in forms)
        return BEGIN % (seed, ", ".join(chosen)) + "\n".join(self.globals) + f"""
int main(int, char **argv) {{
  P = std::atoi(argv[1]);
  const auto began = std::chrono::steady_clock::now();
  work({self.between(5, 30)});
{body}
  work({self.between(5, 30)});
  std::printf("%ld %f\\n", worked.load(), std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}}
"""


def source(seed):
    """The program of the seed, and whether it has teams of OpenMP (even seeds)."""
    return Maker(seed, seed % 2 == 0).program(seed), seed % 2 == 0
