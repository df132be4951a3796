// A tree of tasks; leaves count under a lock.
#include <omp.h>
#include <stdlib.h>
#include "grind.h"
static omp_lock_t lock;
static int size;
static void walk(int depth) {
  if (depth == 0) {
    grind(TIMES(FIRST, 1500) * size);
#ifndef LEAF
    omp_set_lock(&lock); // LEAF
#endif
    grind(TIMES(FIRST, 80) * size);
#ifndef LEAF
    omp_unset_lock(&lock);
#endif
    return;
  }
  for (int i = 0; i < 2; ++i)
#pragma omp task // FIRST
    walk(depth - 1);
#pragma omp taskwait
  grind(TIMES(FIRST, 200) * size);
}
int main(int argc, char **argv) {
  size = atoi(argv[argc - 1]);
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task // THIRD
    walk(5);
    for (int i = 0; i < 40; ++i)
#pragma omp task // SECOND
      grind(TIMES(SECOND, 700 + 30 * i) * size);
  }
}
