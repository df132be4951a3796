// Shortest paths from several nodes of one graph, a task for each by Dijkstra's algorithm. Who is
// free takes the next node, as workers of a farm do.
//
//   apsp SEED NODES SOURCES
//
// prints the sum of all distances.
#include "graph.h"

#include <stdio.h>

// The sum of the distances from `source` to what can be reached.
static double distances(int nodes, int source) {
  double distance[mostNodes], sum = 0;
  char settled[mostNodes] = {0};
  for (int v = 0; v < nodes; ++v)
    distance[v] = INFINITY;
  distance[source] = 0;
  for (;;) {
    int u = -1;
    for (int v = 0; v < nodes; ++v)
      if (!settled[v] && distance[v] < INFINITY && (u < 0 || distance[v] < distance[u]))
        u = v;
    if (u < 0)
      return sum;
    settled[u] = 1;
    sum += distance[u];
    for (int v = 0; v < nodes; ++v)
      if (!settled[v] && distance[u] + weight[u][v] < distance[v])
        distance[v] = distance[u] + weight[u][v];
  }
}

int main(int argc, char **argv) {
  if (argc < 4 || atoi(argv[2]) < 1 || atoi(argv[2]) > mostNodes)
    return fprintf(stderr, "usage: apsp SEED NODES SOURCES, at most %d nodes\n", mostNodes), 2;
  const int nodes = atoi(argv[2]), sources = atoi(argv[3]);
  drawFrom(argv[1]);
  fill(nodes);
  double sum = 0;
#pragma omp parallel for schedule(monotonic : dynamic) reduction(+ : sum)
  for (int s = 0; s < sources; ++s)
    sum += distances(nodes, s % nodes);
  printf("%.6f\n", sum);
}
