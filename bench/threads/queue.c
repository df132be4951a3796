// Workers take jobs from a queue, and write down results under a lock.
#include <pthread.h>
#include <stdlib.h>
#include "grind.h"
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
#ifndef SPLIT
#define other queue
#endif
static int left, size;
static int take(void) {
  pthread_mutex_lock(&queue); // TAKE
  const int got = left > 0 ? left-- : 0;
  grind(TIMES(WORK, 20) * size);
  pthread_mutex_unlock(&queue);
  return got;
}
static void *work(void *unused) {
  for (int job; (job = take()) != 0;) {
    grind(TIMES(WORK, 1000 + 700 * (job % 5)) * size);
#ifndef RESULT
    pthread_mutex_lock(&other); // RESULT
#endif
    grind(TIMES(WORK, 300) * size);
#ifndef RESULT
    pthread_mutex_unlock(&other);
#endif
  }
  return unused;
}
int main(int argc, char **argv) {
  const int threads = argc > 2 ? atoi(argv[1]) : 1;
  pthread_t ids[64];
  size = atoi(argv[2]);
  left = 150;
  grind(5000 * size);
  for (int t = 0; t < threads; ++t)
    pthread_create(&ids[t], 0, work, 0); // WORK
  for (int t = 0; t < threads; ++t)
    pthread_join(ids[t], 0);
}
