// One branch in one loop, with outcomes of a known law, so that what is said of the branch can be
// compared with what is true of it. The outcomes are made before the loop and outside of the
// profile.
//
//   branches SEED N bernoulli P      independent outcomes, true with chance P
//   branches SEED N runs A B C D     runs of A..B true and C..D false ones, lengths equally likely
//   branches SEED N counter P Q      the sign of a counter from -2 to 1 that goes up with chance P
//                                    where it is negative, Q where it is not, else down
//   branches SEED N jump P Q         the same, but a change of sign leads to the counter's end
//
// prints how many of N outcomes were true.
#include "../draw.h"

#include <stdio.h>
#include <string.h>

enum { most = 1000000 };
static unsigned char outcome[most];

static int countTrue(int n) {
  int trues = 0;
  for (int i = 0; i < n; ++i)
    if (outcome[i]) // b1
      ++trues;
  return trues;
}

NOT_PROFILED static void makeBernoulli(int n, double p) {
  for (int i = 0; i < n; ++i)
    outcome[i] = draw() < p;
}

NOT_PROFILED static void makeRuns(int n, const double *bounds) {
  int up = draw() < 0.5;
  for (int i = 0; i < n; up = !up) {
    const int low = (int)bounds[up ? 0 : 2], high = (int)bounds[up ? 1 : 3];
    for (int left = low + drawBelow(high - low + 1); left > 0 && i < n; --left)
      outcome[i++] = (unsigned char)up;
  }
}

NOT_PROFILED static void makeCounter(int n, double p, double q, int jumps) {
  int state = draw() < 0.5 ? -1 : 0;
  for (int i = 0; i < n; ++i) {
    outcome[i] = state >= 0;
    const int before = state;
    state += draw() < (state < 0 ? p : q) ? 1 : -1;
    if (jumps && (state < 0) != (before < 0))
      state = state < 0 ? -2 : 1;
    state = state < -2 ? -2 : state > 1 ? 1 : state;
  }
}

// Of the kind `words[0]` with parameters behind it; 0 when it is none.
NOT_PROFILED static int make(int n, int count, char **words) {
  double v[4] = {0};
  for (int i = 1; i < count && i <= 4; ++i)
    v[i - 1] = atof(words[i]);
  if (count == 2 && strcmp(words[0], "bernoulli") == 0)
    makeBernoulli(n, v[0]);
  else if (count == 5 && strcmp(words[0], "runs") == 0 && v[0] >= 1 && v[1] >= v[0] && v[2] >= 1 &&
           v[3] >= v[2])
    makeRuns(n, v);
  else if (count == 3 && (strcmp(words[0], "counter") == 0 || strcmp(words[0], "jump") == 0))
    makeCounter(n, v[0], v[1], words[0][0] == 'j');
  else
    return 0;
  return 1;
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 0;
  if (argc > 1)
    drawFrom(argv[1]);
  if (argc < 4 || n < 1 || n > most || !make(n, argc - 3, argv + 3))
    return fprintf(stderr,
                   "usage: branches SEED N bernoulli P | runs A B C D | counter P Q | jump P Q\n"),
           2;
  printf("%d\n", countTrue(n));
}
