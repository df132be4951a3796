/* Sections of locks, and jobs from counters, where a process has written much already: they are
 * added up over a stretch of a thread, unless another event comes between them, and written down as
 * one of each kind. See docs/decisions/019-sections-are-folded.md. */
#include "strands/events.h"

#include <string.h>

enum { folded_most = 256, folded_slots = 2 * folded_most };
/* What is not written down yet: the latest section by itself, as it may be the last of many, in
 * which a thread found nothing more to do, and those before it. */
struct qx_sections {
  struct qx_sections *next; /* of those that no thread has */
  struct qx_folded latest;
  struct qx_folded all[folded_most];
  uint32_t kinds;              /* that are there */
  uint16_t slot[folded_slots]; /* by a hash: 1 and the number of one; 0: none */
  uint64_t from, until;        /* the clock when the first began, and when another stretch begins */
};
static_assert(folded_slots == 1 << (64 - 55), "slots are numbers of so many bits");

/* under lock */ static struct qx_sections *unused;

/* Writes down sections that began behind this clock, and returns that behind them; where there is
 * no room they are work. */
static uint64_t put_folded(const struct qx_folded *f, uint64_t clock, qx_room has_room) {
  const uint64_t had = clock + f->before, given = had + f->held;
  if (!has_room(3))
    return clock;
  if (f->sections > 1)
    qx_put_event(clock, qx_what_of(QX_STRAND_FOLDED, f->sections), f->last, 0);
  if (f->end == QX_OF_JOBS) {
    if (has_room(1))
      qx_put_event(had, qx_what_of(QX_STRAND_CLAIM, f->object), f->order, f->site);
    if (has_room(1))
      qx_put_event(had, qx_what_of(QX_STRAND_NUMBER, f->held), 0, 0);
    return had;
  }
  if (qx_fits_held(f->before, f->held)) {
    if (has_room(1))
      qx_put_event(f->before | (uint64_t)f->end << 32, qx_what_of_held(f->object, f->held),
                   f->order, f->site);
  } else {
    if (has_room(1))
      qx_put_event(had, qx_what_of(QX_STRAND_LOCK, f->object), f->order, f->site);
    if (has_room(1))
      qx_put_event(given, qx_what_of(QX_STRAND_UNLOCK, f->object), f->order + 1, f->end);
  }
  return given;
}

/* Writes down all but the latest section. */
static void unfold_before(struct qx_sections *s, qx_room has_room) {
  for (uint32_t i = 0; i < s->kinds; ++i)
    s->from = put_folded(&s->all[i], s->from, has_room);
  s->kinds = 0;
  memset(s->slot, 0, sizeof s->slot);
}

void qx_unfold_sections(qx_room has_room) {
  struct qx_sections *s =
      qx_mine.folds != 0 && qx_mine.thread != NULL ? qx_mine.thread->folded : NULL;
  qx_mine.folds = 0;
  if (s == NULL) /* of the parent, if it was forked meanwhile */
    return;
  unfold_before(s, has_room);
  qx_mine.last = put_folded(&s->latest, s->from, has_room);
}

/* How long a stretch may be, of which so many events are written: so long that threads write an
 * eighth of what the process may still have before their clocks are e times what they are. So there
 * is always something left, and a stretch is far shorter than what is before it. */
static uint64_t stretch(const struct qx_strand_thread *t, uint32_t events) {
  enum { shortest = 1 << 10 };
  const uint64_t so_far = __atomic_load_n(&qx_so_far.events, __ATOMIC_RELAXED);
  const uint64_t left = so_far < QX_STRANDS_MOST ? (QX_STRANDS_MOST - so_far) / 8 + 1 : 1;
  const uint64_t at_once = (uint64_t)events * __atomic_load_n(&qx_so_far.threads, __ATOMIC_RELAXED);
  const uint64_t length = (qx_own_clock - t->began) / left * at_once;
  return length > shortest ? length : shortest;
}

/* takes lock */ static bool can_fold(struct qx_strand_thread *t) {
  if (t == NULL || !__atomic_load_n(&qx_so_far.folds, __ATOMIC_RELAXED))
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
static uint16_t *slot_of(struct qx_sections *in, uintptr_t object, uint32_t site, uint32_t end) {
  const uint64_t key = (uint64_t)object ^ (uint64_t)site << 32 ^ end;
  for (size_t i = key * 0x9e3779b97f4a7c15ull >> 55;; i = (i + 1) % folded_slots) {
    const uint16_t number = in->slot[i];
    const struct qx_folded *f = in->all + (number != 0 ? number - 1 : 0);
    if (number == 0 || (f->object == object && f->site == site && f->end == end))
      return &in->slot[i];
  }
}

/* takes lock */ static void fold_latest(struct qx_strand_thread *t) {
  struct qx_sections *s = t->folded;
  const struct qx_folded *l = &s->latest;
  uint16_t *slot = slot_of(s, l->object, l->site, l->end);
  if (qx_own_clock > s->until || (*slot == 0 && s->kinds == folded_most)) {
    s->until = qx_own_clock + stretch(t, 3 * (s->kinds + 1));
    unfold_before(s, qx_room_made);
    slot = slot_of(s, l->object, l->site, l->end);
  }
  if (*slot == 0) {
    s->all[s->kinds] = *l;
    *slot = (uint16_t)++s->kinds;
    return;
  }
  struct qx_folded *f = &s->all[*slot - 1];
  f->last = l->order;
  f->sections += 1;
  f->before += l->before;
  f->held = l->end == QX_OF_JOBS ? l->held : f->held + l->held;
}

/* takes lock */ bool qx_fold_section(const struct qx_folded *latest) {
  struct qx_strand_thread *t = qx_mine.thread;
  if (latest->object >> QX_STRAND_HELD_OBJECT != 0 || !can_fold(t))
    return false;
  if (latest->order > UINT32_MAX - QX_STRANDS_MOST) /* numbers of order come to their end */
    qx_strands_cut(t);
  if (qx_mine.folds != 0) {
    fold_latest(t);
  } else {
    t->folded->from = qx_mine.last;
    t->folded->until = qx_mine.last + stretch(t, 3);
  }
  t->folded->latest = *latest;
  qx_mine.folds = 1;
  qx_mine.object = 0;
  qx_mine.last += latest->before + (latest->end == QX_OF_JOBS ? 0 : latest->held);
  return true;
}

/* holds lock */ void qx_folds_no_more(struct qx_strand_thread *t) {
  if (t->folded == NULL || qx_mine.folds != 0)
    return;
  t->folded->next = unused;
  unused = t->folded;
  t->folded = NULL;
}

/* holds lock */ void qx_folded_reset_in_child(void) {
  unused = NULL;
  qx_mine.folds = 0;
}
