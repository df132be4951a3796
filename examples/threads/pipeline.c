// Two stages: one thread makes vectors of Gaussian numbers, and a team sorts them by regular
// sampling. Between them is room for a few vectors.
//
//   pipeline SEED VECTORS SIZE TASKS [make|sort]
//
// VECTORS of SIZE numbers (a multiple of TASKS); with `make` or `sort` the other stage does
// nothing. Prints how many numbers came out, and how many of them are out of order.
#include "../draw.h"
#include "psrs.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { room = 2 };
static double *vector[room];
static sem_t empty, full;
static int vectors, makes = 1, sorts = 1;
static long size;

// Accepted pairs of the polar method; how many are drawn is chance.
static void make(double *out) {
  for (long i = 0; i < size;) {
    const double u = 2 * draw() - 1, v = 2 * draw() - 1, square = u * u + v * v;
    if (square <= 1 && square > 0) {
      const double factor = sqrt(-2 * log(square) / square);
      out[i++] = u * factor;
      if (i < size)
        out[i++] = v * factor;
    }
  }
}

NOT_PROFILED static void fill(double *out) {
  for (long i = 0; i < size; ++i)
    out[i] = draw();
}

static void *maker(void *unused) {
  for (int v = 0; v < vectors; ++v) {
    sem_wait(&empty);
    if (makes)
      make(vector[v % room]);
    else
      fill(vector[v % room]);
    sem_post(&full);
  }
  return unused;
}

NOT_PROFILED static long outOfOrder(const double *a) {
  long wrong = 0;
  for (long i = 1; i < size; ++i)
    wrong += a[i] < a[i - 1];
  return wrong;
}

int main(int argc, char **argv) {
  vectors = argc < 5 ? 0 : atoi(argv[2]);
  const int tasks = argc < 5 ? 0 : atoi(argv[4]);
  if (vectors < 1 || tasks < 1 || tasks > mostParts || (size = atol(argv[3])) % tasks != 0 ||
      size / tasks < tasks)
    return fprintf(
               stderr,
               "usage: pipeline SEED VECTORS SIZE TASKS [make|sort], SIZE a multiple of TASKS\n"),
           2;
  makes = argc < 6 || strcmp(argv[5], "make") == 0;
  sorts = argc < 6 || strcmp(argv[5], "sort") == 0;
  double *sorted = calloc((size_t)size, sizeof *sorted);
  for (int i = 0; i < room; ++i)
    if ((vector[i] = malloc(sizeof *sorted * (size_t)size)) == NULL || sorted == NULL)
      return fprintf(stderr, "pipeline: no memory\n"), 1;
  drawFrom(argv[1]);
  sem_init(&empty, 0, room);
  sem_init(&full, 0, 0);
  pthread_t thread;
  if (pthread_create(&thread, NULL, maker, NULL) != 0)
    return fprintf(stderr, "pipeline: no thread\n"), 1;
  long wrong = 0;
  for (int v = 0; v < vectors; ++v) {
    sem_wait(&full);
    if (sorts)
      psrs(vector[v % room], sorted, tasks, size / tasks);
    sem_post(&empty);
    wrong += outOfOrder(sorted);
  }
  pthread_join(thread, NULL);
  printf("%ld %ld\n", vectors * size, wrong);
  for (int i = 0; i < room; ++i)
    free(vector[i]);
  free(sorted);
}
