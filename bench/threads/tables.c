// Threads look things up under a lock that readers share, and sometimes change them.
#include <pthread.h>
#include <stdlib.h>
#include "grind.h"
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER, other = PTHREAD_RWLOCK_INITIALIZER;
#ifndef SPLIT
#define other table
#endif
static int size, threads;
static void *work(void *unused) {
  for (int i = 0; i < 60; ++i) {
    grind(TIMES(WORK, 800) * size);
    if (i % 4 == 3) {
#ifndef WRITE
      pthread_rwlock_wrlock(&other); // WRITE
#endif
      grind(TIMES(WORK, 500) * size);
#ifndef WRITE
      pthread_rwlock_unlock(&other);
#endif
    } else {
#ifndef READ
      pthread_rwlock_rdlock(&table); // READ
#endif
      grind(TIMES(WORK, 300) * size);
#ifndef READ
      pthread_rwlock_unlock(&table);
#endif
    }
  }
  return unused;
}
int main(int argc, char **argv) {
  pthread_t ids[64];
  threads = argc > 2 ? atoi(argv[1]) : 1;
  size = atoi(argv[2]);
  for (int t = 0; t < threads; ++t)
    pthread_create(&ids[t], 0, work, 0); // WORK
  for (int t = 0; t < threads; ++t)
    pthread_join(ids[t], 0);
  grind(4000 * size);
}
