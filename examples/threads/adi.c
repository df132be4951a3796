// The vertical phase of alternating direction implicit integration: element (i, j) is made of those
// above and below it. Columns are shared, or rows, one row after another: then no two work at once.
//
//   adi SEED SIZE [rows]
//
// prints the sum of the matrix.
#include "../draw.h"

#include <stdio.h>
#include <string.h>

NOT_PROFILED static void fill(double *a, int n) {
  for (int i = 0; i < n * n; ++i)
    a[i] = draw();
}

static void update(double *a, int n, int i, int j) {
  a[i * n + j] = (a[(i - 1) * n + j] + 2 * a[i * n + j] + a[(i + 1) * n + j]) / 4;
}

int main(int argc, char **argv) {
  const int n = argc < 3 ? 0 : atoi(argv[2]);
  double *a = n < 3 || n > 10000 ? NULL : calloc((size_t)(n * n), sizeof *a);
  if (a == NULL)
    return fprintf(stderr, "usage: adi SEED SIZE [rows], 3 to 10000\n"), 2;
  const int byRows = argc > 3 && strcmp(argv[3], "rows") == 0;
  drawFrom(argv[1]);
  fill(a, n);
  if (byRows) {
#pragma omp parallel for schedule(static) ordered
    for (int i = 1; i < n - 1; ++i) {
#pragma omp ordered
      for (int j = 0; j < n; ++j)
        update(a, n, i, j);
    }
  } else {
#pragma omp parallel for schedule(static)
    for (int j = 0; j < n; ++j)
      for (int i = 1; i < n - 1; ++i)
        update(a, n, i, j);
  }
  double sum = 0;
  for (int i = 0; i < n * n; ++i)
    sum += a[i];
  printf("%.9g\n", sum);
  free(a);
}
