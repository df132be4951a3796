// Sorts uniform numbers in parallel, by regular sampling.
//
//   psrs SEED TASKS SIZE
//
// sorts TASKS parts of SIZE numbers, and prints the least, the middle and the largest one, and how
// many are out of order.
#include "psrs.h"
#include "../draw.h"

#include <stdio.h>

NOT_PROFILED static void fill(double *a, long n) {
  for (long i = 0; i < n; ++i)
    a[i] = draw();
}

NOT_PROFILED static void show(const double *a, long n) {
  long wrong = 0;
  for (long i = 1; i < n; ++i)
    wrong += a[i] < a[i - 1];
  printf("%.9f %.9f %.9f %ld\n", a[0], a[n / 2], a[n - 1], wrong);
}

int main(int argc, char **argv) {
  const int tasks = argc < 4 ? 0 : atoi(argv[2]);
  const long size = argc < 4 ? 0 : atol(argv[3]);
  if (tasks < 1 || tasks > mostParts || size < tasks)
    return fprintf(stderr, "usage: psrs SEED TASKS SIZE, at most %d tasks, no fewer numbers\n",
                   mostParts),
           2;
  double *a = malloc(sizeof *a * (size_t)(tasks * size)),
         *out = malloc(sizeof *a * (size_t)(tasks * size));
  if (a == NULL || out == NULL)
    return fprintf(stderr, "psrs: no memory\n"), 1;
  drawFrom(argv[1]);
  fill(a, tasks * size);
  psrs(a, out, tasks, size);
  show(out, tasks * size);
  free(a);
  free(out);
}
