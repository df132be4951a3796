/* What the simulated predictor and caches say of sequences of which it is known: one case by its
 * name, status 0 when the share of misses is within its bounds; without a name, all names. */
#define _GNU_SOURCE
#include "simulated/simulated.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

void __quincunx_branch(uint64_t *misses, uint64_t site, uint32_t outcome);
void __quincunx_target(uint64_t *misses, uint64_t site, uint64_t target);
void __quincunx_access(uint64_t *met, const void *address, uint64_t bytes);

static uint64_t state = 0x123456789abcdefull;
static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1dull >> 11;
}
static uint32_t chance(double p) { return (double)draw() < p * 0x1p53; }

static uint64_t misses;
static void branch(uint64_t site, uint32_t outcome) {
  __quincunx_branch(&misses, site * 0x9e3779b97f4a7c15ull, outcome);
}
static void target(uint64_t site, uint64_t to) {
  __quincunx_target(&misses, site * 0x9e3779b97f4a7c15ull, to);
}

enum { many = 400000, warm = 50000 };
typedef void step(uint64_t i);

static void always(uint64_t i) { branch(1, 1), (void)i; }
static void never(uint64_t i) { branch(1, 0), (void)i; }
static void alternates(uint64_t i) { branch(1, i & 1); }
static void trips_10(uint64_t i) { branch(1, i % 10 != 9); }
static void trips_100(uint64_t i) { branch(1, i % 100 != 99); }
static void trips_300_with_noise(uint64_t i) { /* only a counter knows: history is random */
  branch(1, i % 300 != 299);
  uint64_t mine = misses;
  branch(2, chance(0.5));
  misses = mine;
}
static void period_37(uint64_t i) { branch(1, 0x5a3f1c9e27ull >> i % 37 & 1); }
static void even(uint64_t i) { branch(1, chance(0.5)), (void)i; }
static void mostly(uint64_t i) { branch(1, chance(0.9)), (void)i; }
static void nearly_always(uint64_t i) { branch(1, chance(0.99)), (void)i; }
static void correlated(uint64_t i) { /* as that of 5 branches before */
  static uint32_t before[8];
  before[i % 8] = chance(0.5);
  uint64_t mine = misses;
  branch(1, before[i % 8]);
  for (uint64_t n = 2; n < 6; ++n)
    branch(n, chance(0.5));
  misses = mine;
  branch(6, before[i % 8]);
}
static void thousand(uint64_t i) { /* sites of which each goes its way 95 times of 100 */
  branch(1 + i % 1000, chance(0.95) == (i % 1000 * 7 % 3 == 0));
}
static void two_targets(uint64_t i) { target(1, i & 1 ? 0x401000 : 0x402480); }
static void one_target(uint64_t i) { target(1, 0x401000), (void)i; }
static void program(uint64_t i) { /* an interpreter in a loop of 12 operations */
  target(1, (uint64_t[]){3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}[i % 12]);
}
static void four_targets(uint64_t i) { target(1, 0x401000 + 64 * (draw() % 4)), (void)i; }

static const struct {
  const char *name;
  step *next;
  double low, high; /* per cent of the steps */
} branches[] = {
    {"always", always, 0, 0.01},          {"never", never, 0, 0.01},
    {"alternates", alternates, 0, 0.01},  {"trips-10", trips_10, 0, 0.1},
    {"trips-100", trips_100, 0, 0.05},    {"trips-300-with-noise", trips_300_with_noise, 0, 0.05},
    {"period-37", period_37, 0, 0.1},     {"even", even, 48, 52},
    {"mostly", mostly, 8.5, 11.5},        {"nearly-always", nearly_always, 0.7, 1.3},
    {"correlated", correlated, 0, 1},     {"thousand-sites", thousand, 4.5, 6.5},
    {"one-target", one_target, 0, 0.01},  {"two-targets", two_targets, 0, 0.1},
    {"a-program-of-12", program, 0, 0.1}, {"four-targets", four_targets, 72, 78},
};

static uint64_t met[QX_MEMORY_COUNTERS];
static const uint64_t MiB = 1 << 20;
static void touch(uint64_t address, uint64_t bytes) {
  __quincunx_access(met, (const void *)(0x10000000 + address), bytes);
}

static void resident(uint64_t i) { touch(draw() % (16 << 10), 1), (void)i; }
static void forwards(uint64_t i) { touch(i * 8 % (16 * MiB), 8); }
static void backwards(uint64_t i) { touch(16 * MiB - i * 8 % (16 * MiB), 8); }
static void strided(uint64_t i) { touch(i * 320 % (64 * MiB), 8); }  /* every fifth line */
static void leaping(uint64_t i) { touch(i * 4096 % (64 * MiB), 8); } /* every 64th: too far */
static void three_streams(uint64_t i) {
  for (uint64_t s = 0; s < 3; ++s)
    touch(s * 16 * MiB + i * 8 % (16 * MiB), 8);
}
static void within_1M(uint64_t i) { touch(draw() % MiB & ~7ull, 8), (void)i; }
static void within_64M(uint64_t i) { touch(draw() % (64 * MiB) & ~7ull, 8), (void)i; }
static void across(uint64_t i) { touch((draw() % MiB & ~63ull) | 60, 8), (void)i; } /* two lines */
static void in_one(uint64_t i) { touch(i * 4096 % (16 * MiB), 4096); } /* as memset does */
/* Lines of so many MiB, all of them again and again in the same order, which no stream has. */
static void cycle(uint64_t i, uint64_t MiBs) { touch(i * (65 << 6) % (MiBs * MiB), 8); }
static void cycle_12M(uint64_t i) { cycle(i, 12); }
static void cycle_24M(uint64_t i) { cycle(i, 24); }
/* One of eight in a page of which nothing was touched before. */
static void fresh(uint64_t i) { touch(i % 8 == 0 ? i << 10 | (draw() & 63) << 6 : 0, 8); }

static const struct {
  const char *name;
  step *next;
  double low[QX_MEMORY_COUNTERS], high[QX_MEMORY_COUNTERS]; /* per step */
} memory[] = {
    {"resident-16K", resident, {0, 0, 0, 0, 0}, {0.001, 0.0001, 0.0001, 0.001, 0.001}},
    {"forwards-16M", forwards, {0, 0, 0, 0.1249, 0}, {0.0001, 0.0001, 0.0001, 0.1251, 0.003}},
    {"backwards-16M", backwards, {0, 0, 0, 0.1249, 0}, {0.0001, 0.0001, 0.0001, 0.1251, 0.003}},
    {"every-fifth-line", strided, {0, 0, 0, 0.999, 0}, {0.001, 0.001, 0.001, 1, 0.1}},
    {"every-64th-line", leaping, {0, 0, 0.97, 0, 0.99}, {0, 0.03, 1, 0.001, 1}},
    {"three-streams", three_streams, {0, 0, 0, 0.374, 0}, {0.001, 0.001, 0.001, 0.376, 0.01}},
    {"within-1M", within_1M, {0.93, 0, 0, 0, 0}, {0.96, 0.001, 0.001, 0.02, 0.001}},
    {"within-64M", within_64M, {0, 0.2, 0.72, 0, 0.86}, {0.032, 0.24, 0.78, 0.001, 0.89}},
    {"across-two-lines", across, {0.93, 0, 0, 0.93, 0}, {0.99, 0.001, 0.001, 1, 0.001}},
    {"4096-in-one", in_one, {0, 0, 0, 63.5, 0.9}, {0.5, 0.5, 0.5, 64, 1}},
    {"cycle-of-12M", cycle_12M, {0, 0.99, 0, 0, 0}, {0.001, 1, 0.0001, 0.001, 1}},
    {"cycle-of-24M", cycle_24M, {0, 0.2, 0.3, 0, 0}, {0.001, 0.7, 0.8, 0.001, 1}},
    {"fresh-pages", fresh, {0.124, 0, 0, 0, 0.124}, {0.126, 0.001, 0.001, 0.001, 0.126}},
};

static int between(const char *what, double low, double high, double seen) {
  printf("%s %g, wanted %g to %g\n", what, seen, low, high);
  return seen >= low && seen <= high;
}

/* ---- the pages that were touched ---- */

static uint64_t next_page;
static void touch_fresh(uint64_t pages) { /* one in a group of 64 */
  for (uint64_t i = 0; i < pages; ++i)
    touch(next_page++ << 18, 8);
}
static void leave(void) { /* as a thread that ends, and one that begins */
  qx_simulated_left();
  qx_simulated = NULL;
}
static double mapped(void) { /* pages */
  char text[100] = "";
  const int file = open("/proc/self/statm", O_RDONLY);
  const int good = file >= 0 && read(file, text, sizeof text - 1) > 0;
  return close(file), good ? strtod(text, NULL) : -1;
}

static int pages_given_back(void) {
  const double before = mapped();
  for (int round = 0; round < 3; ++round)
    touch_fresh(100000), leave();
  return between("pages more:", 0, 0, mapped() - before) &
         between("l2Hit:", 299900, 300000, (double)met[QX_L2_HIT]);
}

static int pages_without_memory(void) {
  struct rlimit none = {0, 0};
  touch_fresh(1);
  setrlimit(RLIMIT_AS, &none);
  errno = ENOENT;
  touch_fresh(99999);
  return between("errno:", ENOENT, ENOENT, errno) &
         between("l2Hit:", 128, 128, (double)met[QX_L2_HIT]) & /* half of the least table */
         between("memoryAccess:", 99872, 99872, (double)met[QX_MEMORY_ACCESS]);
}

/* The machine's own memory makes no faults that depend on what the program does. */
static int pages_all_at_once(void) {
  struct rusage before, after;
  touch(0, 8);
  getrusage(RUSAGE_SELF, &before);
  for (uint64_t i = 0; i < many; ++i)
    within_64M(i), even(i), four_targets(i);
  getrusage(RUSAGE_SELF, &after);
  return between("faults:", 0, 20, (double)(after.ru_minflt - before.ru_minflt));
}

static volatile uint64_t ticks;
static int jumps;
static sigjmp_buf back;
static void tick(int s) {
  ++ticks, touch_fresh(50), (void)s;
  if (jumps)
    siglongjmp(back, 1);
}
static int pages_interrupted(void) {
  const struct itimerval stop = {{0, 0}, {0, 0}};
  signal(SIGALRM, tick);
  for (jumps = 0; jumps < 2; ++jumps) {
    sigsetjmp(back, 1);
    while (ticks < 500 * (1 + (uint64_t)jumps)) {
      struct itimerval soon = {{0, 0}, {0, 1 + (suseconds_t)(draw() % 400)}};
      leave();
      setitimer(ITIMER_REAL, &soon, NULL);
      touch_fresh(2000); /* a table grows again and again */
      setitimer(ITIMER_REAL, &stop, NULL);
    }
  }
  leave();
  memset(met, 0, sizeof met);
  touch_fresh(100000);
  return between("l2Hit:", 99990, 100000, (double)met[QX_L2_HIT]);
}

static const struct {
  const char *name;
  int (*good)(void);
} pages[] = {{"pages-given-back", pages_given_back},
             {"pages-without-memory", pages_without_memory},
             {"pages-all-at-once", pages_all_at_once},
             {"pages-interrupted", pages_interrupted}};

int main(int argc, char **argv) {
  for (size_t c = 0; c < sizeof pages / sizeof *pages; ++c) {
    if (argc < 2)
      puts(pages[c].name);
    else if (strcmp(argv[1], pages[c].name) == 0)
      return !pages[c].good();
  }
  for (size_t c = 0; c < sizeof branches / sizeof *branches; ++c) {
    if (argc < 2)
      puts(branches[c].name);
    else if (strcmp(argv[1], branches[c].name) == 0) {
      for (uint64_t i = 0; i < warm; ++i)
        branches[c].next(i);
      misses = 0;
      for (uint64_t i = warm; i < warm + many; ++i)
        branches[c].next(i);
      return !between("misses in 100:", branches[c].low, branches[c].high,
                      100.0 * (double)misses / many);
    }
  }
  for (size_t c = 0; c < sizeof memory / sizeof *memory; ++c) {
    if (argc < 2)
      puts(memory[c].name);
    else if (strcmp(argv[1], memory[c].name) == 0) {
      for (uint64_t i = 0; i < 4 * many; ++i) {
        if (i == 2 * many)
          memset(met, 0, sizeof met);
        memory[c].next(i);
      }
      static const char *const names[] = {"l2Hit", "l3Hit", "memoryAccess", "prefetchedLine",
                                          "pageWalk"};
      int good = 1;
      for (int m = 0; m < QX_MEMORY_COUNTERS; ++m)
        good &=
            between(names[m], memory[c].low[m], memory[c].high[m], (double)met[m] / (2.0 * many));
      return !good;
    }
  }
  return argc > 1;
}
