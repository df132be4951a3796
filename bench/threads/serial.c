// Loops that one thread goes through, or a team of TEAM.
#include <pthread.h>
#include <stdlib.h>
#include "grind.h"
#ifndef TEAM
#define TEAM 8
#endif
static pthread_mutex_t sum = PTHREAD_MUTEX_INITIALIZER;
int main(int argc, char **argv) {
  const int size = atoi(argv[argc - 1]);
  grind(3000 * size);
#ifdef SHARE_FIRST
#pragma omp parallel for num_threads(TEAM) schedule(SHARE_FIRST)
#endif
  for (int i = 0; i < 192; ++i) // FIRST
    grind((100 + 9 * i) * size);
  grind(2000 * size);
#ifdef SHARE_SECOND
#pragma omp parallel for num_threads(TEAM) schedule(SHARE_SECOND)
#endif
  for (int i = 0; i < 500; ++i) { // SECOND
    grind((50 + i * 7919 % 397) * size);
    pthread_mutex_lock(&sum);
    grind(10 * size);
    pthread_mutex_unlock(&sum);
  }
}
