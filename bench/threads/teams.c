// Two loops that a team shares, with a critical section in the first.
#include <stdlib.h>
#include "grind.h"
int main(int argc, char **argv) {
  const int size = atoi(argv[argc - 1]);
  grind(3000 * size);
#pragma omp parallel for schedule(static) // FIRST
  for (int i = 0; i < 192; ++i) {
    grind(TIMES(FIRST, 400 + 5 * i) * size);
#ifndef CRITICAL
#pragma omp critical // CRITICAL
#endif
    grind(TIMES(FIRST, 60) * size);
  }
  grind(2000 * size);
#pragma omp parallel for schedule(static) // SECOND
  for (int i = 0; i < 96; ++i)
    grind(TIMES(SECOND, 900) * size);
}
