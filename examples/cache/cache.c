// A cache simulator, driven by a sorting program: the references of quicksort.h to its array go
// through a cache of 128 bytes in two sets of two blocks of 32 bytes, with random replacement.
// Whether one hits depends on those before it, and how many there are depends on the data.
//
//   cache SEED [N [BYTES]]
//
// sorts N (1000) elements of BYTES (4) each; prints references and hits.
static void touch(int element);
#define TOUCH(i) touch(i)
#include "../quicksort/quicksort.h"

#include "../draw.h"

#include <stdio.h>

enum { most = 100000, mostReferences = 100 * most, blockBytes = 32, sets = 2, ways = 2 };
static float a[most];
static int trace[mostReferences];
static long references;

static int cached[sets][ways];

NOT_PROFILED static void touch(int element) {
  if (references < mostReferences)
    trace[references++] = element;
}

static int hit(int block) {
  const int *set = cached[block % sets];
  for (int way = 0; way < ways; ++way)
    if (set[way] == block)
      return 1;
  return 0;
}

static long simulate(int elementBytes) {
  long hits = 0;
  for (long i = 0; i < references; ++i) {
    const int block = trace[i] * elementBytes / blockBytes;
    if (hit(block)) // b1
      ++hits;
    else
      cached[block % sets][drawBelow(ways)] = block;
  }
  return hits;
}

NOT_PROFILED static void fill(int n) {
  for (int i = 0; i < n; ++i)
    a[i] = (float)draw();
  for (int set = 0; set < sets; ++set)
    for (int way = 0; way < ways; ++way)
      cached[set][way] = -1;
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 1000, elementBytes = argc > 3 ? atoi(argv[3]) : 4;
  if (argc < 2 || n < 1 || n > most || elementBytes < 1 || elementBytes > 1000)
    return fprintf(stderr, "usage: cache SEED [N [BYTES]], N from 1 to %d\n", most), 2;
  drawFrom(argv[1]);
  fill(n);
  quicksort(a, n);
  printf("%ld %ld\n", references, simulate(elementBytes));
}
