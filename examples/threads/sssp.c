// Shortest paths from one node by Dijkstra's algorithm: in each round tasks look for the nearest
// node, and relax the distances, of a share of the nodes each. Tasks of one round see one graph.
//
//   sssp SEED NODES TASKS
//
// prints the sum of the distances.
#include "graph.h"

#include <stdio.h>

enum { mostTasks = 256 };
static double distance[mostNodes];
static char settled[mostNodes];

// The nearest node of [first, last) that is not settled; -1: there is none.
static int nearest(int first, int last) {
  int best = -1;
  for (int v = first; v < last; ++v)
    if (!settled[v] && distance[v] < INFINITY && (best < 0 || distance[v] < distance[best]))
      best = v;
  return best;
}

int main(int argc, char **argv) {
  const int nodes = argc < 4 ? 0 : atoi(argv[2]), tasks = argc < 4 ? 0 : atoi(argv[3]);
  if (nodes < 1 || nodes > mostNodes || tasks < 1 || tasks > mostTasks)
    return fprintf(stderr, "usage: sssp SEED NODES TASKS, at most %d nodes and %d tasks\n",
                   mostNodes, mostTasks),
           2;
  drawFrom(argv[1]);
  fill(nodes);
  for (int v = 1; v < nodes; ++v)
    distance[v] = INFINITY;
  double sum = 0;
  for (int u = 0; u >= 0;) {
    settled[u] = 1;
    sum += distance[u];
    int of[mostTasks];
#pragma omp parallel for schedule(static) // relax, and look
    for (int t = 0; t < tasks; ++t) {
      const int first = t * nodes / tasks, last = (t + 1) * nodes / tasks;
      for (int v = first; v < last; ++v)
        if (!settled[v] && distance[u] + weight[u][v] < distance[v])
          distance[v] = distance[u] + weight[u][v];
      of[t] = nearest(first, last);
    }
    u = -1;
    for (int t = 0; t < tasks; ++t)
      if (of[t] >= 0 && (u < 0 || distance[of[t]] < distance[u]))
        u = of[t];
  }
  printf("%.6f\n", sum);
}
