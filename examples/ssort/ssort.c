// Straight selection sort: each pass puts the largest of what is left behind it. How often a pass
// finds a new largest element has mean and variance that grow with the logarithm of its length, and
// one pass leaves its order to the next.
//
//   ssort SEED [N [PASSES]]
//
// sorts N (200) numbers, or stops after some passes; prints how often a larger element was found,
// and a digest of the result.
#include "../draw.h"

#include <stdio.h>

enum { most = 10000 };
static double a[most];

NOT_PROFILED static void fill(int n) {
  for (int i = 0; i < n; ++i)
    a[i] = draw();
}

static int sort(int n, int passes) {
  int found = 0;
  for (int i = n - 1; i >= 1 && i >= n - passes; --i) {
    int k = i;
    for (int j = i - 1; j >= 0; --j)
      if (a[j] > a[k]) { // b1
        k = j;
        ++found;
      }
    const double largest = a[k];
    a[k] = a[i];
    a[i] = largest;
  }
  return found;
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 200, passes = argc > 3 ? atoi(argv[3]) : n;
  if (argc < 2 || n < 1 || n > most || passes < 0)
    return fprintf(stderr, "usage: ssort SEED [N [PASSES]], N from 1 to %d\n", most), 2;
  drawFrom(argv[1]);
  fill(n);
  const int found = sort(n, passes);
  double digest = 0;
  for (int i = 0; i < n; ++i)
    digest = digest / 2 + a[i];
  printf("%d %.9g\n", found, digest);
}
