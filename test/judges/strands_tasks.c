/* Work and span of an OpenMP program as it runs: in each thread and task the longest way to where it is, which goes to others with
 * what they wait for. Nothing here is instrumented, so directives are here and the clock stands still in them; a spinning flag
 * and not a lock of OpenMP keeps it. At the end: known.txt. */
#include "strands_tasks.h"
#include "strands_way.h"
#include <omp.h>
#include <stdlib.h>

enum { rounds = 64, addresses = 64 };
struct team { struct way begin, meet[rounds], tasks[rounds], end; };
struct frame { /* of a task, explicit or not; for ever, as those that it made may live longer */
  struct way me, children, group;
  unsigned long long last;
  struct frame *maker;
};
static __thread struct frame first, *now;
static __thread struct team *team;
static __thread unsigned passed;
static struct way lock;
static struct { int *address; struct way written, read; } uses[addresses];

static void go(void) {
  if (now == NULL)
    now = &first;
  const unsigned long long done = clock_of_thread - now->last;
  now->last = clock_of_thread;
  now->me.free += done;
  now->me.locked += done;
  __atomic_fetch_add(&work, done, __ATOMIC_RELAXED);
}
static struct frame *frame_of(struct way begin, struct frame *maker) {
  struct frame *f = calloc(1, sizeof *f);
  *f = (struct frame){.me = begin, .last = clock_of_thread, .maker = maker};
  return f;
}
/* The caller holds it. */
static int use_of(int *address) {
  int i = 0;
  while (uses[i].address != address && uses[i].address != NULL)
    ++i;
  uses[i].address = address;
  return i;
}

void team_of(unsigned threads, void (*run)(unsigned)) {
  go();
  struct team t = {.begin = now->me};
  struct frame *const maker = now;
  struct team *const outer = team;
  const unsigned before = passed;
#pragma omp parallel num_threads(threads)
  {
    struct frame *const frame = now;
    now = frame_of(t.begin, NULL);
    team = &t;
    passed = 0;
    run((unsigned)omp_get_thread_num());
    go();
    hold();
    reach(&t.end, now->me);
    give();
    now = frame;
  }
  team = outer;
  passed = before;
  for (unsigned r = 0; r < rounds; ++r)
    reach(&t.end, t.tasks[r]);
  now = maker;
  now->me = t.end;
  now->last = clock_of_thread;
}

void meet(void) {
  go();
  struct team *const t = team;
  hold();
  reach(&t->meet[passed], now->me);
  give();
#pragma omp barrier
  hold();
  reach(&now->me, t->meet[passed]);
  reach(&now->me, t->tasks[passed]);
  ++passed;
  give();
}

void alone(void (*run)(unsigned), unsigned thread) {
  go();
#pragma omp critical
  {
    if (now->me.locked < lock.locked)
      now->me.locked = lock.locked;
    run(thread);
    go();
    lock = now->me;
  }
}

/* A task that was deferred may run where another one waits, which has done nothing since it said so. */
static void execute(void (*run)(unsigned), unsigned n, struct frame *maker, struct way begin, struct team *of,
                    unsigned round, int *reads, int *writes) {
  struct frame *const interrupted = now, *const own = frame_of(begin, maker);
  const unsigned passed_here = passed;
  struct team *const team_here = team;
  hold();
  if (reads != NULL)
    reach(&own->me, uses[use_of(reads)].written);
  if (writes != NULL) {
    reach(&own->me, uses[use_of(writes)].written);
    reach(&own->me, uses[use_of(writes)].read);
  }
  give();
  now = own;
  team = of;
  passed = round;
  run(n);
  go();
  hold();
  if (reads != NULL)
    reach(&uses[use_of(reads)].read, own->me);
  if (writes != NULL) {
    uses[use_of(writes)].written = own->me;
    uses[use_of(writes)].read = (struct way){0, 0};
  }
  reach(&of->tasks[round], own->me);
  reach(&maker->children, own->me);
  for (struct frame *f = maker; f != NULL; f = f->maker)
    reach(&f->group, own->me);
  give();
  if ((now = interrupted) != NULL) /* else its thread is at the end of the team */
    now->last = clock_of_thread;
  team = team_here;
  passed = passed_here;
}

#define TASK(reads, writes, ...)                                                                       \
  go();                                                                                                \
  struct frame *const maker = now;                                                                     \
  const struct way begin = now->me;                                                                    \
  struct team *const of = team;                                                                        \
  const unsigned round = passed;                                                                       \
  _Pragma(#__VA_ARGS__) execute(run, n, maker, begin, of, round, reads, writes);                       \
  now->last = clock_of_thread;
void task(void (*run)(unsigned), unsigned n) { TASK(NULL, NULL, omp task) }
void task_reads(int *address, void (*run)(unsigned), unsigned n) { TASK(address, NULL, omp task depend(in : address[0])) }
void task_writes(int *address, void (*run)(unsigned), unsigned n) { TASK(NULL, address, omp task depend(inout : address[0])) }

/* The tasks that this one made ended before it goes on; it made no more meanwhile. */
void wait_for_tasks(void) {
  go();
#pragma omp taskwait
  hold();
  reach(&now->me, now->children);
  give();
  now->last = clock_of_thread;
}

void group(void (*run)(unsigned), unsigned n) {
  go();
  now->group = (struct way){0, 0};
#pragma omp taskgroup
  {
    run(n);
    go();
  }
  hold();
  reach(&now->me, now->group);
  give();
  now->last = clock_of_thread;
}

__attribute__((destructor(200))) static void at_end(void) {
  go();
  reach(&longest, now->me);
  say_known();
}
