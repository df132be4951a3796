/* The longest way to somewhere in a program, in counts, for those who carry it along (strands_known.c, strands_tasks.c). */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

extern __thread unsigned long long clock_of_thread __asm__("__quincunx_clock");
struct way { unsigned long long free, locked; }; /* where a lock keeps nobody waiting, and with locks as they were had */
static unsigned long long work;
static struct way longest;
/* No lock that is recorded. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

static inline void hold(void) { while (atomic_flag_test_and_set(&busy)) sched_yield(); }
static inline void give(void) { atomic_flag_clear(&busy); }
static inline void reach(struct way *to, struct way from) {
  to->free = to->free > from.free ? to->free : from.free;
  to->locked = to->locked > from.locked ? to->locked : from.locked;
}
static inline void say_known(void) {
  FILE *f = fopen("known.txt", "w");
  fprintf(f, "%llu %llu %llu\n", work, longest.free, longest.locked);
  fclose(f);
}
