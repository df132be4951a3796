/* Requests of threads. On entry the thread's counters are copied, at the end they are
 * compared with the copy: no other thread counts there. Differences are added to sums beside the
 * arena; of requests that the sample takes they are kept (request_log.c). Only those lock. A thread
 * is in one request at most, that of its outermost marked frame: a frame that is not below the one
 * remembered was called after that was gone (longjmp), since stacks grow downwards. */
#include "requests/requests.h"

#include "os/syscalls.h"

#include <string.h>
#include <sys/mman.h>

struct requester {
  struct requester *next, *next_free;
  uint64_t frame; /* of the open request; 0: none */
  bool busy;      /* in here: a signal handler must not be, and the end waits for it */
  struct qx_marked *marked;
  int64_t started;
  struct qx_feature features[QX_REQUEST_FEATURES];
};

/* under lock */ static struct requester *spare;
static struct requester *requesters; /* grows under the lock */
static bool closing;
static __thread struct requester *mine __attribute__((tls_model("initial-exec")));

/* takes lock */ static struct requester *enlist(void) {
  qx_lock();
  struct requester *t = spare;
  if (t != NULL) {
    spare = t->next_free;
  } else if ((t = qx_alloc_forever(sizeof *t)) != NULL) {
    t->next = requesters;
    __atomic_store_n(&requesters, t, __ATOMIC_RELEASE);
  }
  mine = t;
  qx_unlock();
  return t;
}

/* ---- what the thread counted ---- */

static size_t counters_of(const struct qx_arena *arena) { return arena->image->head.counter_count; }

static void copy_counters(struct qx_arena *arena) {
  memcpy(arena->copy, arena->counters, counters_of(arena) * sizeof *arena->copy);
  arena->copied = true;
}

/* holds lock */ static void allocate_copy(struct qx_arena *arena) {
  arena->copy = qx_alloc_forever(counters_of(arena) * sizeof *arena->copy);
}

/* takes lock */ static void copy_all(struct qx_arena *held) {
  for (struct qx_arena *a = held; a != NULL; a = a->next_held) {
    if (a->copy == NULL) {
      qx_lock();
      allocate_copy(a);
      qx_unlock();
    }
    if (a->copy != NULL)
      copy_counters(a);
  }
}

/* holds lock */ void qx_request_joined(struct qx_arena *arena) {
  if (mine == NULL || mine->frame == 0)
    return;
  if (arena->copy == NULL)
    allocate_copy(arena);
  if (arena->copy != NULL)
    copy_counters(arena);
}

/* takes lock */ static struct qx_sum *sums_of(struct qx_arena *arena, struct qx_marked *m) {
  for (struct qx_sums *s = arena->sums; s != NULL; s = s->next)
    if (s->of == m)
      return s->counter;
  qx_lock();
  struct qx_sums *s = qx_alloc_forever(sizeof *s + counters_of(arena) * sizeof(struct qx_sum));
  if (s != NULL) {
    s->of = m;
    s->next = arena->sums;
    arena->sums = s;
  } else {
    m->incomplete = true;
  }
  qx_unlock();
  return s != NULL ? s->counter : NULL;
}

static bool eight_equal(const uint64_t *a, const uint64_t *b) {
  return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) | (a[4] ^ b[4]) |
          (a[5] ^ b[5]) | (a[6] ^ b[6]) | (a[7] ^ b[7])) == 0;
}

/* The first counter from `at` on that differs from its copy, or `count`. Most never do, so they are
 * looked at in large pieces. */
static size_t next_change(const uint64_t *now, const uint64_t *then, size_t at, size_t count) {
  enum { piece = 64 };
  while (at < count) {
    const size_t end = count - at < piece ? count : at + piece;
    if (end - at >= 16 && memcmp(now + at, then + at, (end - at) * sizeof *now) == 0) {
      at = end;
      continue;
    }
    while (end - at >= 8 && eight_equal(now + at, then + at))
      at += 8;
    while (at < end && now[at] == then[at])
      ++at;
    if (at < end)
      return at;
  }
  return count;
}

/* Adds what the request counted to the sums; on how many counters that was. */
static size_t add_up(const struct qx_arena *arena, struct qx_sum *sums) {
  const uint64_t *now = arena->counters, *then = arena->copy;
  const size_t n = counters_of(arena);
  size_t hit = 0;
  for (size_t c = next_change(now, then, 0, n); c < n; c = next_change(now, then, c + 1, n)) {
    ++hit;
    if (sums == NULL)
      continue;
    const uint64_t x = now[c] - then[c];
    const unsigned __int128 square = (unsigned __int128)x * x + sums[c].low;
    sums[c].x += x;
    sums[c].low = (uint64_t)square;
    sums[c].high += (uint64_t)(square >> 64);
  }
  return hit;
}

/* ---- entries of the sample ---- */

static unsigned char *put_bytes(unsigned char *at, const void *bytes, size_t n) {
  memcpy(at, bytes, n);
  return at + n;
}

static unsigned char *put_features(unsigned char *at, const struct qx_feature *features) {
  unsigned n = 0;
  while (n < QX_REQUEST_FEATURES && features[n].name[0] != 0)
    ++n;
  at = qx_encode_varint(at, n);
  for (unsigned i = 0; i < n; ++i) {
    const size_t length = qx_length(features[i].name);
    at = put_bytes(at, &features[i].value, sizeof features[i].value);
    at = put_bytes(qx_encode_varint(at, length), features[i].name, length);
  }
  return at;
}

static unsigned char *put_counts(unsigned char *at, const struct qx_arena *arena) {
  const uint64_t *now = arena->counters, *then = arena->copy;
  const size_t n = counters_of(arena);
  uint64_t next = 0;
  at = put_bytes(at, arena->image->head.map_hash, sizeof arena->image->head.map_hash);
  at = qx_encode_varint(at, arena->hit);
  for (size_t c = next_change(now, then, 0, n); c < n; c = next_change(now, then, c + 1, n)) {
    at = qx_encode_varint(qx_encode_varint(at, c - next), now[c] - then[c]);
    next = c + 1;
  }
  return at;
}

/* takes lock */ static void add_to_sample(const struct requester *t, struct qx_arena *held,
                                           uint32_t slot, uint64_t number, uint64_t wall) {
  size_t bytes = 5 * qx_varint_most + QX_REQUEST_FEATURES * (sizeof(struct qx_feature) + 8);
  for (const struct qx_arena *a = held; a != NULL; a = a->next_held)
    if (a->copied && a->hit > 0)
      bytes += 16 + qx_varint_most + a->hit * 15ull;
  qx_lock();
  unsigned char *at = qx_reserve_entry(t->marked, bytes);
  if (at != NULL) {
    at = qx_encode_varint(qx_encode_varint(qx_encode_varint(at, slot), number), wall);
    at = put_features(at, t->features);
    for (const struct qx_arena *a = held; a != NULL; a = a->next_held)
      if (a->copied && a->hit > 0)
        at = put_counts(at, a);
    qx_commit_entry(t->marked, slot, number, at);
  }
  qx_live_settle();
  qx_unlock();
}

/* ---- begin and end ---- */

/* takes lock */ static void finish(const struct requester *t, struct qx_arena *held,
                                    int64_t wall) {
  struct qx_requests_start *start = t->marked->start;
  if (start == NULL) /* forked meanwhile */
    return;
  const uint64_t number = __atomic_fetch_add(&start->ended, 1, __ATOMIC_RELAXED);
  const uint32_t slot = qx_slot(number);
  for (struct qx_arena *a = held; a != NULL; a = a->next_held)
    if (a->copied)
      a->hit = add_up(a, sums_of(a, t->marked));
  if (slot != QX_NO_SLOT)
    add_to_sample(t, held, slot, number, wall > 0 ? (uint64_t)wall : 0);
  for (struct qx_arena *a = held; a != NULL; a = a->next_held)
    a->copied = false;
}

/* takes lock */ void qx_request(struct qx_mark *mark, uint64_t frame) {
  struct requester *t = mine;
  if (t != NULL && (t->busy || frame < t->frame))
    return;
  struct qx_arena *held = qx_held_arenas();
  if (held == NULL || qx_is_copy() || (t == NULL && (t = enlist()) == NULL))
    return;
  __atomic_store_n(&t->busy, true, __ATOMIC_SEQ_CST);
  t->frame = 0;
  struct qx_marked *m = __atomic_load_n((struct qx_marked **)&mark->known, __ATOMIC_ACQUIRE);
  if (m == NULL || m->start == NULL) {
    qx_lock();
    m = qx_marked_of(mark);
    qx_live_settle();
    qx_unlock();
  }
  struct qx_requests_start *start = m != NULL ? m->start : NULL;
  if (start != NULL && !__atomic_load_n(&closing, __ATOMIC_SEQ_CST)) {
    __atomic_fetch_add(&start->begun, 1, __ATOMIC_RELAXED);
    t->marked = m;
    t->features[0].name[0] = 0;
    t->started = call_now(CLOCK_MONOTONIC);
    copy_all(held);
    t->frame = frame;
  }
  __atomic_store_n(&t->busy, false, __ATOMIC_RELEASE);
}

/* takes lock */ void qx_request_done(uint64_t frame) {
  struct requester *t = mine;
  if (t == NULL || t->frame != frame || t->busy)
    return;
  __atomic_store_n(&t->busy, true, __ATOMIC_SEQ_CST);
  const int64_t wall = call_now(CLOCK_MONOTONIC) - t->started;
  struct qx_arena *held = qx_held_arenas();
  if (!__atomic_load_n(&closing, __ATOMIC_SEQ_CST) && held != NULL && !qx_is_copy())
    finish(t, held, wall);
  t->frame = 0;
  __atomic_store_n(&t->busy, false, __ATOMIC_RELEASE);
}

/* takes lock */ void qx_feature(const char *name, double value) {
  struct requester *t = mine;
  if (name == NULL || name[0] == 0 || !__builtin_isfinite(value))
    return;
  if (t != NULL && t->frame != 0) {
    qx_set_feature(t->features, QX_REQUEST_FEATURES, name, value);
  } else if (qx_held_arenas() != NULL && !qx_is_copy()) {
    qx_lock();
    qx_run_feature(name, value);
    qx_live_settle();
    qx_unlock();
  }
}

/* ---- threads, forks, the end ---- */

/* holds lock */ void qx_requests_left(void) {
  if (mine == NULL)
    return;
  mine->frame = 0;
  mine->next_free = spare;
  spare = mine;
  mine = NULL;
}

/* The parent's request goes on in the parent; the child is in none. */
/* holds lock */ void qx_requests_reset_in_child(void) {
  const bool busy = mine != NULL && mine->busy;
  requesters = mine;
  spare = NULL;
  if (mine != NULL) {
    mine->next = NULL;
    mine->frame = 0;
  }
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    for (struct qx_arena *a = i->arenas; a != NULL; a = a->next) {
      a->copied = false;
      a->sums = NULL; /* the parent's */
    }
  qx_marked_reset_in_child(busy);
}

/* Waits for whoever is adding to sums now, but not for ever: it may be stopped. */
/* takes lock */ void qx_requests_close(void) {
  const int64_t most = 10000000, began = call_now(CLOCK_MONOTONIC);
  bool idle = true;
  __atomic_store_n(&closing, true, __ATOMIC_SEQ_CST);
  for (struct requester *t = __atomic_load_n(&requesters, __ATOMIC_ACQUIRE); t != NULL; t = t->next)
    while (t != mine && __atomic_load_n(&t->busy, __ATOMIC_SEQ_CST) &&
           (idle = call_now(CLOCK_MONOTONIC) - began < most))
      syscall(SYS_sched_yield);
  qx_requests_closed = idle;
}
