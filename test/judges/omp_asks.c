/* Which chunks libomp gives out: threads of a team ask one after the other, in a random order, and every answer is printed.
 *   omp_asks SEED CASES
 * For each case a line "SCHEDULE ITERATIONS CHUNK THREADS", then a line "thread begin end" for each chunk in the order in which
 * they were asked for, "thread -" when there was none. It calls what compilers call (kmp_dispatch.cpp), so that the order of
 * asking is its own and no time matters. The numbers of schedules are those of clang's OMPIRBuilder. */
#include <omp.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern int32_t __kmpc_global_thread_num(void *);
extern void __kmpc_dispatch_init_4(void *, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
extern int __kmpc_dispatch_next_4(void *, int32_t, int32_t *, int32_t *, int32_t *, int32_t *);
extern void __kmpc_for_static_init_4(void *, int32_t, int32_t, int32_t *, int32_t *, int32_t *, int32_t *, int32_t, int32_t);
extern void __kmpc_for_static_fini(void *, int32_t);

enum { most = 64 };
static const struct { const char *name; int32_t number; } schedules[] = {
    {"static", 34}, {"static,chunk", 33}, {"monotonic:dynamic", 35 | 1 << 29}, {"dynamic", 35 | 1 << 30}, {"guided", 36}};
/* ident_t: where in the source, and how new the compiler is (5.0 in the third word: loops are nonmonotonic by default) */
static struct { int32_t reserved_1, flags, reserved_2, reserved_3; const char *source; } ident = {0, 2, 0, 0, ";unknown;unknown;0;0;;"};
static int schedule, n, chunk, threads, left;
static sem_t turns[most];
static int done[most], begun[most];
static int32_t low[most], high[most], stride[most];

static void answer(int t, int32_t begin, int32_t end) {
  if (begin < end)
    printf("%d %d %d\n", t, begin, end);
  else
    printf("%d -\n", t), done[t] = 1, --left;
}
/* Static loops ask once, and go on by themselves. */
static void ask_static(int t, int32_t gtid) {
  int32_t last = 0;
  if (!begun[t]) {
    low[t] = 0, high[t] = n - 1, stride[t] = 1;
    if (n > 0)
      __kmpc_for_static_init_4(&ident, gtid, schedules[schedule].number, &last, &low[t], &high[t], &stride[t], 1, chunk);
    else
      low[t] = 1, high[t] = 0;
  } else if (schedule == 0) {
    low[t] = 1, high[t] = 0;
  } else {
    low[t] += stride[t], high[t] += stride[t];
  }
  begun[t] = 1;
  answer(t, low[t], high[t] >= n ? n : high[t] + 1);
}
static void ask(int t, int32_t gtid) {
  int32_t last, begin = 0, end = -1, step;
  if (schedule < 2) {
    ask_static(t, gtid);
    return;
  }
  if (!begun[t])
    __kmpc_dispatch_init_4(&ident, gtid, schedules[schedule].number, 0, n - 1, 1, chunk);
  begun[t] = 1;
  if (__kmpc_dispatch_next_4(&ident, gtid, &last, &begin, &end, &step))
    answer(t, begin, end + 1);
  else
    answer(t, 0, 0);
}
static void next_turn(void) {
  if (left == 0)
    return;
  int t = rand() % threads;
  while (done[t])
    t = rand() % threads;
  sem_post(&turns[t]);
}
int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  srand((unsigned)atoi(argv[1]));
  for (int t = 0; t < most; ++t)
    sem_init(&turns[t], 0, 0);
  for (int c = atoi(argv[2]); c > 0; --c) {
    schedule = rand() % 5, threads = 1 + rand() % 12, chunk = 1 + rand() % 5, n = rand() % (rand() % 4 ? 60 : 600);
    for (int t = 0; t < most; ++t)
      done[t] = begun[t] = 0;
    left = threads;
    printf("%s %d %d %d\n", schedules[schedule].name, n, chunk, threads);
#pragma omp parallel num_threads(threads)
    {
      const int t = omp_get_thread_num();
      if (t == 0)
        next_turn();
      while (!done[t]) {
        sem_wait(&turns[t]);
        ask(t, __kmpc_global_thread_num(&ident));
        next_turn();
      }
    }
  }
  return 0;
}
