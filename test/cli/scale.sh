#!/bin/bash
# Wall times by number of threads: programs of which one can say what they take, in counts.
# Alone: threads that sleep are timed.
. "$(dirname "$0")/common"

strands="$clang -fplugin-arg-quincunx-record=counts,calls,strands -O1 -g"
cat >team.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) static void grind(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink = i;
}
int main(int argc, char **argv) {
  unsigned n = (unsigned)atoi(argv[1]);
  (void)argc;
  grind(10000 * n);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 48; ++i)
    grind(1000 * n);
  return 0;
}
END
$strands -fopenmp -o team team.c
"$quincunx" run -q -o team.qx --threads 1,2,4,48 -- ./team {} ::: 3 5 8
"$quincunx" scale --unit counts --json team.qx >team.json
expects() { # expects NAME FILE PYTHON: the expression holds of the document j
  if python3 -c "
import json, sys
j = json.load(open('$2'))
of = {g['threads']: g for g in j['byThreads']}
near = lambda x, y, e=0.002: abs(x / y - 1) < e
sys.exit(not ($3))"; then ok "$1"; else bad "$1"; fi
}
expects "one group for each number of threads" team.json 'list(of) == [1, 2, 4, 48] and all(g["runs"] == 3 for g in of.values())'
expects "one thread has no speedup" team.json 'of[1]["speedup"]["p50"] == 1 and of[1]["efficiency"]["p50"] == 1 and not of[1]["waits"]'
expects "10 parts in a row and 48 that are shared: 58 / (10 + 48 / threads)" team.json 'all(near(of[t]["speedup"]["p50"], 58 / (10 + 48 / t), 0.005) for t in of)'
expects "what the time of 48 threads consists of: 10 parts before the team, and one in it" team.json '[(c["upTo"], near(c["mean"] / sum(c["mean"] for c in of[48]["chain"]), share, 0.01)) for c, share in zip(of[48]["chain"], (10 / 11, 1 / 11))] == [("create", True), ("iterations", True)]'
expects "labels tell the threads" team.json '"3 threads=48" in [r["label"] for r in j["runs"]]'
expects "nothing was timed" team.json 'all(g["clock"] is None for g in of.values())'
"$quincunx" scale --unit counts --processors 1 --json team.qx >one.json
expects "the chain is all of it" one.json 'all(near(sum(c["mean"] for c in g["chain"]), 1, 1e-9) for g in of.values())'
expects "on one processor all threads take as long as one" one.json 'all(near(r["time"], r["alone"], 1e-9) for r in j["runs"])'
"$quincunx" scale --unit counts --processors 4 --json team.qx >four.json
expects "48 threads on four processors are four threads" four.json 'near(of[48]["time"]["p50"]["value"], of[4]["time"]["p50"]["value"])'
expects "three runs know no p99, and nothing above it" team.json 'of[4]["time"]["p99"]["atLeast"] and of[4]["time"]["p99"]["interval"] == [max(r["time"] for r in j["runs"] if r["threads"] == 4), None]'
"$quincunx" scale --unit counts team.qx >out
has "the table has a row for each" '^ +48 +3 ' out
has "and says what threads wait for" '^ *[0-9.]+ %  not begun, or ended' out
if python3 -c 'import sys; sys.exit(any(len(line) > 101 for line in open("out", encoding="utf-8") if not line.startswith("note")))'; then ok "it fits 100 columns"; else bad "it fits 100 columns"; fi
has "draws speedups" '^ +48  [^ ]+ 5.28$' out
"$quincunx" scale --unit counts --threads 1,48,100,200 team.qx >out
has "and says from where on threads hardly help" '^p50 is shortest with 48 threads$' out

# Numbers of threads with which nothing ran, told from 48.
"$quincunx" scale --unit counts --threads 1,3..6:3,100 --json team.qx >told.json
expects "other numbers of threads" told.json 'list(of) == [1, 3, 6, 100] and all(near(of[t]["speedup"]["p50"], 58 / (10 + max(48 / t, 1)), 0.005) for t in of)'
expects "from the runs with most" told.json 'all(r["toldFrom"] == (None if r["threads"] == 1 else 48) for r in j["runs"])'
expects "and the rest of the runs tests them" told.json 'any(n["kind"] == "told" and "by 0 % in the median" in n["text"] for n in j["notes"])'
gives 2 "numbers that are none" scale --threads 4..2 team.qx
gives 2 "no number" scale --threads 1,,2 team.qx
"$quincunx" whatif --unit counts --json team.qx 'schedule(team.c:13) = static,40' >chunks.json
expects "two chunks, of 40 and 8" chunks.json 'all(near(r["after"]["alone"] / r["after"]["time"], 1 if r["threads"] == 1 else 58 / (10 + 40), 0.005) for r in j["runs"])'

# Efficiency and its factors, in reports: the first thread works all the time.
gives 0 "a report of numbers of threads" report --threads 2,100 --unit counts --json team.qx
python3 -c 'import json; j = json.load(open("out")); json.dump({"byThreads": j["wallByThreads"], **j}, open("factors.json", "w"))'
expects "times and speedups are those of scale" factors.json 'list(of) == [2, 100] and all(near(of[t]["speedup"], 58 / (10 + max(48 / t, 1)), 0.005) for t in of)'
expects "what takes efficiency is the load balance" factors.json 'all(near(of[t]["loadBalance"][p], 58 / t / (10 + max(48 / t, 1)), 0.005) and near(of[t]["serialisation"][p], 1) and near(of[t]["efficiency"][p], of[t]["loadBalance"][p], 0.005) for t in of for p in ("p1", "p10", "p50"))'
gives 0 "for people" report --threads 2,100 --unit counts team.qx
has "a row for each" '^ +100 +[0-9.]+ % +[0-9.]+ % +[0-9.]+ % +[0-9.]+ % +(100[.]0|99[.]9) % ' out
gives 2 "of calls" report --per call --threads 2 team.qx
has "it is refused" '--threads is of whole runs' err

# Shares of 1 to 4 parts, and a lock for each item: threads are done one after another, and nobody takes jobs.
cat >shares.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sink, sum;
static int items;
static void *share(void *which) {
  for (long i = 0; i < (1 + (long)which) * items; ++i) {
    for (unsigned k = 0; k < 5000; ++k)
      sink = k;
    pthread_mutex_lock(&mutex);
    sum += (unsigned)i;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}
int main(int argc, char **argv) {
  pthread_t threads[4];
  items = atoi(argv[argc - 1]);
  for (long t = 0; t < 4; ++t)
    pthread_create(&threads[t], 0, share, (void *)t);
  for (int t = 0; t < 4; ++t)
    pthread_join(threads[t], 0);
  return 0;
}
END
$strands -pthread -o shares shares.c
"$quincunx" run -q -o shares.qx -- ./shares {} ::: 20 50
"$quincunx" scale --unit counts --json shares.qx >shares.json
expects "shares stay as they were" shares.json 'all(r["time"] == r["withJobsAsTaken"] for r in j["runs"]) and not any(g["queues"] for g in j["byThreads"])'
expects "ten parts take as long as the four of the largest" shares.json 'all(near(r["alone"] / r["time"], 10 / 4, 0.02) for r in j["runs"])'

"$quincunx" run -q -o forgot.qx --threads 2,8 -- ./shares {} ::: 20
"$quincunx" scale --unit counts forgot.qx >out
has "a program that does not know how many threads it is to have" '^note: runs had 5 threads each, whether 2 or 8 were asked for: ' out
"$quincunx" critical forgot.qx >out
has "runs of several numbers are told to be together" '^note: runs with 2 to 8 threads are taken together' out
gives 1 "a run named by its input alone" critical forgot.qx 20
has "its runs are listed" "runs of 20 are called '20 threads=2', '20 threads=8'" err

# Workers that take jobs as they come: who took how many was chance, and is simulated.
cat >free.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int left = 60;
static volatile unsigned sink;
__attribute__((noinline)) static void grind(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink = i;
}
static int take(void) {
  pthread_mutex_lock(&mutex);
  int got = left > 0 ? left-- : 0;
  pthread_mutex_unlock(&mutex);
  return got;
}
static void *work(void *unused) {
  (void)unused;
  while (take())
    grind(10000);
  return 0;
}
int main(int argc, char **argv) {
  (void)argc;
  int n = atoi(argv[1]);
  pthread_t threads[64];
  for (int t = 0; t < n; ++t)
    pthread_create(&threads[t], 0, work, 0);
  for (int t = 0; t < n; ++t)
    pthread_join(threads[t], 0);
  return 0;
}
END
$strands -pthread -o free free.c
"$quincunx" run -q -o free.qx --threads 1,4,6 -- ./free {threads} ::: job
"$quincunx" scale --unit counts --json free.qx >free.json
gives 1 "threads that are no team's with other numbers" scale --unit counts --threads 8 free.qx
has "it says that more of them do what nobody knows" 'the program has no teams of OpenMP' err
expects "jobs of a queue are taken as threads come" free.json 'all(near(of[t]["speedup"]["p50"], t, 0.03) for t in of if t > 1)'
expects "who has what: the label, the feature and {threads}" free.json '[(r["label"], r["threads"]) for r in j["runs"]] == [(f"job threads={t}", t) for t in (1, 4, 6)]'

# Threads that sleep in place of working take as long as was said, on any number of processors: workers with a queue, a lock
# and a signal for each job, tasks in tasks, a team with barriers.
cat >mixed.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t put = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static sem_t few;
static int jobs[200], first, last, closed;
static volatile unsigned sink;
__attribute__((noinline)) static void grind(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink = i;
}
static int walk(int depth) {
  int left = 0, right = 0;
  if (depth > 0) {
#pragma omp task shared(left)
    left = walk(depth - 1);
    right = walk(depth - 1);
#pragma omp taskwait
  }
  grind(40000 + 9000 * (unsigned)depth);
  return left + right + 1;
}
static void *work(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (first == last && !closed)
      pthread_cond_wait(&put, &mutex);
    int job = first < last ? jobs[first++] : -1;
    pthread_mutex_unlock(&mutex);
    if (job < 0)
      return 0;
    grind(50000 + 3000 * (unsigned)job);
    sem_wait(&few);
    grind(30000);
    sem_post(&few);
    job % 5 ? pthread_rwlock_rdlock(&table) : pthread_rwlock_wrlock(&table);
    grind(20000);
    pthread_rwlock_unlock(&table);
  }
}
int main(int argc, char **argv) {
  (void)argc;
  int n = atoi(argv[1]);
  pthread_t threads[64];
  sem_init(&few, 0, 4);
  for (int t = 0; t < n; ++t)
    pthread_create(&threads[t], 0, work, 0);
  for (int job = 0; job < 100; ++job) {
    grind(6000);
    pthread_mutex_lock(&mutex);
    jobs[last++] = job;
    pthread_cond_signal(&put);
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_lock(&mutex);
  closed = 1;
  pthread_cond_broadcast(&put);
  pthread_mutex_unlock(&mutex);
  for (int t = 0; t < n; ++t)
    pthread_join(threads[t], 0);
#pragma omp parallel
#pragma omp single
  walk(6);
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < 100; ++i)
    grind(1000 * (unsigned)i);
  return 0;
}
END
$strands -fopenmp -pthread -o mixed mixed.c
"$quincunx" run -q -o mixed.qx --threads 3,16,64 -- ./mixed {threads} ::: all
sed 's/^unit .*/unit ns/' "$root/machines/x86-64.machine" >ns.machine
for n in 3 16 64; do # slowed down so that each takes seconds
  "$quincunx" replay --machine ns.machine mixed.qx "all threads=$n" >replay.c
  ${plain%% *} -O2 -Wall -Wextra -pthread -o replay replay.c
  python3 -c '
import re, subprocess, sys
least = None
for attempt in range(6): # what else the machine does only makes it longer
    said = subprocess.run(["./replay", sys.argv[1]], capture_output=True, text=True, check=True).stdout
    seconds, predicted = map(float, re.match(r"took ([0-9.]+) s, predicted ([0-9.]+) s", said).groups())
    least = min(seconds, least or seconds)
    if -0.04 < predicted / least - 1 < 0.03:
        break
print(f"{100 * (predicted / least - 1):+.2f} %")
sys.exit(not -0.08 < predicted / least - 1 < 0.03)' $((n == 3 ? 40 : n == 16 ? 200 : 400)) >took && ok "replay: $n threads: $(cat took)" || bad "replay: $n threads: $(cat took)"
done
cat >trace.py <<'END'
import collections, json, re, sys
events = json.load(open("trace.json"))["traceEvents"]
predicted = float(re.search(r"double predicted = ([0-9.e+-]+)", open("replay.c").read()).group(1))
rows, end = collections.defaultdict(list), 0
for e in events:
    if e["ph"] == "X":
        rows[e["tid"]].append((e["ts"], e["ts"] + e["dur"]))
        end = max(end, e["ts"] + e["dur"])
small = end * 1e-9
named = {e["tid"] for e in events if e["name"] == "thread_name"}
apart = all(a[1] <= b[0] + small for row in rows.values() for row in [sorted(row)] for a, b in zip(row, row[1:]))
n = int(sys.argv[1]) # workers; as many threads of OpenMP come after them
print(n + 1 <= len(rows) <= 2 * n + 1, apart, set(rows) == named, abs(end / 1e6 / predicted - 1) < 1e-6)
END
for n in 3 16; do # the workers and who makes them; tasks have rows of who is free
  "$quincunx" replay --machine ns.machine mixed.qx "all threads=$n" >replay.c
  gives 0 "threads over time" export chrome --machine ns.machine --run "all threads=$n" mixed.qx
  mv out trace.json
  same "$n: no more rows than threads, nobody does two things at once, and it ends when replay says" "True True True True" "$(python3 trace.py $n)"
  has "with places" '"name":"work \(mixed.c:[0-9]+\)"' trace.json
done
gives 0 "a timeline of jobs" export chrome --machine ns.machine --run "job threads=4" free.qx
has "with waits" '"waits for [a-z ]+","cat":"wait"' out
gives 1 "a timeline of requests" export chrome --per request --run "all threads=3" mixed.qx
gives 2 "a timeline of no run" export chrome mixed.qx
gives 2 "a run of what is of all runs" export csv --run "all threads=3" mixed.qx
gives 1 "a replay in counts" replay mixed.qx "all threads=3"
has "it says what helps" 'a replay takes time, and these costs are in cost units; calibrate the corpus' err
gives 1 "a run that there is not" replay --machine ns.machine mixed.qx nothing
has "it says where runs are listed" 'quincunx corpus ls lists runs' err

expects "and the place is told" free.json 'of[6]["queues"][0]["function"] == "take" and not of[1]["queues"]'
"$quincunx" report team.qx >out
has "a report says that it takes them together" 'runs with 1 to 48 threads are taken together: quincunx scale tells them apart' out
gives 2 "a number of threads that nobody gives" run -o n.qx -- ./free {threads} ::: 1
has "it says which option does" 'say how many: --threads 1,2,4' err

# Tasks wait while their threads execute others: shares are of threads, and no more than all.
cat >tasks.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) static void grind(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink = i;
}
static void walk(int depth) {
  if (depth == 0) {
    grind(20000);
    return;
  }
#pragma omp task
  walk(depth - 1);
  walk(depth - 1);
#pragma omp taskwait
}
int main(int argc, char **argv) {
  (void)argc;
#pragma omp parallel
#pragma omp single
  walk(atoi(argv[1]));
  return 0;
}
END
$strands -fopenmp -o tasks tasks.c
"$quincunx" run -q -o tasks.qx --threads 2,8 -- ./tasks {} ::: 7
"$quincunx" scale --unit counts --json tasks.qx >tasks.json
expects "waits and work are no more than all time" tasks.json 'all(sum(w["share"] for w in g["waits"]) + g["efficiency"]["p50"] < 1.001 for g in of.values())'
expects "and the chain is all of the time" tasks.json 'all(near(sum(c["mean"] for c in g["chain"]), 1, 1e-9) for g in of.values())'
expects "128 equal tasks keep 8 threads at work" tasks.json 'of[8]["speedup"]["p50"] > 7.5'
# Whom a thread robs is drawn: of a tree whose tasks wait for two each, that makes a difference.
cat >tree.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
static void grind(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink = i;
}
static void node(unsigned depth, unsigned number) {
  if (depth == 0) {
    grind(2000 * (1 + number * 7 % 11));
    return;
  }
#pragma omp task
  node(depth - 1, 2 * number);
#pragma omp task
  node(depth - 1, 2 * number + 1);
#pragma omp taskwait
  grind(500);
}
int main(int argc, char **argv) {
  unsigned depth = (unsigned)atoi(argv[1]);
  (void)argc;
#pragma omp parallel
#pragma omp single
  node(depth, 1);
  return 0;
}
END
$strands -fopenmp -o tree tree.c
"$quincunx" run -q -o tree.qx --threads 1,8 -- ./tree {} ::: 6
"$quincunx" scale --unit counts --threads 1,2,8,16 --json tree.qx >tree.json
expects "one thread robs nobody" tree.json 'all(r["byDraws"] == [r["time"]] * 2 for r in j["runs"] if r["threads"] == 1)'
expects "what 16 threads take is the median of draws" tree.json 'all(low < r["time"] <= high and high > 1.05 * low for r in j["runs"] if r["threads"] == 16 for low, high in [r["byDraws"]])'
expects "and no draw is below its work on 16" tree.json 'all(r["alone"] / 16 < r["byDraws"][0] for r in j["runs"] if r["threads"] == 16)'
"$quincunx" scale --unit counts --threads 16 tree.qx >out
has "a note says so" '^note: threads race for tasks: .* may as well be [0-9]+ % (shorter|longer) with 16 threads' out
"$quincunx" whatif --unit counts --json tree.qx 'threads = 8' >same.json
expects "as many threads as there were take what they took" same.json 'all(r["after"] == r["before"] for r in j["runs"] if r["threads"] == 8)'
# Who has waited for its own tasks, and is at a barrier, does those of others there.
cat >uneven.c <<'END'
static volatile unsigned sink;
static void grind(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink = i;
}
int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 60; ++i) {
#pragma omp task
      grind(i < 30 ? 20000 : 1000);
    }
#pragma omp taskwait
#pragma omp barrier
  }
  return 0;
}
END
$strands -fopenmp -o uneven uneven.c
"$quincunx" run -q -o uneven.qx --repeat 1 --threads 2 -- ./uneven
"$quincunx" scale --unit counts --json uneven.qx >uneven.json
expects "tasks of one thread are done by both" uneven.json 'of[2]["speedup"]["p50"] > 1.9'
# Who comes to the end of a region does tasks there, though nobody waits at a barrier before it.
for directive in "single nowait" master; do
  sed "s/#pragma omp single/#pragma omp $directive/" tasks.c >nobody.c
  $strands -fopenmp -o nobody nobody.c
  rm -f nobody.qx
  "$quincunx" run -q -o nobody.qx --threads 8 -- ./nobody {} ::: 7
  "$quincunx" scale --unit counts --threads 2,8 --json nobody.qx >nobody.json
  expects "nor do they behind $directive" nobody.json 'of[8]["speedup"]["p50"] > 7.5 and of[2]["speedup"]["p50"] > 1.95'
done

# Who tries a lock and finds it taken does something else.
cat >tries.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sink;
__attribute__((noinline)) static void grind(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink = i;
}
static void *work(void *n) {
  for (int i = 0; i < 6; ++i)
    if (pthread_mutex_trylock(&mutex) == 0) {
      grind((unsigned)(size_t)n);
      pthread_mutex_unlock(&mutex);
    } else {
      grind((unsigned)(size_t)n);
    }
  return NULL;
}
int main(int argc, char **argv) {
  (void)argc;
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, work, (void *)(size_t)atoi(argv[1]));
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  return 0;
}
END
$strands -pthread -o tries tries.c
"$quincunx" run -q -o tries.qx -- ./tries {} ::: 20000 30000 40000
"$quincunx" scale --unit counts --json tries.qx >tries.json
expects "tried locks keep nobody waiting" tries.json 'of[5]["speedup"]["p50"] > 3.9'
expects "and that is said" tries.json 'any(n["kind"] == "tried" for n in j["notes"])'

# Teams that ask for their number of threads.
cat >given.c <<'END'
#include <stdlib.h>
static unsigned sums[64];
int main(int argc, char **argv) {
  int n = atoi(argv[argc - 1]);
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 100; ++k)
      sums[i % 64] += i ^ k;
  return sums[0] == 1;
}
END
$strands -fopenmp -o given given.c
"$quincunx" run -q -o given.qx --threads 4 -- ./given {} ::: 300
"$quincunx" scale --unit counts --json --threads 4,8 given.qx >given.json
expects "are told with others" given.json 'any(n["kind"] == "teams" for n in j["notes"])'
"$quincunx" scale --unit counts --threads 4,8 given.qx >out
has "as a guess" '^ +8 .*~' out
has "but as they were for certain" '^ +4 +1 +[0-9]' out

# Work that was not counted, as of a library: a second of it has far fewer counts than any code.
cat >library.c <<'END'
unsigned long library(unsigned long n) {
  volatile unsigned long sum = 0;
  for (unsigned long i = 0; i < n; ++i)
    sum += i;
  return sum;
}
END
cat >calls.c <<'END'
#include <pthread.h>
#include <stdlib.h>
unsigned long library(unsigned long n);
static void *body(void *n) { return (void *)library((unsigned long)n); }
int main(int argc, char **argv) {
  pthread_t all[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&all[i], 0, body, (void *)strtoul(argv[argc - 1], 0, 10));
  for (int i = 0; i < 2; ++i)
    pthread_join(all[i], 0);
  return 0;
}
END
$plain -O1 -c library.c
$strands -pthread -o calls calls.c library.o
"$quincunx" run -q -o calls.qx -- ./calls {} ::: 400000000
"$quincunx" scale --unit counts --json calls.qx >calls.json
expects "work that is not counted is said" calls.json 'any(n["kind"] == "elsewhere" for n in j["notes"])'
"$quincunx" scale --unit counts calls.qx >out
has "and makes figures a guess" '~' out
expects "not where it is counted" tries.json 'all(n["kind"] != "elsewhere" for n in j["notes"])'

# What the clock says is believed more than what is simulated: a plain program that does something else.
cat >sleeps.c <<'END'
#include <unistd.h>
int main(int argc, char **argv) {
  (void)argc, (void)argv;
  usleep(100000);
  return 0;
}
END
$plain -O1 -o sleeps sleeps.c
cp team.qx wrong.qx
"$quincunx" run -q -o wrong.qx --timed --repeat 2 --threads 1,2 -- ./sleeps {} ::: 3 5 8
gives 1 "times that the clock contradicts are refused" scale --machine ns.machine wrong.qx
has "and it says why" 'the plain program with 1 thread takes another time by the clock' err
"$quincunx" scale --unit counts wrong.qx >out && ok "in counts it answers" || bad "in counts it answers"

gives 2 "what is no number of threads" run -o n.qx --threads 1,x -- ./team {} ::: 3
has "it says what a list is" 'not a list of numbers of threads like 1,2,4: 1,x' err
gives 2 "no threads" run -o n.qx --threads 0 -- ./team {} ::: 3
$clang -O1 -fopenmp -o uncounted team.c
"$quincunx" run -q -o plain.qx -- ./uncounted {} ::: 3
gives 1 "a build without strands" scale plain.qx
has "it says how to build" 'no strands were recorded; compile and link with' err
finish
