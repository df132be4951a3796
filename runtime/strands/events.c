/* Events of threads, in the order in which each of them met them, in segments that are mapped from
 * the live file where there is one. A thread writes into its own segment; the word that says what
 * happened is stored last, so what is there is whole. Numbers of order come from a word that
 * objects share by a hash: of two events of one object the later one has the higher number, and no
 * object needs to be known. See abi/strands.h. */
#include "strands/strands.h"

#include <string.h>
#include <sys/mman.h>

/* The clock of this thread (control/image.c) and the site, as this image has them: names that are
 * exported would need a relocation that -static-pie cannot make. */
QX_HIDDEN extern __thread uint64_t qx_own_clock __attribute__((tls_model("initial-exec")));
QX_VISIBLE __thread uint64_t qx_site __asm__(QX_SITE_SYMBOL)
    __attribute__((tls_model("initial-exec")));
QX_HIDDEN extern __thread uint64_t qx_own_site
    __attribute__((alias(QX_SITE_SYMBOL), tls_model("initial-exec")));

extern const char asked[] __asm__(QX_STRANDS_SYMBOL) QX_HIDDEN __attribute__((weak));

bool qx_strands_asked(void) { return asked != NULL; }

struct segment {
  struct segment *next;  /* the one before */
  unsigned char *memory; /* a chunk as in files */
  size_t bytes;
};
enum {
  first_segment = 1 << 13,
  largest_segment = 1 << 18,
  head = sizeof(struct qx_raw_chunk) + sizeof(struct qx_strands_start)
};

/* Sections of a lock that begin at one place and end at one; or jobs from a counter at one place.
 */
struct folded {
  uintptr_t object;
  uint32_t site, end;              /* of jobs: of_jobs */
  uint32_t order, last;            /* of the first, and of the last */
  uint64_t sections, before, held; /* of all of them; of jobs: the last one's number */
};
static const uint32_t of_jobs = UINT32_MAX; /* sites are below 2^31 */
enum { folded_most = 256, folded_slots = 2 * folded_most };
/* What is not written down yet: the latest section by itself, as it may be the last of many, in
 * which a thread found nothing more to do, and those before it. */
struct sections {
  struct sections *next; /* of those that no thread has */
  struct folded latest;
  struct folded all[folded_most];
  uint32_t kinds;              /* that are there */
  uint16_t slot[folded_slots]; /* by a hash: 1 and the number of one; 0: none */
  uint64_t from, until;        /* the clock when the first began, and when another stretch begins */
};
static_assert(folded_slots == 1 << (64 - 55), "slots are numbers of so many bits");

struct qx_strand_thread {
  struct qx_strand_thread *next;      /* of all, the latest first */
  struct qx_strand_thread *next_open; /* of those that were not joined */
  uint32_t number;
  bool begun;    /* it runs, or has ended */
  bool is_named; /* `self` holds */
  int rounds;    /* of thread-specific destructors seen so far */
  pthread_t self;
  const uint64_t *clock; /* null: it has ended */
  uint64_t began;        /* the clock then */
  struct segment *segments;
  struct sections *folded; /* null: nothing was ever folded */
};

/* under lock */ static struct qx_strand_thread *all, *open_ones;
/* under lock */ static struct sections *unused;
static uint32_t threads;  /* written with the lock held */
static uint64_t written;  /* the same; events in segments that are full */
static pthread_key_t key; /* made with the lock held */
/* under lock */ static bool has_key;
static bool cut;   /* no more is written */
static bool folds; /* much is written already */

static __thread struct {
  struct qx_strand_thread *thread;
  struct qx_strand_event *at, *end;
  uint64_t last;    /* the clock at the event before */
  uintptr_t object; /* a lock that it has and of which nothing is written down yet; 0: none */
  uint64_t clock;   /* when it got it */
  uint32_t order, site;
  uintptr_t spun; /* the variable that it looked at in the event before `behind_spin` */
  const struct qx_strand_event *behind_spin;
  uint32_t folds; /* not 0: something is folded, and stands before all that comes */
} mine __attribute__((tls_model("initial-exec")));

/* ---- threads ---- */

/* holds lock */ static struct qx_strand_thread *new_thread(void) {
  struct qx_strand_thread *t = qx_alloc_forever(sizeof *t);
  if (t == NULL)
    return NULL;
  t->number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
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
  if (t->folded != NULL && mine.folds == 0) {
    t->folded->next = unused;
    unused = t->folded;
    t->folded = NULL;
  }
  qx_unlock();
}

/* This thread is `t` from now on; its clock stood at `began`. */
/* holds lock */ static void is_this(struct qx_strand_thread *t, uint64_t began) {
  if (!has_key && !(has_key = pthread_key_create(&key, thread_ends) == 0))
    return;
  if (pthread_setspecific(key, t) != 0) /* its end would not be seen */
    return;
  mine.thread = t;
  t->begun = true;
  t->clock = &qx_own_clock;
  t->began = began;
  mine.last = began;
}

/* holds lock */ static bool are_recorded(void) {
  return qx_strands_asked() && qx_ready && !qx_process.off && !cut;
}

/* No more is written, and the record says so. */
static void cut_off(const struct qx_strand_thread *t) {
  __atomic_store_n(&cut, true, __ATOMIC_RELAXED);
  if (t->segments != NULL)
    ((struct qx_strands_start *)(t->segments->memory + sizeof(struct qx_raw_chunk)))->cut = 1;
}

/* ---- segments ---- */

/* Gives this thread room for an event; false: nothing is written down. */
/* holds lock */ static bool add_segment(void) {
  if (!are_recorded())
    return false;
  if (mine.thread == NULL) {
    struct qx_strand_thread *t = new_thread();
    if (t != NULL)
      is_this(t, 0);
  }
  struct qx_strand_thread *t = mine.thread;
  if (t == NULL)
    return false;
  if (t->segments != NULL)
    __atomic_fetch_add(&written, (t->segments->bytes - head) / sizeof(struct qx_strand_event),
                       __ATOMIC_RELAXED);
  if (written >= QX_STRANDS_WHOLE)
    __atomic_store_n(&folds, true, __ATOMIC_RELAXED);
  struct segment *s = written < QX_STRANDS_MOST ? qx_alloc_forever(sizeof *s) : NULL;
  bool live = true;
  if (s != NULL) {
    s->bytes = qx_next_size(t->segments != NULL ? t->segments->bytes : 0, first_segment,
                            largest_segment, 0);
    s->memory = qx_map_chunk(QX_CHUNK_STRANDS, s->bytes, NULL, &live);
  }
  if (s == NULL || s->memory == NULL) {
    cut_off(t);
    return false;
  }
  struct qx_strands_start start = {t->number, 0, t->began};
  memcpy(s->memory + sizeof(struct qx_raw_chunk), &start, sizeof start);
  s->next = t->segments;
  t->segments = s;
  mine.at = (struct qx_strand_event *)(s->memory + head);
  mine.end = mine.at + (s->bytes - head) / sizeof *mine.at;
  return true;
}

/* takes lock */ static bool make_room(void) {
  if (__atomic_load_n(&cut, __ATOMIC_RELAXED) || qx_is_copy())
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

/* There is room for it. */
static inline void put(uint64_t clock, uint64_t what, uint32_t order, uint32_t site) {
  struct qx_strand_event *e = mine.at++;
  e->clock = clock;
  e->order = order;
  e->site = site;
  __atomic_store_n(&e->what, what, __ATOMIC_RELEASE);
}
static inline uint64_t what_of(enum qx_strand_kind kind, uintptr_t object) {
  const uint64_t mask = ((uint64_t)1 << QX_STRAND_OBJECT) - 1;
  return (uint64_t)kind << QX_STRAND_OBJECT | (object & mask);
}

/* ---- sections that are folded ---- */

static inline uint64_t what_of_held(uintptr_t object, uint64_t held) {
  return (uint64_t)QX_STRAND_HELD << QX_STRAND_OBJECT | held << QX_STRAND_HELD_OBJECT | object;
}
static inline bool fits_held(uint64_t before, uint64_t held) {
  return ((held / (QX_STRAND_HELD_MOST + 1)) | before >> 32) == 0;
}

/* Is there room for so many events, or for one at least, behind which more is made? */
typedef bool (*room)(ptrdiff_t events);
/* takes lock */ static bool room_made(ptrdiff_t events) {
  (void)events;
  return mine.at != mine.end || make_room();
}
/* Where the record is written, and no more is made. */
static bool room_left(ptrdiff_t events) { return mine.end - mine.at >= events; }

/* Writes down sections that began behind this clock, and returns that behind them; where there is
 * no room they are work. */
static uint64_t put_folded(const struct folded *f, uint64_t clock, room has_room) {
  const uint64_t had = clock + f->before, given = had + f->held;
  if (!has_room(3))
    return clock;
  if (f->sections > 1)
    put(clock, what_of(QX_STRAND_FOLDED, f->sections), f->last, 0);
  if (f->end == of_jobs) {
    if (has_room(1))
      put(had, what_of(QX_STRAND_CLAIM, f->object), f->order, f->site);
    if (has_room(1))
      put(had, what_of(QX_STRAND_NUMBER, f->held), 0, 0);
    return had;
  }
  if (fits_held(f->before, f->held)) {
    if (has_room(1))
      put(f->before | (uint64_t)f->end << 32, what_of_held(f->object, f->held), f->order, f->site);
  } else {
    if (has_room(1))
      put(had, what_of(QX_STRAND_LOCK, f->object), f->order, f->site);
    if (has_room(1))
      put(given, what_of(QX_STRAND_UNLOCK, f->object), f->order + 1, f->end);
  }
  return given;
}

/* Writes down all but the latest section. */
static void unfold(struct sections *s, room has_room) {
  for (uint32_t i = 0; i < s->kinds; ++i)
    s->from = put_folded(&s->all[i], s->from, has_room);
  s->kinds = 0;
  memset(s->slot, 0, sizeof s->slot);
}

/* The same, and that one. */
static void unfold_all(room has_room) {
  struct sections *s = mine.folds != 0 && mine.thread != NULL ? mine.thread->folded : NULL;
  mine.folds = 0;
  if (s == NULL) /* of the parent, if it was forked meanwhile */
    return;
  unfold(s, has_room);
  mine.last = put_folded(&s->latest, s->from, has_room);
}

/* How long a stretch may be, of which so many events are written: so long that threads write an
 * eighth of what the process may still have before their clocks are e times what they are. So there
 * is always something left, and a stretch is far shorter than what is before it. */
static uint64_t stretch(const struct qx_strand_thread *t, uint32_t events) {
  enum { shortest = 1 << 10 };
  const uint64_t so_far = __atomic_load_n(&written, __ATOMIC_RELAXED);
  const uint64_t left = so_far < QX_STRANDS_MOST ? (QX_STRANDS_MOST - so_far) / 8 + 1 : 1;
  const uint64_t at_once = (uint64_t)events * __atomic_load_n(&threads, __ATOMIC_RELAXED);
  const uint64_t length = (qx_own_clock - t->began) / left * at_once;
  return length > shortest ? length : shortest;
}

/* takes lock */ static bool can_fold(struct qx_strand_thread *t) {
  if (t == NULL || !__atomic_load_n(&folds, __ATOMIC_RELAXED))
    return false;
  if (t->folded == NULL && !qx_is_copy()) {
    qx_lock();
    t->folded = unused;
    if (unused != NULL)
      unused = unused->next;
    else
      t->folded = qx_alloc_forever(sizeof *t->folded);
    qx_unlock();
  }
  return t->folded != NULL;
}

/* The slot of such sections, or that in which they would be: there are more slots than sections. */
static uint16_t *slot_of(struct sections *in, uintptr_t object, uint32_t site, uint32_t end) {
  const uint64_t key = (uint64_t)object ^ (uint64_t)site << 32 ^ end;
  for (size_t i = key * 0x9e3779b97f4a7c15ull >> 55;; i = (i + 1) % folded_slots) {
    const uint16_t number = in->slot[i];
    const struct folded *f = in->all + (number != 0 ? number - 1 : 0);
    if (number == 0 || (f->object == object && f->site == site && f->end == end))
      return &in->slot[i];
  }
}

/* takes lock */ static void fold_latest(struct qx_strand_thread *t) {
  struct sections *s = t->folded;
  const struct folded *l = &s->latest;
  uint16_t *slot = slot_of(s, l->object, l->site, l->end);
  if (qx_own_clock > s->until || (*slot == 0 && s->kinds == folded_most)) {
    s->until = qx_own_clock + stretch(t, 3 * (s->kinds + 1));
    unfold(s, room_made);
    slot = slot_of(s, l->object, l->site, l->end);
  }
  if (*slot == 0) {
    s->all[s->kinds] = *l;
    *slot = (uint16_t)++s->kinds;
    return;
  }
  struct folded *f = &s->all[*slot - 1];
  f->last = l->order;
  f->sections += 1;
  f->before += l->before;
  f->held = l->end == of_jobs ? l->held : f->held + l->held;
}

/* Of what it did since the event before; false: it is to be written down. */
/* takes lock */ static bool fold(const struct folded *latest) {
  struct qx_strand_thread *t = mine.thread;
  if (latest->object >> QX_STRAND_HELD_OBJECT != 0 || !can_fold(t))
    return false;
  if (latest->order > UINT32_MAX - QX_STRANDS_MOST) /* numbers of order come to their end */
    cut_off(t);
  if (mine.folds != 0) {
    fold_latest(t);
  } else {
    t->folded->from = mine.last;
    t->folded->until = mine.last + stretch(t, 3);
  }
  t->folded->latest = *latest;
  mine.folds = 1;
  mine.object = 0;
  mine.last += latest->before + (latest->end == of_jobs ? 0 : latest->held);
  return true;
}

/* ---- events that are written down ---- */

/* There is no room, or something before it. */
/* takes lock */ static __attribute__((noinline)) void put_slowly(uint64_t what, uint32_t order,
                                                                  uint32_t site) {
  unfold_all(room_made);
  const uintptr_t object = mine.object;
  mine.object = 0;
  if (object != 0 && (mine.at != mine.end || make_room())) {
    put(mine.clock, what_of(QX_STRAND_LOCK, object), mine.order, mine.site);
    mine.last = mine.clock;
  }
  if (mine.at != mine.end || make_room()) {
    put(qx_own_clock, what, order, site);
    mine.last = qx_own_clock;
  }
  qx_leave();
}

/* takes lock */ static inline __attribute__((always_inline)) void
write_down(enum qx_strand_kind kind, uintptr_t object, uint32_t order, uint32_t site) {
  const uint64_t what = what_of(kind, object);
  if (__builtin_expect(mine.at == mine.end || (mine.object | mine.folds) != 0, 0)) {
    put_slowly(what, order, site);
    return;
  }
  put(qx_own_clock, what, order, site);
  mine.last = qx_own_clock;
  qx_leave();
}

/* takes lock */ int qx_strand_locked(uintptr_t object) {
  if (!qx_enter())
    return 0;
  const uint32_t order = next_order(object);
  if (__builtin_expect(mine.object != 0 || object >> QX_STRAND_HELD_OBJECT != 0, 0)) {
    put_slowly(what_of(QX_STRAND_LOCK, object), order, (uint32_t)qx_own_site);
    return 0;
  }
  mine.object = object;
  mine.clock = qx_own_clock;
  mine.order = order;
  mine.site = (uint32_t)qx_own_site;
  qx_leave();
  return 0;
}

/* takes lock */ static __attribute__((noinline)) void unlocked_slowly(uintptr_t object) {
  const struct folded section = {
      object,     mine.site, (uint32_t)qx_own_site,  mine.order,
      mine.order, 1,         mine.clock - mine.last, qx_own_clock - mine.clock};
  if (mine.object == object && fold(&section))
    qx_leave();
  else
    put_slowly(what_of(QX_STRAND_UNLOCK, object), next_order(object), (uint32_t)qx_own_site);
}

/* takes lock */ void qx_strand_unlocked(uintptr_t object) {
  if (!qx_enter())
    return;
  const uint64_t clock = qx_own_clock, held = clock - mine.clock, before = mine.clock - mine.last;
  if (__builtin_expect(mine.object != object || !fits_held(before, held) || mine.at == mine.end ||
                           __atomic_load_n(&folds, __ATOMIC_RELAXED),
                       0)) {
    unlocked_slowly(object);
    return;
  }
  mine.object = 0;
  mine.last = clock;
  put(before | (qx_own_site & UINT32_MAX) << 32, what_of_held(object, held), mine.order, mine.site);
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
  if (mine.spun == object && mine.behind_spin == mine.at) {
    qx_leave();
    return;
  }
  write_down(QX_STRAND_SPIN, object, 0, (uint32_t)qx_own_site);
  mine.spun = object;
  mine.behind_spin = mine.at;
}

/* takes lock */ void qx_strand_claim(uintptr_t counter, uint64_t number) {
  if (counter == 0 || !qx_enter())
    return;
  const uint32_t order = next_order(counter), site = (uint32_t)qx_own_site;
  const struct folded job = {counter, site, of_jobs, order, order, 1, qx_own_clock - mine.last,
                             number};
  if (mine.object == 0 && fold(&job)) {
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
  if (are_recorded() && mine.thread == NULL) {
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
    for (const struct segment *s = t->segments; s != NULL; s = s->next)
      bytes += s->bytes;
  }
  return bytes;
}

/* Segments from the first on; as many as a thread can have are few. */
/* holds lock */ static void put_events(struct qx_buffer *b, const struct segment *last) {
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

/* What another thread has is not seen here. */
/* holds lock */ void qx_put_strands(struct qx_buffer *b) {
  if (qx_inside == 1) { /* this thread does not write right now */
    unfold_all(room_left);
    if (mine.object != 0 && mine.at != mine.end) {
      put(mine.clock, what_of(QX_STRAND_LOCK, mine.object), mine.order, mine.site);
      mine.last = mine.clock;
      mine.object = 0;
    }
  }
  for (const struct qx_strand_thread *t = all; t != NULL; t = t->next) {
    if (!t->begun)
      continue;
    unsigned char *chunk = qx_open_chunk(b, QX_CHUNK_STRANDS);
    const struct qx_strands_start start = {t->number, cut, t->began};
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
    for (struct segment *s = t->segments; s != NULL; s = s->next)
      munmap(s->memory, s->bytes);
  all = open_ones = NULL;
  threads = 0;
  written = 0;
  unused = NULL;
  cut = false;
  folds = false;
  mine.thread = NULL;
  mine.at = mine.end = NULL;
  mine.object = 0;
  mine.folds = 0;
  struct qx_strand_thread *t = are_recorded() ? new_thread() : NULL;
  if (t != NULL)
    is_this(t, qx_own_clock);
}
