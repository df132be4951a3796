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
  double amount; /* seconds; of LOCK_ALL how many there are; of TAKE: 1, of tasks that it made */
};
/* TABLES */
#define COUNT(table) (sizeof(table) / sizeof *(table))
static double scale = 1;
static pthread_rwlock_t locks[lockCount + 1];
static sem_t channels[channelCount], gates[COUNT(sizes)];
static unsigned arrived[COUNT(sizes)], dealt[COUNT(pools)], posted_from[channelCount]; /* seats */
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

/* Threads of the program executed tasks, one on top of another that waits: they are seats. */
struct thread {
  size_t body;
  struct thread *maker;
  unsigned depth; /* of makers */
  unsigned seat;  /* its last; of a task that has not begun: of who made it, or let it begin */
  int is_seated, has_begun, is_here, keeps_seat, wants_seat, waits_for_tasks;
  sem_t turn, here;
  struct thread *before, *behind; /* in line, or of those who keep a seat */
};
struct line {
  struct thread *first, *last;
};
static struct seat {
  int is_taken;
  unsigned victim; /* whom who sits there robbed last */
  struct line tasks, keepers;
} seats[atOnce];
static struct line begun, fresh;

static void stand(struct line *l, struct thread *t) {
  t->before = l->last;
  t->behind = NULL;
  *(l->last != NULL ? &l->last->behind : &l->first) = t;
  l->last = t;
}
static struct thread *leave(struct line *l, struct thread *t) {
  if (t == NULL)
    return NULL;
  *(t->before != NULL ? &t->before->behind : &l->first) = t->behind;
  *(t->behind != NULL ? &t->behind->before : &l->last) = t->before;
  return t;
}
/* Who waits for tasks is in the way of all others. */
static int may_begin(const struct thread *t, unsigned seat) {
  const struct thread *waits = seats[seat].keepers.last;
  if (waits == NULL || !waits->waits_for_tasks)
    return 1;
  while (t->depth > waits->depth)
    t = t->maker;
  return t == waits;
}
static struct thread *rob(unsigned seat, unsigned of) {
  struct thread *t = seats[of].tasks.first;
  while (t != NULL && !may_begin(t, seat))
    t = t->behind;
  return leave(&seats[of].tasks, t);
}
/* Its own last task, or the first one of another. */
static struct thread *next_for(unsigned seat) {
  struct seat *const s = &seats[seat];
  if (s->keepers.last != NULL && s->keepers.last->wants_seat)
    return leave(&s->keepers, s->keepers.last);
  struct thread *t = leave(&begun, begun.first);
  if (t == NULL)
    t = leave(&fresh, fresh.first);
  if (t != NULL)
    return t;
  for (t = s->tasks.last; t != NULL && !may_begin(t, seat);)
    t = t->before;
  if (leave(&s->tasks, t) == NULL)
    t = rob(seat, s->victim);
  for (unsigned i = 0; t == NULL && i < atOnce; ++i)
    if ((t = rob(seat, i)) != NULL)
      s->victim = i;
  return t;
}
/* Returns whom it gave the free seat. */
static struct thread *fill(unsigned seat) {
  struct thread *t = next_for(seat);
  seats[seat].is_taken = t != NULL;
  if (t == NULL)
    return NULL;
  t->seat = seat;
  t->keeps_seat = t->wants_seat = 0;
  return t;
}
static int find_seat(struct thread *t) {
  if (t->keeps_seat)
    return !seats[t->seat].is_taken && seats[t->seat].keepers.last == t ? (int)t->seat : -1;
  for (unsigned i = 0; i < atOnce; ++i)
    if (!seats[i].is_taken && seats[i].keepers.last == NULL)
      return (int)i;
  for (unsigned i = 0; i < atOnce; ++i)
    if (!seats[i].is_taken && may_begin(t, i))
      return (int)i;
  return -1;
}
/* Who made it waits until it stands where it belongs. */
static void say_here(struct thread *t) {
  if (!t->is_here) {
    t->is_here = 1;
    sem_post(&t->here);
  }
}
static void sit(struct thread *t) {
  if (t->is_seated)
    return;
  t->is_seated = 1;
  pthread_mutex_lock(&guard);
  const int seat = find_seat(t);
  if (seat >= 0) {
    if (t->keeps_seat)
      leave(&seats[seat].keepers, t);
    t->keeps_seat = 0;
    t->seat = (unsigned)seat;
    seats[seat].is_taken = 1;
  } else if (t->keeps_seat) {
    t->wants_seat = 1;
  } else {
    stand(t->has_begun ? &begun : t->body >= firstTask ? &seats[t->seat].tasks : &fresh, t);
  }
  t->has_begun = 1;
  pthread_mutex_unlock(&guard);
  say_here(t);
  while (seat < 0 && sem_wait(&t->turn) != 0) {
  }
}
static void stand_up(struct thread *t, int ends) {
  struct thread *next = NULL;
  say_here(t);
  pthread_mutex_lock(&guard);
  if (t->is_seated) {
    if (hasTasks && !ends) {
      t->keeps_seat = 1;
      stand(&seats[t->seat].keepers, t);
    }
    next = fill(t->seat);
  } else if (ends && t->keeps_seat) { /* without more work */
    leave(&seats[t->seat].keepers, t);
    if (!seats[t->seat].is_taken)
      next = fill(t->seat);
  }
  t->is_seated = 0;
  pthread_mutex_unlock(&guard);
  if (next != NULL)
    sem_post(&next->turn);
}
static void wait_for(sem_t *s, struct thread *t, int of_tasks) {
  if (sem_trywait(s) == 0)
    return;
  t->waits_for_tasks = of_tasks;
  stand_up(t, 0);
  while (sem_wait(s) != 0) {
  }
  t->waits_for_tasks = 0;
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

static void *follow(void *thread);
static void begin(size_t body, struct thread *maker) {
  struct thread *t = calloc(1, sizeof *t);
  pthread_t thread;
  pthread_attr_t attributes;
  if (t == NULL)
    exit(1);
  t->body = body;
  t->maker = maker;
  t->depth = maker->depth + 1;
  t->seat = maker->seat;
  sem_init(&t->turn, 0, 0);
  sem_init(&t->here, 0, 0);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 65536);
  if (pthread_create(&thread, &attributes, follow, t) != 0) {
    perror("pthread_create");
    exit(1);
  }
  pthread_attr_destroy(&attributes);
  while (sem_wait(&t->here) != 0) {
  }
}

static void *follow(void *thread) {
  struct thread *t = thread;
  const struct step *s = &steps[begins[t->body]];
  double debt = 0;
  for (; s->kind != END; ++s)
    switch (s->kind) {
    case WORK:
      sit(t);
      work(scale * s->amount, &debt);
      break;
    case LOCK:
      say_here(t);
      pthread_rwlock_wrlock(&locks[s->object]);
      break;
    case SHARE:
      say_here(t);
      pthread_rwlock_rdlock(&locks[s->object]);
      break;
    case LOCK_ALL:
      say_here(t);
      lock_all(&together[s->object], (unsigned)s->amount);
      break;
    case UNLOCK:
      pthread_rwlock_unlock(&locks[s->object]);
      break;
    case POST:
      posted_from[s->object] = t->seat;
      sem_post(&channels[s->object]);
      break;
    case TAKE:
      wait_for(&channels[s->object], t, s->amount != 0);
      if (!t->has_begun)
        t->seat = posted_from[s->object];
      break;
    case ARRIVE:
      pthread_mutex_lock(&guard);
      if (++arrived[s->object] == sizes[s->object])
        sem_post(&gates[s->object]);
      pthread_mutex_unlock(&guard);
      break;
    case PASS: /* who has passed lets the next one pass */
      wait_for(&gates[s->object], t, 0);
      sem_post(&gates[s->object]);
      break;
    case DEAL:
      pthread_mutex_lock(&guard);
      s = &steps[begins[pools[s->object][dealt[s->object]++]]] - 1;
      pthread_mutex_unlock(&guard);
      break;
    case FORK:
      begin(s->object, t);
      break;
    case END:
      break;
    }
  stand_up(t, 1);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc > 1)
    scale = atof(argv[1]);
  if (!(scale > 0)) {
    fprintf(stderr, "usage: %s [TIMES]   everything takes so many times as long (default 1)\n",
            argv[0]);
    return 2;
  }
  for (size_t i = 0; i < COUNT(locks); ++i)
    pthread_rwlock_init(&locks[i], NULL);
  for (size_t i = 0; i < COUNT(channels); ++i)
    sem_init(&channels[i], 0, initial[i]);
  for (size_t i = 0; i < COUNT(gates); ++i)
    sem_init(&gates[i], 0, 0);
  alarm((unsigned)(10 + 20 * scale * predicted)); /* locks have another order than in the run */
  const double began = now();
  follow(&(struct thread){.body = 0});
  const double took = (now() - began) / scale;
  printf("took %.6f s, predicted %.6f s, %+.2f %%\n", took, predicted,
         100 * (predicted / took - 1));
  return 0;
}
