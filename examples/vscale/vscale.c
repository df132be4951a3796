// Vector scaling: multiplies the elements that are not 0. A tenth of them are not: each by itself
// (the count of scaled ones is binomial), or, with "mixed", a share of them that is drawn anew for
// every data set, from the law Beta(2, 18), which has the same mean. Counts added up over data sets
// cannot tell these two apart.
//
//   vscale SEED [N [mixed]]
//
// makes one data set of N (1000) elements; prints how many were scaled, and their sum.
#include "../draw.h"

#include <stdio.h>

enum { most = 1000000 };
static double x[most];

// The second smallest of 19 uniform numbers has the law Beta(2, 18).
NOT_PROFILED static double drawShare(void) {
  double least = 1, second = 1;
  for (int i = 0; i < 19; ++i) {
    const double u = draw();
    if (u < least) {
      second = least;
      least = u;
    } else if (u < second)
      second = u;
  }
  return second;
}

NOT_PROFILED static void fill(int n, double share) {
  for (int i = 0; i < n; ++i)
    x[i] = draw() < share ? 1 + draw() : 0;
}

static int scale(int n, double factor) {
  int scaled = 0;
  for (int i = 0; i < n; ++i)
    if (x[i] != 0) { // b1
      x[i] *= factor;
      ++scaled;
    }
  return scaled;
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 1000;
  if (argc < 2 || n < 1 || n > most)
    return fprintf(stderr, "usage: vscale SEED [N [mixed]], N from 1 to %d\n", most), 2;
  drawFrom(argv[1]);
  fill(n, argc > 3 ? drawShare() : 0.1);
  const int scaled = scale(n, 3);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i];
  printf("%d %.9g\n", scaled, sum);
}
