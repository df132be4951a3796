// The product of two matrices of SIZE by SIZE; rows are shared.
//
//   matmul SEED SIZE
//
// prints its trace.
#include "../draw.h"

#include <stdio.h>

NOT_PROFILED static void fill(double *a, int n) {
  for (int i = 0; i < n * n; ++i)
    a[i] = draw();
}

int main(int argc, char **argv) {
  const int n = argc < 3 ? 0 : atoi(argv[2]);
  double *a = n < 1 || n > 10000 ? NULL : calloc((size_t)(3 * n * n), sizeof *a), *b = a + n * n,
         *c = b + n * n;
  if (a == NULL)
    return fprintf(stderr, "usage: matmul SEED SIZE, at most 10000\n"), 2;
  drawFrom(argv[1]);
  fill(a, n);
  fill(b, n);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  double trace = 0;
  for (int i = 0; i < n; ++i)
    trace += c[i * n + i];
  printf("%.9g\n", trace);
  free(a);
}
