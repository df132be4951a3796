#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* QUEUE and PASS_ON: locks that are given to who waits for longest, as channels. */
enum kind {
  WORK,
  LOCK,
  SHARE,
  LOCK_ALL,
  UNLOCK,
  QUEUE,
  PASS_ON,
  POST,
  TAKE,
  FORK,
  ARRIVE,
  PASS,
  ONCE,
  LAST,
  PUT,
  DEAL,
  END
};
struct step {
  enum kind kind;
  unsigned object;
  /* Seconds; of LOCK_ALL how many there are; 1: of TAKE, of tasks that it made; of LOCK and QUEUE,
   * it is tried; of FORK, a member of a team; of PUT, which of its
   * pool; of ONCE and LAST, the body */
  double amount;
};
/* TABLES */
#define COUNT(table) (sizeof(table) / sizeof *(table))
static double scale = 1;
static pthread_rwlock_t locks[lockCount + 1];
static unsigned arrived[COUNT(first_gates)];
static unsigned char is_begun[COUNT(opens_at)];           /* what is done once, by gate */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER; /* of all that is not locks */

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
  int is_seated, has_begun, is_here, keeps_seat, wants_seat, is_waiting, waits_for_tasks;
  int is_member;  /* of a team that its maker began: at its end it does tasks */
  int is_on_none; /* it sits, with locks that others may wait for, one too many */
  unsigned locks;
  unsigned not_had[16], misses; /* locks that it tried, and that it will give back */
  sem_t turn, here;
  struct thread *before, *behind; /* in line, or of those who keep a seat */
  struct thread *next_to_take;
};
struct line {
  struct thread *first, *last;
};
static struct seat {
  int is_taken;
  unsigned victim;           /* whom who sits there robbed last */
  const struct thread *team; /* who began the one of which a member ended there */
  struct line tasks, keepers;
} seats[atOnce];
static struct line begun, fresh;
static struct channel {
  unsigned count, seat; /* of who posted last */
  struct thread *first, *last;
} channels[channelCount], gates[COUNT(opens_at)], askers[COUNT(first_of_pools)];
/* Of pools: who can be dealt, and the first that is not known to be; where these begin and end. */
static unsigned there[COUNT(pooled)];
static struct pool {
  unsigned first, next, dealt, end;
} pools[COUNT(first_of_pools)];
enum { NOBODY_PUTS, AWAITED, IS_PUT }; /* `awaited` */

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
static int is_of_team(const struct thread *t, const struct thread *first) {
  while (t->body >= firstTask)
    t = t->maker;
  return t == first || (t->is_member && t->maker == first);
}
/* Who waits for tasks is in the way of all others. */
static int may_begin(const struct thread *t, unsigned seat) {
  const struct thread *waits = seats[seat].keepers.last;
  if (waits == NULL)
    return t->body < firstTask || (seats[seat].team != NULL && is_of_team(t, seats[seat].team));
  if (!waits->waits_for_tasks)
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
/* Who may go on has not come to its work yet. */
static int is_reserved(unsigned seat) {
  return seats[seat].keepers.last != NULL && !seats[seat].keepers.last->is_waiting;
}
/* Its own last task, or the first one of another. */
static struct thread *next_for(unsigned seat) {
  struct seat *const s = &seats[seat];
  if (is_reserved(seat))
    return s->keepers.last->wants_seat ? leave(&s->keepers, s->keepers.last) : NULL;
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
  if (t->body < firstTask)
    seats[seat].team = NULL;
  return t;
}
/* Best one at which no member of a team ended. */
static int find_unkept(void) {
  int found = -1;
  for (unsigned i = 0; i < atOnce; ++i)
    if (!seats[i].is_taken && seats[i].keepers.last == NULL &&
        (found < 0 || (seats[found].team != NULL && seats[i].team == NULL)))
      found = (int)i;
  return found;
}
static int find_seat(struct thread *t) {
  if (t->keeps_seat)
    return !seats[t->seat].is_taken && seats[t->seat].keepers.last == t ? (int)t->seat : -1;
  if (t->body < firstTask && find_unkept() >= 0)
    return find_unkept();
  for (unsigned i = 0; i < atOnce; ++i)
    if (!seats[i].is_taken && !is_reserved(i) && may_begin(t, i))
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
  t->is_on_none = seat < 0 && t->locks > 0;
  if (t->is_on_none) {
    if (t->keeps_seat)
      leave(&seats[t->seat].keepers, t);
    t->keeps_seat = 0;
  } else if (seat >= 0) {
    if (t->keeps_seat)
      leave(&seats[seat].keepers, t);
    t->keeps_seat = 0;
    t->seat = (unsigned)seat;
    seats[seat].is_taken = 1;
    if (t->body < firstTask)
      seats[seat].team = NULL;
  } else if (t->keeps_seat) {
    t->wants_seat = 1;
  } else {
    stand(t->has_begun ? &begun : t->body >= firstTask ? &seats[t->seat].tasks : &fresh, t);
  }
  t->has_begun = 1;
  pthread_mutex_unlock(&guard);
  say_here(t);
  while (seat < 0 && !t->is_on_none && sem_wait(&t->turn) != 0) {
  }
}
/* A seat, for tasks, of who waits before it has worked; the first thread is none of the program. */
static struct thread *claim(struct thread *t, int ends) {
  const int may = hasTasks && t->maker != NULL && t->body < firstTask && (!ends || t->is_member);
  const int seat = may ? find_unkept() : -1;
  if (seat < 0)
    return NULL;
  t->seat = (unsigned)seat;
  if (ends) {
    seats[seat].team = t->maker;
  } else {
    t->keeps_seat = 1;
    stand(&seats[seat].keepers, t);
  }
  return fill(t->seat);
}
/* Returns who goes on in its place; the guard is had. */
static struct thread *stand_up(struct thread *t, int ends) {
  struct line *const keepers = &seats[t->seat].keepers;
  const int was_seated = t->is_seated && !t->is_on_none;
  if (t->is_on_none) {
    t->is_seated = t->is_on_none = 0;
    return NULL;
  }
  if (!was_seated && !t->keeps_seat)
    return claim(t, ends);
  if (t->keeps_seat && ends) /* without more work */
    leave(keepers, t);
  if (was_seated && hasTasks && !ends) {
    t->keeps_seat = 1;
    stand(keepers, t);
  }
  if (ends && t->is_member)
    seats[t->seat].team = t->maker;
  t->is_seated = 0;
  return was_seated || !seats[t->seat].is_taken ? fill(t->seat) : NULL;
}
static void let_go_on(struct thread *t) {
  pthread_mutex_unlock(&guard);
  if (t != NULL)
    sem_post(&t->turn);
}
static void end(struct thread *t) {
  say_here(t);
  pthread_mutex_lock(&guard);
  let_go_on(stand_up(t, 1));
}
static void is_let_begin(struct thread *t, unsigned seat) {
  if (t->body >= firstTask && !t->has_begun)
    t->seat = seat;
}
static int is_on(const struct channel *c) {
  pthread_mutex_lock(&guard);
  const int is = c->count > 0;
  pthread_mutex_unlock(&guard);
  return is;
}
enum wait { FOR_OTHERS, FOR_TASKS, FOR_LOCK };
static void take(struct channel *c, struct thread *t, enum wait what) {
  pthread_mutex_lock(&guard);
  if (c->count > 0) {
    --c->count;
    is_let_begin(t, c->seat);
    pthread_mutex_unlock(&guard);
    return;
  }
  t->is_waiting = 1;
  t->waits_for_tasks = what == FOR_TASKS;
  t->next_to_take = NULL;
  *(c->first != NULL ? &c->last->next_to_take : &c->first) = t;
  c->last = t;
  let_go_on(what == FOR_LOCK && t->is_seated ? NULL : stand_up(t, 0));
  say_here(t);
  while (sem_wait(&t->turn) != 0) {
  }
}
static void post(struct channel *c, unsigned seat) {
  pthread_mutex_lock(&guard);
  struct thread *const t = c->first;
  if (t != NULL) {
    c->first = t->next_to_take;
    t->is_waiting = t->waits_for_tasks = 0;
    is_let_begin(t, seat);
  } else {
    ++c->count;
    c->seat = seat;
  }
  let_go_on(t);
}

/* As std::lock does: who waits for one has none. */
static int lock_all(const unsigned *those, unsigned n, int waits) {
  for (unsigned first = 0, had = 0; had < n;) {
    if (pthread_rwlock_trywrlock(&locks[those[first]]) != 0) {
      if (!waits)
        return 1;
      pthread_rwlock_wrlock(&locks[those[first]]);
    }
    for (had = 1; had < n && pthread_rwlock_trywrlock(&locks[those[(first + had) % n]]) == 0;)
      ++had;
    if (had == n)
      break;
    const unsigned busy = (first + had) % n;
    while (had > 0)
      pthread_rwlock_unlock(&locks[those[(first + --had) % n]]);
    if (!waits)
      return 1;
    first = busy;
  }
  return 0;
}
static int try_locks(const struct step *s, int waits) {
  if (s->kind == LOCK_ALL)
    return lock_all(&together[s->object], (unsigned)s->amount, waits);
  pthread_rwlock_t *const lock = &locks[s->object];
  if (s->kind == LOCK)
    return waits ? pthread_rwlock_wrlock(lock) : pthread_rwlock_trywrlock(lock);
  return waits ? pthread_rwlock_rdlock(lock) : pthread_rwlock_tryrdlock(lock);
}
/* Goes on as if it had it. */
static void miss(struct thread *t, unsigned lock) {
  if (t->misses == COUNT(t->not_had)) {
    fprintf(stderr, "more than %zu locks at once that were not free\n", COUNT(t->not_had));
    exit(1);
  }
  t->not_had[t->misses++] = lock;
}
static int was_missed(struct thread *t, unsigned lock) {
  for (unsigned i = 0; i < t->misses; ++i)
    if (t->not_had[i] == lock) {
      t->not_had[i] = t->not_had[--t->misses];
      return 1;
    }
  return 0;
}
/* Who sits waits on its seat. */
static void get_locks(const struct step *s, struct thread *t) {
  say_here(t);
  const int is_free = try_locks(s, 0) == 0;
  if (s->kind == LOCK && s->amount != 0 && !is_free) {
    miss(t, s->object);
    return;
  }
  t->locks += s->kind == LOCK_ALL ? (unsigned)s->amount : 1;
  if (is_free)
    return;
  pthread_mutex_lock(&guard);
  t->is_waiting = 1;
  let_go_on(t->is_seated ? NULL : stand_up(t, 0));
  try_locks(s, 1);
  pthread_mutex_lock(&guard);
  t->is_waiting = 0;
  pthread_mutex_unlock(&guard);
}

static void forget_team(const struct thread *first) {
  pthread_mutex_lock(&guard);
  for (unsigned i = 0; i < atOnce; ++i)
    if (seats[i].team == first)
      seats[i].team = NULL;
  pthread_mutex_unlock(&guard);
}

static void *follow(void *thread);
static void begin(size_t body, struct thread *maker, int is_member) {
  struct thread *t = calloc(1, sizeof *t);
  pthread_t thread;
  pthread_attr_t attributes;
  if (t == NULL)
    exit(1);
  t->body = body;
  t->maker = maker;
  t->is_member = is_member;
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

/* Those that nobody puts are there when all before them are. The guard is had. */
static unsigned add_unput(unsigned pool) {
  struct pool *const p = &pools[pool];
  unsigned added = 0;
  for (; p->next < first_of_pools[pool + 1] && awaited[p->next] != AWAITED; ++p->next)
    if (awaited[p->next] == NOBODY_PUTS) {
      there[p->end++] = pooled[p->next];
      ++added;
    }
  return added;
}
static unsigned put(unsigned pool, unsigned which) {
  struct pool *const p = &pools[pool];
  there[p->end++] = pooled[p->first + which];
  awaited[p->first + which] = IS_PUT;
  return 1 + add_unput(pool);
}

/* Returns how many have arrived by then. */
static unsigned arrive(unsigned barrier, unsigned seat) {
  pthread_mutex_lock(&guard);
  const unsigned here = ++arrived[barrier];
  pthread_mutex_unlock(&guard);
  for (unsigned g = first_gates[barrier]; g < first_gates[barrier + 1]; ++g)
    if (opens_at[g] == here)
      post(&gates[g], seat);
  return here;
}

static void go_through(struct thread *t, size_t body, double *debt) {
  const struct step *s = &steps[begins[body]];
  for (; s->kind != END; ++s)
    switch (s->kind) {
    case WORK:
      sit(t);
      work(scale * s->amount, debt);
      break;
    case LOCK:
    case SHARE:
    case LOCK_ALL:
      get_locks(s, t);
      break;
    case UNLOCK:
      if (was_missed(t, s->object))
        break;
      --t->locks;
      pthread_rwlock_unlock(&locks[s->object]);
      break;
    case QUEUE:
      if (s->amount != 0 && !is_on(&channels[s->object])) {
        miss(t, (unsigned)COUNT(locks) + s->object);
        break;
      }
      ++t->locks;
      take(&channels[s->object], t, FOR_LOCK);
      break;
    case PASS_ON:
      if (was_missed(t, (unsigned)COUNT(locks) + s->object))
        break;
      --t->locks;
      post(&channels[s->object], t->seat);
      break;
    case POST:
      post(&channels[s->object], t->seat);
      break;
    case TAKE:
      take(&channels[s->object], t, s->amount != 0 ? FOR_TASKS : FOR_OTHERS);
      break;
    case ARRIVE:
      arrive(s->object, t->seat);
      break;
    case LAST:
      if (arrive(barrier_of[s->object], t->seat) == opens_at[s->object])
        go_through(t, (size_t)s->amount, debt);
      break;
    case PASS: /* who has passed lets the next one pass */
      take(&gates[s->object], t, FOR_OTHERS);
      post(&gates[s->object], t->seat);
      break;
    case ONCE:
      pthread_mutex_lock(&guard);
      const int is_first = !is_begun[s->object];
      is_begun[s->object] = 1;
      pthread_mutex_unlock(&guard);
      if (is_first) {
        go_through(t, (size_t)s->amount, debt);
        break;
      }
      take(&gates[s->object], t, FOR_OTHERS);
      post(&gates[s->object], t->seat);
      break;
    case PUT:
      pthread_mutex_lock(&guard);
      const unsigned more = put(s->object, (unsigned)s->amount);
      pthread_mutex_unlock(&guard);
      for (unsigned i = 0; i < more; ++i)
        post(&askers[s->object], t->seat);
      break;
    case DEAL:
      take(&askers[s->object], t, FOR_OTHERS);
      pthread_mutex_lock(&guard);
      s = &steps[begins[there[pools[s->object].dealt++]]] - 1;
      pthread_mutex_unlock(&guard);
      break;
    case FORK: /* the first of a team: the one before has ended */
      if (s->amount != 0 &&
          (s == &steps[begins[t->body]] || s[-1].kind != FORK || s[-1].amount == 0))
        forget_team(t);
      begin(s->object, t, s->amount != 0);
      break;
    case END:
      break;
    }
}

static void *follow(void *thread) {
  struct thread *t = thread;
  double debt = 0;
  go_through(t, t->body, &debt);
  end(t);
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
  for (size_t i = 0; i < channelCount; ++i)
    channels[i].count = initial[i];
  for (unsigned i = 0; i + 1 < COUNT(first_of_pools); ++i) {
    const unsigned first = first_of_pools[i];
    pools[i] = (struct pool){first, first, first, first};
    askers[i].count = add_unput(i);
  }
  alarm((unsigned)(10 + 20 * scale * predicted)); /* locks have another order than in the run */
  const double began = now();
  follow(&(struct thread){.body = 0});
  const double took = (now() - began) / scale;
  printf("took %.6f s, predicted %.6f s, %+.2f %%\n", took, predicted,
         100 * (predicted / took - 1));
  return 0;
}
