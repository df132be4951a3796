/* How long threads take whose work is to sleep: more of them than processors, and still side by side.
 *   omp_sleeps WHAT THREADS REPETITIONS FILE     FILE: seconds, one a line
 * prints the seconds of each repetition. WHAT is how iterations are dealt (static, static4, monotonic, dynamic, guided), or
 *   tasks     one thread makes a task of each
 *   depend    the same, task i after task i - 7
 *   mutex     monotonic, and each iteration then holds a pthread_mutex_t for 1/20 of the mean
 *   queue     one thread sleeps for 1/16 of the mean and posts to a queue of 4 places, the others take and sleep
 *   nap       the overhead of sleeping: its lower quartile over FILE's lines
 *   make      what one thread takes to make a task while others begin those that it made */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum { most = 100000 };
static double costs[most], mean, making;
static int n;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int held, taken;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void nap(double s) {
  struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
  nanosleep(&t, NULL);
}
static void produce(void) {
  for (int i = 0; i < n; ++i) {
    nap(mean / 16);
    pthread_mutex_lock(&mutex);
    while (held == 4)
      pthread_cond_wait(&emptied, &mutex);
    ++held;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
  }
}
static void consume(void) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (held == 0 && taken < n)
      pthread_cond_wait(&filled, &mutex);
    if (taken == n) {
      pthread_mutex_unlock(&mutex);
      return;
    }
    const int i = taken++;
    --held;
    if (taken == n)
      pthread_cond_broadcast(&filled);
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&mutex);
    nap(costs[i]);
  }
}
static void go(const char *what) {
  static char links[most];
  if (!strcmp(what, "static")) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i)
      nap(costs[i]);
  } else if (!strcmp(what, "static4")) {
#pragma omp parallel for schedule(static, 4)
    for (int i = 0; i < n; ++i)
      nap(costs[i]);
  } else if (!strcmp(what, "monotonic")) {
#pragma omp parallel for schedule(monotonic : dynamic, 1)
    for (int i = 0; i < n; ++i)
      nap(costs[i]);
  } else if (!strcmp(what, "dynamic")) {
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < n; ++i)
      nap(costs[i]);
  } else if (!strcmp(what, "guided")) {
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < n; ++i)
      nap(costs[i]);
  } else if (!strcmp(what, "tasks")) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; ++i) {
#pragma omp task firstprivate(i)
      nap(costs[i]);
    }
  } else if (!strcmp(what, "make")) {
    enum { made = 128 }; /* half of what the queue of a thread has room for */
#pragma omp parallel
#pragma omp single
    {
      const double began = now();
      for (int i = 0; i < made; ++i) {
#pragma omp task
        nap(mean);
      }
      making = (now() - began) / made;
    }
  } else if (!strcmp(what, "depend")) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; ++i) {
#pragma omp task firstprivate(i) depend(inout : links[i % 7])
      nap(costs[i]);
    }
  } else if (!strcmp(what, "mutex")) {
#pragma omp parallel for schedule(monotonic : dynamic, 1)
    for (int i = 0; i < n; ++i) {
      nap(costs[i]);
      pthread_mutex_lock(&mutex);
      nap(mean / 20);
      pthread_mutex_unlock(&mutex);
    }
  } else if (!strcmp(what, "queue")) {
    held = taken = 0;
#pragma omp parallel
    if (omp_get_thread_num() == 0)
      produce();
    else
      consume();
  } else {
    fprintf(stderr, "omp_sleeps: error: unknown '%s'\n", what);
    exit(2);
  }
}
static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a - *(const double *)b;
  return x < 0 ? -1 : x > 0;
}
int main(int argc, char **argv) {
  FILE *f = argc == 5 ? fopen(argv[4], "r") : NULL;
  if (!f)
    return 2;
  while (n < most && fscanf(f, "%lf", &costs[n]) == 1)
    mean += costs[n++];
  mean /= n;
  prctl(PR_SET_TIMERSLACK, 1000); /* threads inherit it */
  if (!strcmp(argv[1], "nap")) {
    for (int i = 0; i < n; ++i) {
      const double t = now();
      nap(costs[i]);
      costs[i] = now() - t - costs[i];
    }
    qsort(costs, (size_t)n, sizeof(*costs), ascending);
    printf("%.9f\n", costs[n / 4]);
    return 0;
  }
  omp_set_num_threads(atoi(argv[2]));
  for (int r = atoi(argv[3]); r > 0; --r) {
#pragma omp parallel
    nap(0.001); /* all threads are there and asleep again */
    const double t = now();
    go(argv[1]);
    printf("%.9f\n", making > 0 ? making : now() - t);
  }
  return 0;
}
