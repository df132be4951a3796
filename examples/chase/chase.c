// Pointer chasing: a random cycle through N nodes of a cache line each is followed for STEPS steps.
// Every step does the same work, and takes as long as its node is far away.
//
//   chase SEED [N [STEPS]]
//
// follows a cycle of N (100000) nodes for STEPS (1000000) steps; prints where it ends.
#include "../draw.h"

#include <stdio.h>

enum { most = 1 << 21, lineBytes = 64 };
struct Node {
  struct Node *next;
  long number;
  char rest[lineBytes - sizeof(struct Node *) - sizeof(long)];
};
static struct Node nodes[most];
static int order[most];

// Sattolo's algorithm: a permutation that is one cycle.
static void makeCycle(int n) {
  for (int i = 0; i < n; ++i)
    order[i] = i;
  for (int i = n - 1; i > 0; --i) {
    const int j = drawBelow(i), moved = order[i];
    order[i] = order[j];
    order[j] = moved;
  }
  for (int i = 0; i < n; ++i) {
    nodes[i].next = &nodes[order[i]];
    nodes[i].number = i;
  }
}

static long chase(long steps) {
  const struct Node *at = nodes;
  for (long i = 0; i < steps; ++i)
    at = at->next;
  return at->number;
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[2]) : 100000;
  const long steps = argc > 3 ? atol(argv[3]) : 1000000;
  if (argc < 2 || n < 2 || n > most || steps < 0)
    return fprintf(stderr, "usage: chase SEED [N [STEPS]], N from 2 to %d\n", most), 2;
  drawFrom(argv[1]);
  makeCycle(n);
  printf("%ld\n", chase(steps));
  return 0;
}
