// Reads numbers from standard input, scales them so that the largest magnitude becomes one, and prints those
// that survive a threshold, in order. A small program whose cost depends on its input in three ways: how many
// numbers, how they are ordered (insertion sort of the survivors), and how large they are (the loop that finds a
// power of two). For trying things out; it is no model of good sorting.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t readNumbers(double **numbers) {
  size_t n = 0, room = 64;
  double *v = malloc(room * sizeof *v), x;
  while (v != NULL && scanf("%lf", &x) == 1) {
    if (n == room) {
      double *more = realloc(v, 2 * room * sizeof *v);
      if (more == NULL)
        break;
      v = more;
      room *= 2;
    }
    v[n++] = x;
  }
  *numbers = v;
  return n;
}

static double powerAbove(const double *v, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; ++i)
    if (fabs(v[i]) > largest)
      largest = fabs(v[i]);
  double power = 1;
  while (power < largest)
    power *= 2;
  return power;
}

static size_t keepLarge(double *v, size_t n, double scale, double threshold) {
  size_t kept = 0;
  for (size_t i = 0; i < n; ++i) {
    const double x = v[i] / scale;
    if (fabs(x) < threshold)
      continue;
    v[kept++] = x;
  }
  return kept;
}

static void sortUp(double *v, size_t n) {
  for (size_t i = 1; i < n; ++i) {
    const double x = v[i];
    size_t j = i;
    for (; j > 0 && v[j - 1] > x; --j)
      v[j] = v[j - 1];
    v[j] = x;
  }
}

int main(int argc, char **argv) {
  const double threshold = argc > 1 ? atof(argv[1]) : 0.25;
  double *v = NULL;
  size_t n = readNumbers(&v);
  n = keepLarge(v, n, powerAbove(v, n), threshold);
  sortUp(v, n);
  for (size_t i = 0; i < n; ++i)
    printf("%.6f\n", v[i]);
  free(v);
  return 0;
}
