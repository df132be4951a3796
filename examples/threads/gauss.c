// Gaussian elimination without pivoting of a matrix with a heavy diagonal; the rows below each
// pivot are shared, cyclically or in blocks.
//
//   gauss SEED SIZE [block]
//
// prints the logarithm of the determinant.
#include "../draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

NOT_PROFILED static void fill(double *a, int n) {
  for (int i = 0; i < n * n; ++i)
    a[i] = draw() + (i / n == i % n ? n : 0);
}

static void eliminate(double *a, int n, int k, int i) {
  const double factor = a[i * n + k] / a[k * n + k];
  for (int j = k; j < n; ++j)
    a[i * n + j] -= factor * a[k * n + j];
}

int main(int argc, char **argv) {
  const int n = argc < 3 ? 0 : atoi(argv[2]);
  double *a = n < 1 || n > 10000 ? NULL : calloc((size_t)(n * n), sizeof *a);
  if (a == NULL)
    return fprintf(stderr, "usage: gauss SEED SIZE [block], at most 10000\n"), 2;
  const int inBlocks = argc > 3 && strcmp(argv[3], "block") == 0;
  drawFrom(argv[1]);
  fill(a, n);
  for (int k = 0; k < n; ++k)
    if (inBlocks) {
#pragma omp parallel for schedule(static) // who has a row has it all the time
      for (int i = 0; i < n; ++i)
        if (i > k)
          eliminate(a, n, k, i);
    } else {
#pragma omp parallel for schedule(static, 1)
      for (int i = 0; i < n; ++i)
        if (i > k)
          eliminate(a, n, k, i);
    }
  double logarithm = 0;
  for (int i = 0; i < n; ++i)
    logarithm += log(fabs(a[i * n + i]));
  printf("%.9g\n", logarithm);
  free(a);
}
