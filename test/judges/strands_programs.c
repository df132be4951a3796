/* Programs with known graphs; PLAIN: without what knows them. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "strands_known.h"
#ifdef PLAIN
static void *begins(void *t) { return ((struct known_thread *)t)->run(((struct known_thread *)t)->argument); }
void known_create(struct known_thread *t, void *(*run)(void *), void *argument) {
  t->run = run, t->argument = argument, pthread_create(&t->t, NULL, begins, t);
}
void known_join(struct known_thread *t) { pthread_join(t->t, NULL); }
void known_lock(struct known_mutex *m) { pthread_mutex_lock(&m->m); }
void known_unlock(struct known_mutex *m) { pthread_mutex_unlock(&m->m); }
void known_make(struct known_semaphore *s, unsigned value) { sem_init(&s->s, 0, value); }
void known_post(struct known_semaphore *s) { sem_post(&s->s); }
void known_take(struct known_semaphore *s) { sem_wait(&s->s); }
void known_meet_of(struct known_barrier *b, unsigned size) { pthread_barrier_init(&b->b, NULL, size); }
void known_meet(struct known_barrier *b) { pthread_barrier_wait(&b->b); }
void known_wait(struct known_condition *c, struct known_mutex *m) { pthread_cond_wait(&c->c, &m->m); }
void known_signal(struct known_condition *c) { pthread_cond_signal(&c->c); }
void known_read(struct known_rwlock *l) { pthread_rwlock_rdlock(&l->l); }
void known_read_done(struct known_rwlock *l) { pthread_rwlock_unlock(&l->l); }
void known_write(struct known_rwlock *l) { pthread_rwlock_wrlock(&l->l); }
void known_write_done(struct known_rwlock *l) { pthread_rwlock_unlock(&l->l); }
#endif

enum { most = 64 };
static unsigned threads, results[1 << 12];
__attribute__((noinline)) static unsigned grind(unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < n; ++i)
    x = x % 7 == 3 ? x * 3 + i : x ^ (x >> 3) ^ i;
  return x;
}
static struct known_thread thread[most];
static void all(void *(*run)(void *)) {
  for (size_t i = 0; i < threads; ++i)
    known_create(&thread[i], run, (void *)i);
  for (size_t i = 0; i < threads; ++i)
    known_join(&thread[i]);
}

/* Each forks two, down to the depth. */
static void *node(void *argument) {
  const size_t n = (size_t)argument;
  results[n] = grind(100 * n % 977 + 50);
  if (2 * n + 1 < threads) {
    struct known_thread child[2];
    for (size_t i = 0; i < 2; ++i)
      known_create(&child[i], node, (void *)(2 * n + i));
    results[n] += grind(300);
    for (size_t i = 0; i < 2; ++i)
      known_join(&child[i]);
  }
  results[n] += grind(n * 13 % 101);
  return NULL;
}
static void tree(void) { node((void *)1); }

static struct known_mutex mutex = {.m = PTHREAD_MUTEX_INITIALIZER};
static void *joint(void *argument) {
  const size_t n = (size_t)argument;
  for (unsigned round = 0; round < 20; ++round) {
    results[n] += grind(200 + 10 * n);
    known_lock(&mutex);
    results[most] += grind(100 + round) + (unsigned)n;
    known_unlock(&mutex);
  }
  return NULL;
}
static void chain(void) { all(joint); }

static struct known_semaphore full[most + 1], space[most + 1];
static void *stage(void *argument) {
  const size_t n = (size_t)argument;
  for (unsigned item = 0; item < 30; ++item) {
    if (n > 0)
      known_take(&full[n]);
    results[n] += grind(100 + (item * 37 + 11 * (unsigned)n) % 400);
    if (n > 0)
      known_post(&space[n]);
    if (n + 1 < threads) {
      known_take(&space[n + 1]);
      known_post(&full[n + 1]);
    }
  }
  return NULL;
}
static void pipeline(void) {
  for (unsigned i = 1; i < threads; ++i) {
    known_make(&full[i], 0);
    known_make(&space[i], 3);
  }
  all(stage);
}

static struct known_barrier meeting;
static void *phases(void *argument) {
  const size_t n = (size_t)argument;
  for (unsigned phase = 0; phase < 15; ++phase) {
    results[n] += grind(50 + (phase * 101 + 57 * (unsigned)n) % 500);
    known_meet(&meeting);
  }
  return NULL;
}
static void barrier(void) {
  known_meet_of(&meeting, threads);
  all(phases);
}

/* Who waits is there long before the signal. */
static struct known_condition condition[most];
static struct known_mutex doors[most];
static int open_door[most];
static void *waits(void *argument) {
  const size_t n = (size_t)argument;
  results[n] = grind(40);
  known_lock(&doors[n]);
  while (!open_door[n])
    known_wait(&condition[n], &doors[n]);
  known_unlock(&doors[n]);
  results[n] += grind(500 - 3 * (unsigned)n);
  return NULL;
}
static void rendezvous(void) {
  for (unsigned i = 0; i < threads; ++i) {
    pthread_mutex_init(&doors[i].m, NULL);
    pthread_cond_init(&condition[i].c, NULL);
  }
  for (size_t i = 0; i < threads; ++i)
    known_create(&thread[i], waits, (void *)i);
  usleep(300000);
  for (unsigned i = 0; i < threads; ++i) {
    results[most] += grind(70 + 9 * i);
    known_lock(&doors[i]);
    open_door[i] = 1;
    known_signal(&condition[i]);
    known_unlock(&doors[i]);
  }
  for (size_t i = 0; i < threads; ++i)
    known_join(&thread[i]);
}

static struct known_rwlock shared = {.l = PTHREAD_RWLOCK_INITIALIZER};
static void *reads(void *argument) {
  const size_t n = (size_t)argument;
  for (unsigned round = 0; round < 10; ++round)
    if (n == 0) {
      known_write(&shared);
      results[most] += grind(90);
      known_write_done(&shared);
    } else {
      known_read(&shared);
      results[n] += grind(60 + (unsigned)n) + 0 * results[most];
      known_read_done(&shared);
    }
  return NULL;
}
static void readers(void) { all(reads); }

static struct known_mutex again;
static void *twice(void *argument) {
  known_lock(&again);
  results[most] += grind(30);
  pthread_mutex_lock(&again.m);
  results[most] += grind(20) + (unsigned)(size_t)argument;
  pthread_mutex_unlock(&again.m);
  known_unlock(&again);
  return NULL;
}
static void recursive(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again.m, &a);
  all(twice);
}

static void *dies(void *argument) {
  if (argument == NULL)
    kill(getpid(), SIGKILL);
  known_lock(&mutex);
  results[1] = grind(100);
  known_unlock(&mutex);
  pause();
  return NULL;
}
static void killed(void) { all(dies); }

static void tell(const char *what, int result) {
  printf("%s %d %d\n", what, result, errno);
  errno = 0;
}
static void *owner_dies(void *m) {
  pthread_mutex_lock(m);
  return NULL;
}
static void results_of_calls(void) {
  const struct timespec past = {1, 0};
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, robust;
  pthread_mutexattr_t a;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  pthread_t t;
  sem_t s;
  errno = 7;
  tell("lock", pthread_mutex_lock(&m));
  tell("trylock", pthread_mutex_trylock(&m));
  tell("timedlock", pthread_mutex_timedlock(&m, &past));
  tell("timedwait", pthread_cond_timedwait(&c, &m, &past));
  tell("unlock", pthread_mutex_unlock(&m));
  sem_init(&s, 0, 1);
  tell("trywait", sem_trywait(&s));
  tell("trywait", sem_trywait(&s));
  tell("sem_timedwait", sem_timedwait(&s, &past));
  tell("post", sem_post(&s));
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&robust, &a);
  pthread_create(&t, NULL, owner_dies, &robust);
  tell("join", pthread_join(t, NULL));
  tell("owner died", pthread_mutex_lock(&robust));
  tell("again", pthread_mutex_lock(&robust));
  tell("consistent", pthread_mutex_consistent(&robust));
  tell("unlock", pthread_mutex_unlock(&robust));
  tell("not mine", pthread_mutex_unlock(&robust));
}

int main(int argc, char **argv) {
  static const struct { const char *name; void (*run)(void); } programs[] = {
      {"tree", tree}, {"chain", chain}, {"pipeline", pipeline}, {"barrier", barrier}, {"rendezvous", rendezvous},
      {"readers", readers}, {"recursive", recursive}, {"killed", killed}, {"results", results_of_calls}};
  threads = argc > 2 ? (unsigned)atoi(argv[2]) : 2;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i)
    if (argc > 1 && strcmp(programs[i].name, argv[1]) == 0)
      programs[i].run();
  unsigned sum = 0;
  for (size_t i = 0; i < sizeof results / sizeof *results; ++i)
    sum += i != most ? results[i] : 0;
  printf("%u\n", sum);
  return 0;
}
