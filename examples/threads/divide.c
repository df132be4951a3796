// The divide and conquer skeleton: a mergesort whose halves are tasks.
//
//   divide SEED SIZE DEPTH
//
// sorts SIZE numbers with 2^DEPTH leaves, and prints the least and the largest one, and how many
// are out of order.
#include "../draw.h"

#include <stdio.h>
#include <string.h>

NOT_PROFILED static void fill(double *a, long n) {
  for (long i = 0; i < n; ++i)
    a[i] = draw();
}

static void insertion(double *a, long n) {
  for (long i = 1; i < n; ++i) {
    const double value = a[i];
    long j = i;
    for (; j > 0 && a[j - 1] > value; --j)
      a[j] = a[j - 1];
    a[j] = value;
  }
}

static void merge(const double *a, long half, long n, double *out) {
  for (long i = 0, j = half, k = 0; k < n; ++k)
    out[k] = j >= n || (i < half && a[i] <= a[j]) ? a[i++] : a[j++];
}

static void sort(double *a, double *space, long n, int depth) {
  if (n < 32) {
    insertion(a, n);
    return;
  }
  const long half = n / 2;
#pragma omp task if (depth > 0)
  sort(a, space, half, depth - 1);
  sort(a + half, space + half, n - half, depth - 1);
#pragma omp taskwait
  merge(a, half, n, space);
  memcpy(a, space, (size_t)n * sizeof *a);
}

int main(int argc, char **argv) {
  const long n = argc < 4 ? 0 : atol(argv[2]);
  double *a = n < 1 ? NULL : calloc((size_t)n, 2 * sizeof *a);
  if (a == NULL)
    return fprintf(stderr, "usage: divide SEED SIZE DEPTH\n"), 2;
  drawFrom(argv[1]);
  fill(a, n);
  const int depth = atoi(argv[3]);
#pragma omp parallel
#pragma omp single
  sort(a, a + n, n, depth);
  long wrong = 0;
  for (long i = 1; i < n; ++i)
    wrong += a[i] < a[i - 1];
  printf("%.9f %.9f %ld\n", a[0], a[n - 1], wrong);
  free(a);
}
