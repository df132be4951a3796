// The map skeleton: workers take jobs from a queue with a lock, and how long a job takes is chance.
//
//   farm SEED WORKERS JOBS
//
// prints the sum of what all jobs computed.
#include "../draw.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { mostWorkers = 256, mostJobs = 4096 };
static int jobs, next;
static long length[mostJobs];
static unsigned result[mostJobs];
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;

static unsigned work(long n, unsigned x) {
  for (long i = 0; i < n; ++i)
    x = (x * 1664525u + 1013904223u) ^ (x >> 7);
  return x;
}

static void *worker(void *unused) {
  for (;;) {
    pthread_mutex_lock(&queue);
    const int job = next < jobs ? next++ : -1;
    pthread_mutex_unlock(&queue);
    if (job < 0)
      return unused;
    result[job] = work(length[job], (unsigned)job);
  }
}

int main(int argc, char **argv) {
  const int workers = argc < 4 ? 0 : atoi(argv[2]);
  if (workers < 1 || workers > mostWorkers || (jobs = atoi(argv[3])) < 1 || jobs > mostJobs)
    return fprintf(stderr, "usage: farm SEED WORKERS JOBS, at most %d workers and %d jobs\n",
                   mostWorkers, mostJobs),
           2;
  drawFrom(argv[1]);
  for (int j = 0; j < jobs; ++j)
    length[j] = (long)(-100000 * log(1 - draw())); // exponential
  pthread_t thread[mostWorkers];
  for (int w = 0; w < workers; ++w)
    if (pthread_create(&thread[w], NULL, worker, NULL) != 0)
      return fprintf(stderr, "farm: no thread\n"), 1;
  unsigned sum = 0;
  for (int w = 0; w < workers; ++w)
    pthread_join(thread[w], NULL);
  for (int j = 0; j < jobs; ++j)
    sum += result[j];
  printf("%u\n", sum);
}
