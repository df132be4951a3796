/* The layer of strands (record=strands): where threads wait for each other and let others go on.
 * Without an object of which the compiler was asked for it, it does nothing, and nothing comes here
 * but from the layer of control. It does not know what follows from what it writes down. */
#ifndef QUINCUNX_STRANDS_H
#define QUINCUNX_STRANDS_H

#include "record/record.h"

#include "quincunx/abi/strands.h"

#include <pthread.h>

struct qx_strand_thread; /* what is known of a thread */

/* ---- events.c ---- */

/* Are strands asked for? */
QX_HIDDEN bool qx_strands_asked(void);
/* Says that this thread is about to start one; null: nothing is written down. */
/* takes lock */ QX_HIDDEN struct qx_strand_thread *qx_strand_creates(void);
/* Says how it is called, before anybody can know it from its creator. */
/* takes lock */ QX_HIDDEN void qx_strand_created(struct qx_strand_thread *thread, pthread_t self);
/* Says that this thread begins. */
/* takes lock */ QX_HIDDEN void qx_strand_begins(struct qx_strand_thread *thread);
/* holds lock */ QX_HIDDEN size_t qx_strands_bound(void);
/* holds lock */ QX_HIDDEN void qx_put_strands(struct qx_buffer *b);
/* Forgets, in a forked child, all threads but this one, and what it did. */
/* holds lock */ QX_HIDDEN void qx_strands_reset_in_child(void);

/* Writes an event of this thread down, unless it comes from the runtime itself. */
/* takes lock */ QX_HIDDEN void qx_strand_event(enum qx_strand_kind kind, uintptr_t object);
/* The same for a lock that it has, returns 0, and for one that it gives up: both are one event
 * where nothing comes between them and it is short. */
/* takes lock */ QX_HIDDEN int qx_strand_locked(uintptr_t object);
/* takes lock */ QX_HIDDEN void qx_strand_unlocked(uintptr_t object);
/* The same for what makes an object: how much of it there is takes the place of the site. */
/* takes lock */ QX_HIDDEN void qx_strand_made(enum qx_strand_kind kind, uintptr_t object,
                                               uint32_t amount);
/* This thread had that number of a counter; of none, it failed to. */
/* The same of a counter that many may count, while events are few. */
/* takes lock */ QX_HIDDEN void qx_strand_counted(enum qx_strand_kind kind, uintptr_t object);
/* takes lock */ QX_HIDDEN void qx_strand_claim(uintptr_t counter, uint64_t number);
/* Writes down that this thread has done `count` of the `among` iterations from `first` on. */
/* takes lock */ QX_HIDDEN void qx_strand_iterated(uint64_t first, uint32_t among, uint32_t count);
/* The same for a variable that it looks at again: once, unless something else happens between. */
/* takes lock */ QX_HIDDEN void qx_strand_spins(uintptr_t object);
/* The same of a loop that it goes through alone: `count` more. */
/* takes lock */ QX_HIDDEN void qx_strand_round(uint64_t loop, uint32_t count);
/* Returns the thread of that name, which was not joined; null: of none that is known. */
/* takes lock */ QX_HIDDEN const struct qx_strand_thread *qx_strand_of(pthread_t self);
/* Says that this thread has joined it. */
/* takes lock */ QX_HIDDEN void qx_strand_joined(const struct qx_strand_thread *thread);

/* ---- sync.c ---- */

/* Looks up what is interposed: when the image is loaded, as dlsym waits for a dlopen under way in
 * another thread. */
QX_HIDDEN void qx_find_interposed(void);

/* ---- loops.c ---- */

/* This thread is in no loop that a team shares, whatever it left by a way that is not seen. */
QX_HIDDEN void qx_forget_loops(void);

/* ---- serial.c ---- */

/* How many stretches of neighbours a loop may have, for what is left of the events that a process
 * may write: 1024 at first, at last 0. Counts those that were told. */
QX_HIDDEN uint64_t qx_stretches(void);
QX_HIDDEN void qx_stretch_told(void);

/* ---- openmp.c ---- */

/* Is that code of OpenMP's library, whose events come from itself? */
QX_HIDDEN extern uintptr_t qx_openmp_begin, qx_openmp_size;
static inline bool qx_is_openmp(const void *code) {
  return (uintptr_t)code - qx_openmp_begin < qx_openmp_size;
}

#endif
