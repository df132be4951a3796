// Gaussian pairs by the polar method, as the NAS benchmark EP makes them: x(k+1) = 5^13 x(k) mod
// 2^46. How many of the drawn pairs are accepted is chance, so tasks take unequally long.
//
//   ep RUN TASKS PAIRS
//
// run RUN draws the pairs from RUN * TASKS * PAIRS on of the sequence that begins with 271828183,
// and prints how many were accepted, and the sums of both deviates. `ep 0 256 65536` is class S.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { mostTasks = 256 };
static const uint64_t modulus = (uint64_t)1 << 46, multiplier = 1220703125; // 5^13

struct sums {
  double x, y;
  long accepted;
};

// The number `steps` behind `x`.
static uint64_t skip(uint64_t x, uint64_t steps) {
  for (uint64_t a = multiplier; steps > 0; steps /= 2, a = a * a % modulus)
    if (steps % 2 == 1)
      x = x * a % modulus;
  return x;
}

static struct sums task(uint64_t first, long pairs) {
  struct sums s = {0};
  uint64_t x = skip(271828183, 2 * first);
  for (long i = 0; i < pairs; ++i) {
    x = x * multiplier % modulus;
    const double u = 2 * (double)x / (double)modulus - 1;
    x = x * multiplier % modulus;
    const double v = 2 * (double)x / (double)modulus - 1;
    const double square = u * u + v * v;
    if (square <= 1) {
      const double factor = sqrt(-2 * log(square) / square);
      s.x += u * factor;
      s.y += v * factor;
      ++s.accepted;
    }
  }
  return s;
}

int main(int argc, char **argv) {
  if (argc < 4 || atoi(argv[2]) < 1 || atoi(argv[2]) > mostTasks)
    return fprintf(stderr, "usage: ep RUN TASKS PAIRS, at most %d tasks\n", mostTasks), 2;
  const int tasks = atoi(argv[2]);
  const long pairs = atol(argv[3]);
  const uint64_t run = strtoull(argv[1], NULL, 10);
  struct sums all = {0}, of[mostTasks];
#pragma omp parallel for schedule(static)
  for (int t = 0; t < tasks; ++t)
    of[t] = task((run * (uint64_t)tasks + (uint64_t)t) * (uint64_t)pairs, pairs);
  for (int t = 0; t < tasks; ++t) {
    all.x += of[t].x;
    all.y += of[t].y;
    all.accepted += of[t].accepted;
  }
  printf("%ld %.10e %.10e\n", all.accepted, all.x, all.y);
}
