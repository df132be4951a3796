#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum kind { WORK, LOCK, SHARE, LOCK_ALL, UNLOCK, POST, TAKE, FORK, ARRIVE, PASS, DEAL, END };
struct step {
  enum kind kind;
  unsigned object;
  double amount; /* seconds; of LOCK_ALL how many there are */
};
/* TABLES */
#define COUNT(table) (sizeof(table) / sizeof *(table))
static double scale = 1;
static pthread_rwlock_t locks[lockCount + 1];
static sem_t channels[channelCount], gates[COUNT(sizes)], line;
static unsigned arrived[COUNT(sizes)], dealt[COUNT(pools)];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What a sleep takes too long is left out of the next one. */
static void work(double seconds, double *debt) {
  const double began = now(), least = 100e-6;
  *debt += seconds;
  if (*debt < least)
    return;
  const double nap = *debt - 50e-6;
  nanosleep(&(struct timespec){(time_t)nap, (long)(1e9 * (nap - (double)(time_t)nap))}, NULL);
  *debt -= now() - began;
}

/* Threads of the program executed tasks; one that waits leaves its place to another. */
static void place(int *has, int wanted) {
  if (*has == wanted)
    return;
  *has = wanted;
  if (!wanted)
    sem_post(&line);
  else
    while (sem_wait(&line) != 0) {
    }
}
static void wait_for(sem_t *s, int *has) {
  if (sem_trywait(s) == 0)
    return;
  place(has, 0);
  while (sem_wait(s) != 0) {
  }
}

/* As std::lock does: who waits for one has none. */
static void lock_all(const unsigned *those, unsigned n) {
  for (unsigned first = 0, had = 0; had < n;) {
    pthread_rwlock_wrlock(&locks[those[first]]);
    for (had = 1; had < n && pthread_rwlock_trywrlock(&locks[those[(first + had) % n]]) == 0;)
      ++had;
    if (had == n)
      break;
    const unsigned busy = (first + had) % n;
    while (had > 0)
      pthread_rwlock_unlock(&locks[those[(first + --had) % n]]);
    first = busy;
  }
}

static void *follow(void *body) {
  const struct step *s = &steps[begins[(size_t)body]];
  double debt = 0;
  int has = 0;
  for (; s->kind != END; ++s)
    switch (s->kind) {
    case WORK:
      place(&has, 1);
      work(scale * s->amount, &debt);
      break;
    case LOCK:
      pthread_rwlock_wrlock(&locks[s->object]);
      break;
    case SHARE:
      pthread_rwlock_rdlock(&locks[s->object]);
      break;
    case LOCK_ALL:
      lock_all(&together[s->object], (unsigned)s->amount);
      break;
    case UNLOCK:
      pthread_rwlock_unlock(&locks[s->object]);
      break;
    case POST:
      sem_post(&channels[s->object]);
      break;
    case TAKE:
      wait_for(&channels[s->object], &has);
      break;
    case ARRIVE:
      pthread_mutex_lock(&guard);
      if (++arrived[s->object] == sizes[s->object])
        sem_post(&gates[s->object]);
      pthread_mutex_unlock(&guard);
      break;
    case PASS: /* who has passed lets the next one pass */
      wait_for(&gates[s->object], &has);
      sem_post(&gates[s->object]);
      break;
    case DEAL:
      pthread_mutex_lock(&guard);
      s = &steps[begins[pools[s->object][dealt[s->object]++]]] - 1;
      pthread_mutex_unlock(&guard);
      break;
    case FORK: {
      pthread_t thread;
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
      pthread_attr_setstacksize(&attributes, 65536);
      if (pthread_create(&thread, &attributes, follow, (void *)(size_t)s->object) != 0) {
        perror("pthread_create");
        exit(1);
      }
      pthread_attr_destroy(&attributes);
      break;
    }
    case END:
      break;
    }
  place(&has, 0);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc > 1)
    scale = atof(argv[1]);
  if (!(scale > 0)) {
    fprintf(stderr, "usage: %s [TIMES]   everything takes so many times as long (default 1)\n", argv[0]);
    return 2;
  }
  for (size_t i = 0; i < COUNT(locks); ++i) {
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&locks[i], &kind);
  }
  for (size_t i = 0; i < COUNT(channels); ++i)
    sem_init(&channels[i], 0, initial[i]);
  for (size_t i = 0; i < COUNT(gates); ++i)
    sem_init(&gates[i], 0, 0);
  sem_init(&line, 0, atOnce);
  alarm((unsigned)(10 + 20 * scale * predicted)); /* locks have another order than in the run */
  const double began = now();
  follow(NULL);
  const double took = (now() - began) / scale;
  printf("took %.6f s, predicted %.6f s, %+.2f %%\n", took, predicted, 100 * (predicted / took - 1));
  return 0;
}
