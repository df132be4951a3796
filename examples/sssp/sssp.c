// Shortest path between two nodes by Dijkstra's algorithm on a matrix of 60 by 60 distances,
// uniform between 0 and 10, a tenth of them missing. It ends at the target, which is drawn, so the
// number of rounds is nearly uniform.
//
//   sssp SEED
//
// prints how many nodes were settled and how far the target is.
#include "../draw.h"

#include <math.h>
#include <stdio.h>

enum { nodes = 60 };
static double weight[nodes][nodes], distance[nodes];
static int settled[nodes];

NOT_PROFILED static void fill(void) {
  for (int i = 0; i < nodes; ++i)
    for (int j = 0; j < nodes; ++j) {
      const double value = 10 * draw();
      weight[i][j] = draw() < 0.1 ? INFINITY : value;
    }
}

// The node to settle next; -1 when none can be reached any more.
static int nearest(void) {
  int best = -1;
  double least = INFINITY;
  for (int v = 0; v < nodes; ++v) {
    if (settled[v])
      continue;
    if (distance[v] < least) { // b1
      least = distance[v];
      best = v;
    }
  }
  return best;
}

static void relax(int u) {
  for (int v = 0; v < nodes; ++v)
    if (distance[u] + weight[u][v] < distance[v]) // b3
      distance[v] = distance[u] + weight[u][v];
}

int main(int argc, char **argv) {
  if (argc < 2)
    return fprintf(stderr, "usage: sssp SEED\n"), 2;
  drawFrom(argv[1]);
  fill();
  const int target = 1 + drawBelow(nodes - 1);
  for (int v = 1; v < nodes; ++v)
    distance[v] = INFINITY;
  int rounds = 0;
  for (int u; (u = nearest()) >= 0; ++rounds) {
    if (u == target) // b2
      break;
    settled[u] = 1;
    relax(u);
  }
  printf("%d %.9g\n", rounds, distance[target]);
}
