/* What the files of this room share of the events of threads: what a thread has met last, and how
 * an event is written down. */
#ifndef QUINCUNX_STRANDS_EVENTS_H
#define QUINCUNX_STRANDS_EVENTS_H

#include "strands/strands.h"

/* The clock of this thread (control/image.c), as this image has it: a name that is exported would
 * need a relocation that -static-pie cannot make. */
QX_HIDDEN extern __thread uint64_t qx_own_clock __attribute__((tls_model("initial-exec")));

struct qx_segment;  /* of a thread's events (events.c) */
struct qx_sections; /* that are folded (folded.c) */

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
  struct qx_segment *segments;
  struct qx_sections *folded; /* null: nothing was ever folded */
};

extern __thread struct qx_events_of_thread {
  struct qx_strand_thread *thread;
  struct qx_strand_event *at, *end;
  uint64_t last;    /* the clock at the event before */
  uintptr_t object; /* a lock that it has and of which nothing is written down yet; 0: none */
  uint64_t clock;   /* when it got it */
  uint32_t order, site;
  uintptr_t spun; /* the variable that it looked at in the event before `behind_spin` */
  const struct qx_strand_event *behind_spin;
  bool stopped;   /* has said that it does not write down any more what it counts */
  uint32_t folds; /* not 0: something is folded, and stands before all that comes */
} qx_mine QX_HIDDEN __attribute__((tls_model("initial-exec")));

/* What the process has written so far. */
struct qx_strands_so_far {
  uint32_t threads; /* written with the lock held */
  uint64_t events;  /* the same; in segments that are full */
  bool cut;         /* no more is written */
  bool folds;       /* much is written already */
};
QX_HIDDEN extern struct qx_strands_so_far qx_so_far;

/* No more is written, and the record says so. */
QX_HIDDEN void qx_strands_cut(const struct qx_strand_thread *t);

/* Is there room for so many events, or for one at least, behind which more is made? */
typedef bool (*qx_room)(ptrdiff_t events);
/* takes lock */ QX_HIDDEN bool qx_room_made(ptrdiff_t events);

/* There is room for it. */
static inline void qx_put_event(uint64_t clock, uint64_t what, uint32_t order, uint32_t site) {
  struct qx_strand_event *e = qx_mine.at++;
  e->clock = clock;
  e->order = order;
  e->site = site;
  __atomic_store_n(&e->what, what, __ATOMIC_RELEASE);
}
static inline uint64_t qx_what_of(enum qx_strand_kind kind, uintptr_t object) {
  const uint64_t mask = ((uint64_t)1 << QX_STRAND_OBJECT) - 1;
  return (uint64_t)kind << QX_STRAND_OBJECT | (object & mask);
}
/* A section of a lock is one event where nothing comes between its ends and it is short. */
static inline uint64_t qx_what_of_held(uintptr_t object, uint64_t held) {
  return (uint64_t)QX_STRAND_HELD << QX_STRAND_OBJECT | held << QX_STRAND_HELD_OBJECT | object;
}
static inline bool qx_fits_held(uint64_t before, uint64_t held) {
  return ((held / (QX_STRAND_HELD_MOST + 1)) | before >> 32) == 0;
}

/* ---- folded.c ---- */

/* Sections of a lock that begin at one place and end at one; or jobs from a counter at one place.
 */
struct qx_folded {
  uintptr_t object;
  uint32_t site, end;              /* of jobs: QX_OF_JOBS */
  uint32_t order, last;            /* of the first, and of the last */
  uint64_t sections, before, held; /* of all of them; of jobs: the last one's number */
};
#define QX_OF_JOBS UINT32_MAX /* sites are below 2^31 */

/* Adds up what this thread did since the event before; false: it is to be written down. */
/* takes lock */ QX_HIDDEN bool qx_fold_section(const struct qx_folded *latest);
/* Writes down what is folded of this thread. */
QX_HIDDEN void qx_unfold_sections(qx_room has_room);
/* Others may have what a thread that ends folded in. */
/* holds lock */ QX_HIDDEN void qx_folds_no_more(struct qx_strand_thread *t);
/* holds lock */ QX_HIDDEN void qx_folded_reset_in_child(void);

#endif
