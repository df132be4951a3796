/* Loops that a team shares, with schedules that the command line of the compiler names: loops.sh. */
#include <stdio.h>
#include <stdlib.h>

#ifndef SCHEDULE
#define SCHEDULE static
#endif

static unsigned grind(unsigned n, unsigned x) {
  for (unsigned i = 0; i < n; ++i)
    x = (x * 1664525u + 1013904223u) ^ (x >> 7);
  return x;
}

int main(int argc, char **argv) {
  const unsigned rows = (unsigned)atoi(argv[1]);
  static unsigned result[1 << 16], more[1 << 16];
  unsigned sum = 0, held = 0;
#pragma omp parallel
  {
#pragma omp for schedule(SCHEDULE)
    for (unsigned i = 0; i < rows; ++i) // the last ones are dearer
      result[i] = grind(20 * i, i);
#pragma omp for schedule(SCHEDULE) reduction(+ : sum) nowait
    for (unsigned i = 0; i < rows; ++i) // all alike
      sum += result[i] ^ i;
#pragma omp for collapse(2) schedule(SCHEDULE)
    for (unsigned i = 0; i < 8; ++i)
      for (unsigned k = 0; k < rows / 8; ++k)
        more[i * (rows / 8) + k] += grind(1000 * i + k, k);
  }
#pragma omp parallel for schedule(SCHEDULE)
  for (unsigned i = 0; i < rows / 8; ++i) {
    const unsigned x = grind(300, i);
#pragma omp critical
    held += grind(100, x);
  }
  printf("%u %u %u\n", sum, held, result[rows - 1] ^ more[rows - 1]);
}
