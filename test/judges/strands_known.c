/* Work and span of a program as it runs, an independent way to them: no events and no graph, but in each thread the longest way
 * to where it is, which goes to others with what they wait for (as Cilkview does). Nothing here is instrumented, so the clock
 * stands still in it, and its own lock is no pthread's. At the end: known.txt. */
#include "strands_known.h"

static __thread struct way me;
static __thread unsigned long long last;

static void go(void) {
  const unsigned long long done = clock_of_thread - last;
  last = clock_of_thread;
  me.free += done;
  me.locked += done;
}

/* The same for programs that do what they wait by themselves (strands_cxx.cpp). */
void known_begin(const struct way *from) {
  me = *from;
  last = clock_of_thread;
}
void known_say(struct way *to) {
  go();
  hold();
  reach(to, me);
  give();
}
void known_see(const struct way *from) {
  go();
  hold();
  reach(&me, *from);
  give();
}
void known_end(struct way *to) {
  known_say(to);
  hold();
  work += clock_of_thread;
  reach(&longest, me);
  give();
}

static void *begins(void *argument) {
  struct known_thread *t = argument;
  me = t->way;
  last = 0; /* a thread's clock begins there */
  t->run(t->argument);
  go();
  hold();
  work += clock_of_thread;
  reach(&longest, me);
  give();
  t->way = me;
  return NULL;
}
void known_create(struct known_thread *t, void *(*run)(void *), void *argument) {
  go();
  *t = (struct known_thread){.run = run, .argument = argument, .way = me};
  pthread_create(&t->t, NULL, begins, t);
}
void known_join(struct known_thread *t) {
  go();
  pthread_join(t->t, NULL);
  reach(&me, t->way);
}

void known_lock(struct known_mutex *m) {
  go();
  pthread_mutex_lock(&m->m);
  if (me.locked < m->way.locked)
    me.locked = m->way.locked;
}
void known_unlock(struct known_mutex *m) {
  go();
  m->way = me;
  pthread_mutex_unlock(&m->m);
}

void known_make(struct known_semaphore *s, unsigned value) {
  s->first = value;
  sem_init(&s->s, 0, value);
}
void known_post(struct known_semaphore *s) {
  go();
  hold();
  s->way[s->posts++] = me;
  give();
  sem_post(&s->s);
}
void known_take(struct known_semaphore *s) {
  go();
  sem_wait(&s->s);
  hold();
  if (++s->takes > s->first)
    reach(&me, s->way[s->takes - s->first - 1]);
  give();
}

void known_meet_of(struct known_barrier *b, unsigned size) {
  b->size = size;
  pthread_barrier_init(&b->b, NULL, size);
}
void known_meet(struct known_barrier *b) {
  go();
  hold();
  struct way *all = &b->way[b->come++ / b->size];
  reach(all, me);
  give();
  pthread_barrier_wait(&b->b);
  reach(&me, *all);
}

/* The caller sees to it that who waits comes first. */
void known_wait(struct known_condition *c, struct known_mutex *m) {
  go();
  m->way = me;
  pthread_cond_wait(&c->c, &m->m);
  reach(&me, c->way);
  if (me.locked < m->way.locked)
    me.locked = m->way.locked;
}
void known_signal(struct known_condition *c) {
  go();
  c->way = me;
  pthread_cond_signal(&c->c);
}

void known_read(struct known_rwlock *l) {
  go();
  pthread_rwlock_rdlock(&l->l);
  if (me.locked < l->writer.locked)
    me.locked = l->writer.locked;
}
void known_read_done(struct known_rwlock *l) {
  go();
  hold();
  reach(&l->readers, me);
  give();
  pthread_rwlock_unlock(&l->l);
}
void known_write(struct known_rwlock *l) {
  go();
  pthread_rwlock_wrlock(&l->l);
  if (me.locked < l->writer.locked)
    me.locked = l->writer.locked;
  if (me.locked < l->readers.locked)
    me.locked = l->readers.locked;
}
void known_write_done(struct known_rwlock *l) {
  go();
  l->writer = me;
  l->readers = (struct way){0, 0};
  pthread_rwlock_unlock(&l->l);
}

__attribute__((destructor(200))) static void at_end(void) {
  go();
  work += clock_of_thread;
  reach(&longest, me);
  say_known();
}
