// A graph as a matrix of distances, uniform between 0 and 10, a tenth of them missing.
#pragma once
#include "../draw.h"

#include <math.h>

enum { mostNodes = 1000 };
static double weight[mostNodes][mostNodes];

NOT_PROFILED static void fill(int nodes) {
  for (int i = 0; i < nodes; ++i)
    for (int j = 0; j < nodes; ++j) {
      const double value = 10 * draw();
      weight[i][j] = draw() < 0.1 ? INFINITY : value;
    }
}
