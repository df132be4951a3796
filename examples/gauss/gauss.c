// Gaussian elimination with partial pivoting of a matrix of 24 by 24, three quarters of which are
// 0: a row is only subtracted from those that need it, and elimination fills the zeros in.
//
//   gauss SEED
//
// prints the rank, and the logarithm of the product of the pivots' magnitudes.
#include "../draw.h"

#include <math.h>
#include <stdio.h>

enum { n = 24 };
static double a[n][n];

NOT_PROFILED static void fill(void) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double value = 2 * draw() - 1;
      a[i][j] = draw() < 0.75 ? 0 : value;
    }
}

static int pivotOf(int k) {
  int best = k;
  for (int i = k + 1; i < n; ++i)
    if (fabs(a[i][k]) > fabs(a[best][k])) // b1
      best = i;
  return best;
}

static void swapRows(int i, int k) {
  for (int j = k; j < n; ++j) {
    const double held = a[i][j];
    a[i][j] = a[k][j];
    a[k][j] = held;
  }
}

static void eliminate(int k) {
  for (int i = k + 1; i < n; ++i)
    if (a[i][k] != 0) { // b3
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < n; ++j)
        a[i][j] -= factor * a[k][j];
    }
}

int main(int argc, char **argv) {
  if (argc < 2)
    return fprintf(stderr, "usage: gauss SEED\n"), 2;
  drawFrom(argv[1]);
  fill();
  int rank = 0;
  double logarithm = 0;
  for (int k = 0; k < n; ++k) {
    const int pivot = pivotOf(k);
    if (pivot != k) // b2
      swapRows(pivot, k);
    if (a[k][k] == 0)
      continue;
    eliminate(k);
    ++rank;
    logarithm += log(fabs(a[k][k]));
  }
  printf("%d %.6g\n", rank, logarithm);
}
