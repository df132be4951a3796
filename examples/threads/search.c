// Several engines search for one query, each in a document collection of its own, and the first
// answer ends the search: threads look at a flag every 256 documents. An engine that has seen the
// query lately answers from its cache, so times have two modes.
//
//   search SEED ENGINES [all]
//
// With `all` every engine goes on to its own answer. Prints how many documents the best one read.
#include "../draw.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { mostEngines = 256, cached = 2000, documents = 60000 };
static atomic_int answered;

// Reads documents in an order of its own until one has the key; returns how many.
static int search(uint64_t state, int most, int waitsForAll) {
  uint64_t key = 0;
  for (int n = 0; n < most; ++n) {
    if (n % 256 == 0 && !waitsForAll && atomic_load_explicit(&answered, memory_order_relaxed))
      return documents;
    state = state * 6364136223846793005u + 1442695040888963407u;
    key ^= state >> 33;
    if ((state >> 40) % 20000 == 0)
      return n + (key == 1);
  }
  return most;
}

int main(int argc, char **argv) {
  const int engines = argc < 3 ? 0 : atoi(argv[2]);
  if (engines < 1 || engines > mostEngines)
    return fprintf(stderr, "usage: search SEED ENGINES [all], at most %d engines\n", mostEngines),
           2;
  const int waitsForAll = argc > 3 && strcmp(argv[3], "all") == 0;
  drawFrom(argv[1]);
  uint64_t state[mostEngines];
  int most[mostEngines], read[mostEngines], best = documents;
  for (int e = 0; e < engines; ++e) {
    most[e] = draw() < 0.4 ? cached / 2 + drawBelow(cached / 2) : documents;
    state[e] = drawBits();
  }
#pragma omp parallel for schedule(static)
  for (int e = 0; e < engines; ++e) {
    read[e] = search(state[e], most[e], waitsForAll);
    atomic_store_explicit(&answered, 1, memory_order_relaxed);
  }
  for (int e = 0; e < engines; ++e)
    if (read[e] < best)
      best = read[e];
  printf("%d\n", best);
}
