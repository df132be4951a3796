// Sorts random numbers by the quicksort of quicksort.h. Its branches are held together by what they
// do: the parts of an array have as many elements as the array, whatever the pivots were.
//
//   quicksort SEED [N]
//
// sorts N (1000) numbers; prints how many stand wrong and a digest of the result.
#define TOUCH(i)
#include "quicksort.h"

#include "../draw.h"

#include <stdio.h>

enum { most = 1000000 };
static float a[most];

NOT_PROFILED static void fill(int n) {
  for (int i = 0; i < n; ++i)
    a[i] = (float)draw();
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 1000;
  if (argc < 2 || n < 1 || n > most)
    return fprintf(stderr, "usage: quicksort SEED [N], N from 1 to %d\n", most), 2;
  drawFrom(argv[1]);
  fill(n);
  quicksort(a, n);
  double digest = 0;
  int disorder = 0;
  for (int i = 0; i < n; ++i) {
    digest = digest / 2 + a[i];
    disorder += i > 0 && a[i] < a[i - 1];
  }
  printf("%d %.9g\n", disorder, digest);
}
