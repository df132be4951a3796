// Texts for compressing: a data set is 4000 letters from a source of its own, with its own
// alphabet, its own preference for few letters and its own habit of repeating what followed a
// letter the last time.
//
//   text SEED [N]
//
// prints N (4000) letters.
#include "../draw.h"

#include <math.h>
#include <stdio.h>

enum { most = 1000000, letters = 64 };

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 4000;
  if (argc < 2 || n < 1 || n > most)
    return fprintf(stderr, "usage: text SEED [N], N from 1 to %d\n", most), 2;
  drawFrom(argv[1]);
  const int alphabet = 2 + drawBelow(letters - 2);
  const double skew = 1 + 3 * draw(), habit = draw();
  int follows[letters] = {0}, last = 0;
  for (int i = 0; i < n; ++i) {
    const double fresh = draw(), kept = draw();
    if (kept >= habit)
      follows[last] = (int)(alphabet * pow(fresh, skew));
    last = follows[last];
    putchar(48 + last);
  }
}
