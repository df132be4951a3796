/* Programs with known graphs in OpenMP; PLAIN: without what knows them. The last one has its directives itself. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strands_tasks.h"
#ifdef PLAIN
void team_of(unsigned threads, void (*run)(unsigned)) {
#pragma omp parallel num_threads(threads)
  run((unsigned)omp_get_thread_num());
}
void meet(void) {
#pragma omp barrier
}
void alone(void (*run)(unsigned), unsigned thread) {
#pragma omp critical
  run(thread);
}
void task(void (*run)(unsigned), unsigned n) {
#pragma omp task
  run(n);
}
void task_reads(int *address, void (*run)(unsigned), unsigned n) {
#pragma omp task depend(in : address[0])
  run(n);
}
void task_writes(int *address, void (*run)(unsigned), unsigned n) {
#pragma omp task depend(inout : address[0])
  run(n);
}
void wait_for_tasks(void) {
#pragma omp taskwait
}
void group(void (*run)(unsigned), unsigned n) {
#pragma omp taskgroup
  run(n);
}
#endif

enum { most = 1 << 12 };
static unsigned threads, results[most], shared;
__attribute__((noinline)) static unsigned grind(unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < n; ++i)
    x = x % 7 == 3 ? x * 3 + i : x ^ (x >> 3) ^ i;
  return x;
}

static void phase(unsigned n) {
  for (unsigned p = 0; p < 12; ++p) {
    results[n] += grind(50 + (p * 101 + 57 * n) % 500);
    meet();
  }
  results[n] += grind(10 * n);
}
static void barriers(void) {
  for (unsigned i = 0; i < 5; ++i) {
    shared += grind(77);
    team_of(threads, phase);
  }
}

static void joint(unsigned n) { shared += grind(30 + n); }
static void locking(unsigned n) {
  for (unsigned i = 0; i < 20; ++i) {
    results[n] += grind(200 + 10 * n);
    alone(joint, n);
  }
}
static void locks(void) { team_of(threads, locking); }

/* Each makes two tasks, down to the depth; those with an odd number wait for them. */
static void node(unsigned n) {
  results[n] = grind(100 * n % 977 + 50);
  if (2 * n + 1 < 600) {
    task(node, 2 * n);
    results[n] += grind(300);
    task(node, 2 * n + 1);
    if (n % 2 == 1)
      wait_for_tasks();
  }
  results[n] += grind(n * 13 % 101);
}
static void root(unsigned n) {
  if (n == 0)
    node(1);
  results[most - 1 - n] = grind(40 * n);
  meet();
  results[most - 1 - n] += grind(90);
}
static void tree(void) { team_of(threads, root); }

static void leaf(unsigned n) { results[n] += grind(n * 37 % 301); }
static void branch(unsigned n) {
  for (unsigned i = 0; i < 5; ++i)
    task(leaf, 10 * n + i);
  results[10 * n + 9] = grind(20);
}
static void branches(unsigned n) {
  for (unsigned i = 0; i < 10; ++i)
    task(branch, 100 * n + 10 + i);
}
static void grouped(unsigned n) {
  if (n != 0)
    return;
  for (unsigned i = 0; i < 3; ++i) {
    group(branches, i);
    results[0] += grind(111);
  }
}
static void groups(void) { team_of(threads, grouped); }

static int cells[8];
static void step(unsigned n) { results[n] = grind(100 + n * 91 % 700); }
static void dependent(unsigned n) {
  if (n != 0)
    return;
  for (unsigned i = 0; i < 200; ++i)
    if (i * 7 % 5 == 0)
      task_writes(&cells[i * 3 % 8], step, i);
    else
      task_reads(&cells[i * 3 % 8], step, i);
  wait_for_tasks();
  results[most - 1] = grind(60);
}
static void dependences(void) { team_of(threads, dependent); }

static void inner(unsigned n) {
  results[n] += grind(80 + 30 * n);
  meet();
  results[n] += grind(50);
}
static void outer(unsigned n) {
  if (n == 0)
    team_of(3, inner);
  results[100 + n] = grind(60 * n);
  meet();
}
static void nested(void) {
  omp_set_max_active_levels(2);
  team_of(threads, outer);
}

static unsigned fib(unsigned n) {
  if (n < 2)
    return grind(300) % 3 + n;
  unsigned a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
static void own(void) {
  unsigned sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
  for (unsigned i = 0; i < 64; ++i)
    sum += grind(2000);
#pragma omp parallel num_threads(threads)
#pragma omp single
  shared = sum + fib(10);
#pragma omp parallel for num_threads(threads)
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned x = grind(1000);
#pragma omp critical
    shared += grind(x % 2 + 100);
  }
}

int main(int argc, char **argv) {
  static const struct { const char *name; void (*run)(void); } programs[] = {
      {"barriers", barriers}, {"locks", locks}, {"tree", tree}, {"groups", groups}, {"dependences", dependences},
      {"nested", nested}, {"own", own}};
  threads = argc > 2 ? (unsigned)atoi(argv[2]) : 2;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i)
    if (argc > 1 && strcmp(programs[i].name, argv[1]) == 0)
      programs[i].run();
  unsigned sum = shared;
  for (size_t i = 0; i < most; ++i)
    sum += results[i];
  printf("%u\n", sum);
  return 0;
}
