/* Events of threads, in the order in which each of them met them, in segments that are mapped from
 * the live file where there is one. A thread writes into its own segment; the word that says what
 * happened is stored last, so what is there is whole. Numbers of order come from a word that
 * objects share by a hash: of two events of one object the later one has the higher number, and no
 * object needs to be known. See abi/strands.h. */
#include "strands/events.h"

#include <string.h>
#include <sys/mman.h>

/* The site, as this image has it: see qx_own_clock. */
QX_VISIBLE __thread uint64_t qx_site __asm__(QX_SITE_SYMBOL)
    __attribute__((tls_model("initial-exec")));
QX_HIDDEN extern __thread uint64_t qx_own_site
    __attribute__((alias(QX_SITE_SYMBOL), tls_model("initial-exec")));

extern const char asked[] __asm__(QX_STRANDS_SYMBOL) QX_HIDDEN __attribute__((weak));

bool qx_strands_asked(void) { return asked != NULL; }

struct qx_segment {
  struct qx_segment *next; /* the one before */
  unsigned char *memory;   /* a chunk as in files */
  size_t bytes;
};
enum {
  first_segment = 1 << 13,
  largest_segment = 1 << 18,
  head = sizeof(struct qx_raw_chunk) + sizeof(struct qx_strands_start)
};

/* under lock */ static struct qx_strand_thread *all, *open_ones;
struct qx_strands_so_far qx_so_far;
__thread struct qx_events_of_thread qx_mine __attribute__((tls_model("initial-exec")));
static pthread_key_t key; /* made with the lock held */
/* under lock */ static bool has_key;

/* ---- threads ---- */

/* holds lock */ static struct qx_strand_thread *new_thread(void) {
  struct qx_strand_thread *t = qx_alloc_forever(sizeof *t);
  if (t == NULL)
    return NULL;
  t->number = __atomic_fetch_add(&qx_so_far.threads, 1, __ATOMIC_RELAXED);
  t->next = all;
  all = t;
  t->next_open = open_ones;
  open_ones = t;
  return t;
}

/* Comes back until the last round, as destructors of others may run what is counted. */
/* takes lock */ static void thread_ends(void *thread) {
  struct qx_strand_thread *t = thread;
  if (++t->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(key, t);
    return;
  }
  qx_strand_event(QX_STRAND_END, 0);
  qx_lock();
  t->clock = NULL;
  qx_folds_no_more(t);
  qx_unlock();
}

/* This thread is `t` from now on; its clock stood at `began`. */
/* holds lock */ static void is_this(struct qx_strand_thread *t, uint64_t began) {
  if (!has_key && !(has_key = pthread_key_create(&key, thread_ends) == 0))
    return;
  if (pthread_setspecific(key, t) != 0) /* its end would not be seen */
    return;
  qx_mine.thread = t;
  t->begun = true;
  t->clock = &qx_own_clock;
  t->began = began;
  qx_mine.last = began;
}

/* holds lock */ static bool are_recorded(void) {
  return qx_strands_asked() && qx_ready && !qx_process.off && !qx_so_far.cut;
}

void qx_strands_cut(const struct qx_strand_thread *t) {
  __atomic_store_n(&qx_so_far.cut, true, __ATOMIC_RELAXED);
  if (t->segments != NULL)
    ((struct qx_strands_start *)(t->segments->memory + sizeof(struct qx_raw_chunk)))->cut = 1;
}

/* ---- segments ---- */

/* Gives this thread room for an event; false: nothing is written down. */
/* holds lock */ static bool add_segment(void) {
  if (!are_recorded())
    return false;
  if (qx_mine.thread == NULL) {
    struct qx_strand_thread *t = new_thread();
    if (t != NULL)
      is_this(t, 0);
  }
  struct qx_strand_thread *t = qx_mine.thread;
  if (t == NULL)
    return false;
  if (t->segments != NULL)
    __atomic_fetch_add(&qx_so_far.events,
                       (t->segments->bytes - head) / sizeof(struct qx_strand_event),
                       __ATOMIC_RELAXED);
  if (qx_so_far.events >= QX_STRANDS_WHOLE)
    __atomic_store_n(&qx_so_far.folds, true, __ATOMIC_RELAXED);
  struct qx_segment *s = qx_so_far.events < QX_STRANDS_MOST ? qx_alloc_forever(sizeof *s) : NULL;
  bool live = true;
  if (s != NULL) {
    s->bytes = qx_next_size(t->segments != NULL ? t->segments->bytes : 0, first_segment,
                            largest_segment, 0);
    s->memory = qx_map_chunk(QX_CHUNK_STRANDS, s->bytes, NULL, &live);
  }
  if (s == NULL || s->memory == NULL) {
    qx_strands_cut(t);
    return false;
  }
  struct qx_strands_start start = {t->number, 0, t->began};
  memcpy(s->memory + sizeof(struct qx_raw_chunk), &start, sizeof start);
  s->next = t->segments;
  t->segments = s;
  qx_mine.at = (struct qx_strand_event *)(s->memory + head);
  qx_mine.end = qx_mine.at + (s->bytes - head) / sizeof *qx_mine.at;
  return true;
}

/* takes lock */ static bool make_room(void) {
  if (__atomic_load_n(&qx_so_far.cut, __ATOMIC_RELAXED) || qx_is_copy())
    return false;
  qx_lock();
  const bool there = add_segment();
  qx_live_settle();
  qx_unlock();
  return there;
}

/* ---- events ---- */

/* Enough of them that threads which use different objects seldom meet in one. */
static struct {
  uint32_t next __attribute__((aligned(64)));
} orders[1 << 10];

/* One more is left for the end of a section. */
static inline uint32_t next_order(uintptr_t object) {
  const uint64_t hash = (uint64_t)object * 0x9e3779b97f4a7c15ull;
  return __atomic_fetch_add(&orders[hash >> 54].next, 2, __ATOMIC_SEQ_CST);
}

/* takes lock */ bool qx_room_made(ptrdiff_t events) {
  (void)events;
  return qx_mine.at != qx_mine.end || make_room();
}

/* There is no room, or something before it. */
/* takes lock */ static __attribute__((noinline)) void put_slowly(uint64_t what, uint32_t order,
                                                                  uint32_t site) {
  qx_unfold_sections(qx_room_made);
  const uintptr_t object = qx_mine.object;
  qx_mine.object = 0;
  if (object != 0 && (qx_mine.at != qx_mine.end || make_room())) {
    qx_put_event(qx_mine.clock, qx_what_of(QX_STRAND_LOCK, object), qx_mine.order, qx_mine.site);
    qx_mine.last = qx_mine.clock;
  }
  if (qx_mine.at != qx_mine.end || make_room()) {
    qx_put_event(qx_own_clock, what, order, site);
    qx_mine.last = qx_own_clock;
  }
  qx_leave();
}

/* takes lock */ static inline __attribute__((always_inline)) void
write_down(enum qx_strand_kind kind, uintptr_t object, uint32_t order, uint32_t site) {
  const uint64_t what = qx_what_of(kind, object);
  if (__builtin_expect(qx_mine.at == qx_mine.end || (qx_mine.object | qx_mine.folds) != 0, 0)) {
    put_slowly(what, order, site);
    return;
  }
  qx_put_event(qx_own_clock, what, order, site);
  qx_mine.last = qx_own_clock;
  qx_leave();
}

/* takes lock */ int qx_strand_locked(uintptr_t object) {
  if (!qx_enter())
    return 0;
  const uint32_t order = next_order(object);
  if (__builtin_expect(qx_mine.object != 0 || object >> QX_STRAND_HELD_OBJECT != 0, 0)) {
    put_slowly(qx_what_of(QX_STRAND_LOCK, object), order, (uint32_t)qx_own_site);
    return 0;
  }
  qx_mine.object = object;
  qx_mine.clock = qx_own_clock;
  qx_mine.order = order;
  qx_mine.site = (uint32_t)qx_own_site;
  qx_leave();
  return 0;
}

/* takes lock */ static __attribute__((noinline)) void unlocked_slowly(uintptr_t object) {
  const struct qx_folded section = {object,
                                    qx_mine.site,
                                    (uint32_t)qx_own_site,
                                    qx_mine.order,
                                    qx_mine.order,
                                    1,
                                    qx_mine.clock - qx_mine.last,
                                    qx_own_clock - qx_mine.clock};
  if (qx_mine.object == object && qx_fold_section(&section))
    qx_leave();
  else
    put_slowly(qx_what_of(QX_STRAND_UNLOCK, object), next_order(object), (uint32_t)qx_own_site);
}

/* takes lock */ void qx_strand_unlocked(uintptr_t object) {
  if (!qx_enter())
    return;
  const uint64_t clock = qx_own_clock, held = clock - qx_mine.clock,
                 before = qx_mine.clock - qx_mine.last;
  if (__builtin_expect(qx_mine.object != object || !qx_fits_held(before, held) ||
                           qx_mine.at == qx_mine.end ||
                           __atomic_load_n(&qx_so_far.folds, __ATOMIC_RELAXED),
                       0)) {
    unlocked_slowly(object);
    return;
  }
  qx_mine.object = 0;
  qx_mine.last = clock;
  qx_put_event(before | (qx_own_site & UINT32_MAX) << 32, qx_what_of_held(object, held),
               qx_mine.order, qx_mine.site);
  qx_leave();
}

/* takes lock */ void qx_strand_made(enum qx_strand_kind kind, uintptr_t object, uint32_t amount) {
  if (qx_enter())
    write_down(kind, object, next_order(object), amount);
}

/* takes lock */ void qx_strand_iterated(uint64_t first, uint32_t among, uint32_t count) {
  if (qx_enter())
    write_down(QX_STRAND_ITERATED, first, count, among);
}

/* takes lock */ void qx_strand_round(uint64_t loop, uint32_t count) {
  if (qx_enter())
    write_down(QX_STRAND_ROUND, loop, count, 0);
}

/* takes lock */ void qx_strand_spins(uintptr_t object) {
  if (!qx_enter())
    return;
  if (qx_mine.spun == object && qx_mine.behind_spin == qx_mine.at) {
    qx_leave();
    return;
  }
  write_down(QX_STRAND_SPIN, object, 0, (uint32_t)qx_own_site);
  qx_mine.spun = object;
  qx_mine.behind_spin = qx_mine.at;
}

/* takes lock */ void qx_strand_claim(uintptr_t counter, uint64_t number) {
  if (counter == 0 || !qx_enter())
    return;
  const uint32_t order = next_order(counter), site = (uint32_t)qx_own_site;
  const struct qx_folded job = {
      counter, site, QX_OF_JOBS, order, order, 1, qx_own_clock - qx_mine.last, number};
  if (qx_mine.object == 0 && qx_fold_section(&job)) {
    qx_leave();
    return;
  }
  write_down(QX_STRAND_CLAIM, counter, order, site);
  if (qx_enter())
    write_down(QX_STRAND_NUMBER, number, 0, 0);
}

/* takes lock */ void qx_strand_event(enum qx_strand_kind kind, uintptr_t object) {
  if (qx_enter())
    write_down(kind, object, next_order(object), (uint32_t)qx_own_site);
}

/* References are counted like that, too: they must not take the room of what is waited for, nor
 * part what would be folded. */
/* takes lock */ void qx_strand_counted(enum qx_strand_kind kind, uintptr_t object) {
  if (__atomic_load_n(&qx_so_far.events, __ATOMIC_RELAXED) < QX_STRANDS_WHOLE / 2) {
    qx_strand_event(kind, object);
  } else if (!qx_mine.stopped) {
    qx_mine.stopped = true;
    qx_strand_event(QX_STRAND_STOPPED, 0);
  }
}

/* takes lock */ struct qx_strand_thread *qx_strand_creates(void) {
  if (!qx_strands_asked() || qx_is_copy())
    return NULL;
  qx_lock();
  struct qx_strand_thread *t = are_recorded() ? new_thread() : NULL;
  qx_unlock();
  if (t != NULL)
    qx_strand_event(QX_STRAND_CREATE, t->number);
  return t;
}

/* holds lock */ static void close_thread(const struct qx_strand_thread *t) {
  struct qx_strand_thread **at = &open_ones;
  while (*at != NULL && *at != t)
    at = &(*at)->next_open;
  if (*at != NULL)
    *at = t->next_open;
}

/* The latest thread of a name is the one that has it: one before it, which is joined already, may
 * not be closed yet. */
/* holds lock */ static void name_thread(struct qx_strand_thread *t, pthread_t self) {
  t->self = self;
  t->is_named = true;
  close_thread(t);
  t->next_open = open_ones;
  open_ones = t;
}

/* takes lock */ void qx_strand_created(struct qx_strand_thread *thread, pthread_t self) {
  if (thread == NULL)
    return;
  qx_lock();
  if (!thread->begun)
    name_thread(thread, self);
  qx_unlock();
}

/* takes lock */ void qx_strand_begins(struct qx_strand_thread *thread) {
  if (thread == NULL)
    return;
  qx_lock();
  is_this(thread, 0);
  name_thread(thread, pthread_self());
  qx_unlock();
}

/* takes lock */ const struct qx_strand_thread *qx_strand_of(pthread_t self) {
  if (qx_is_copy())
    return NULL;
  qx_lock();
  const struct qx_strand_thread *t = open_ones;
  while (t != NULL && !(t->is_named && pthread_equal(t->self, self)))
    t = t->next_open;
  qx_unlock();
  return t;
}

/* takes lock */ void qx_strand_joined(const struct qx_strand_thread *t) {
  if (t == NULL || qx_is_copy())
    return;
  qx_lock();
  close_thread(t);
  qx_unlock();
  qx_strand_event(QX_STRAND_JOIN, t->number);
}

/* The first thread is the first that is known. */
/* takes lock */ __attribute__((constructor(102))) static void first_thread(void) {
  if (!qx_strands_asked())
    return;
  qx_find_interposed();
  qx_lock();
  if (are_recorded() && qx_mine.thread == NULL) {
    struct qx_strand_thread *t = new_thread();
    if (t != NULL)
      is_this(t, 0);
  }
  qx_unlock();
}

/* ---- the record ---- */

/* holds lock */ size_t qx_strands_bound(void) {
  size_t bytes = 0;
  for (const struct qx_strand_thread *t = all; t != NULL; t = t->next) {
    bytes += head + sizeof(struct qx_strand_event) + 8;
    for (const struct qx_segment *s = t->segments; s != NULL; s = s->next)
      bytes += s->bytes;
  }
  return bytes;
}

/* Segments from the first on; as many as a thread can have are few. */
/* holds lock */ static void put_events(struct qx_buffer *b, const struct qx_segment *last) {
  if (last == NULL)
    return;
  put_events(b, last->next);
  const struct qx_strand_event *e = (const void *)(last->memory + head);
  const size_t most = (last->bytes - head) / sizeof *e;
  size_t n = __atomic_load_n(&e[most - 1].what, __ATOMIC_ACQUIRE) != 0 ? most : 0;
  while (n < most && __atomic_load_n(&e[n].what, __ATOMIC_ACQUIRE) != 0)
    ++n;
  qx_put_bytes(b, e, n * sizeof *e);
}

/* Where the record is written, no more is made. */
static bool room_left(ptrdiff_t events) { return qx_mine.end - qx_mine.at >= events; }

/* What another thread has is not seen here. */
/* holds lock */ void qx_put_strands(struct qx_buffer *b) {
  if (qx_inside == 1) { /* this thread does not write right now */
    qx_unfold_sections(room_left);
    if (qx_mine.object != 0 && qx_mine.at != qx_mine.end) {
      qx_put_event(qx_mine.clock, qx_what_of(QX_STRAND_LOCK, qx_mine.object), qx_mine.order,
                   qx_mine.site);
      qx_mine.last = qx_mine.clock;
      qx_mine.object = 0;
    }
  }
  for (const struct qx_strand_thread *t = all; t != NULL; t = t->next) {
    if (!t->begun)
      continue;
    unsigned char *chunk = qx_open_chunk(b, QX_CHUNK_STRANDS);
    const struct qx_strands_start start = {t->number, qx_so_far.cut, t->began};
    qx_put_bytes(b, &start, sizeof start);
    put_events(b, t->segments);
    if (t->clock != NULL) {
      const struct qx_strand_event end = {*t->clock,
                                          (uint64_t)QX_STRAND_END << QX_STRAND_OBJECT | 1, 0, 0};
      qx_put_bytes(b, &end, sizeof end);
    }
    qx_close_chunk(b, chunk);
  }
}

/* What is of the parent's live file is unmapped, and with it the lock on that file given up. */
/* holds lock */ void qx_strands_reset_in_child(void) {
  for (struct qx_strand_thread *t = all; t != NULL; t = t->next)
    for (struct qx_segment *s = t->segments; s != NULL; s = s->next)
      munmap(s->memory, s->bytes);
  all = open_ones = NULL;
  qx_so_far = (struct qx_strands_so_far){0, 0, false, false};
  qx_folded_reset_in_child();
  qx_mine.thread = NULL;
  qx_mine.at = qx_mine.end = NULL;
  qx_mine.object = 0;
  struct qx_strand_thread *t = are_recorded() ? new_thread() : NULL;
  if (t != NULL)
    is_this(t, qx_own_clock);
}
