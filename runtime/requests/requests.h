/* The layer of requests. A request is one call of a marked function by a thread that is in none:
 * what the thread's counters grow by meanwhile. It does not know when threads start or records are
 * written. See docs/10-compiler.md. */
#ifndef QUINCUNX_REQUESTS_H
#define QUINCUNX_REQUESTS_H

#include "counting/counting.h"

/* A marked function that was met in this process. */
struct qx_marked {
  struct qx_marked *next;
  struct qx_image_state *image;
  uint32_t function, number;
  struct qx_requests_start *start; /* in its first segment; NULL: there is none */
  struct qx_segment *log;          /* the latest segment */
  struct qx_kept {
    uint64_t number;            /* of the request, plus 1; 0: the slot is free */
    const unsigned char *entry; /* its size, then its bytes */
  } kept[QX_SLOTS];
  bool incomplete; /* sums, for want of memory */
};

/* Sums of what all requests of a function counted in one arena. */
struct qx_sums {
  struct qx_sums *next;
  struct qx_marked *of;
  struct qx_sum {
    uint64_t x, low, high; /* sum; sum of squares */
  } counter[];
};

/* ---- requests.c ---- */

/* takes lock */ QX_HIDDEN void qx_request(struct qx_mark *mark, uint64_t frame);
/* takes lock */ QX_HIDDEN void qx_request_done(uint64_t frame);
/* takes lock */ QX_HIDDEN void qx_feature(const char *name, double value);
/* This thread counts in that arena from now on. */
/* holds lock */ QX_HIDDEN void qx_request_joined(struct qx_arena *arena);
/* This thread ends. */
/* holds lock */ QX_HIDDEN void qx_requests_left(void);
/* holds lock */ QX_HIDDEN void qx_requests_reset_in_child(void);
/* Ends requests, and waits for threads that are at work on one and may want the lock. */
/* takes lock */ QX_HIDDEN void qx_requests_close(void);

/* ---- request_log.c ---- */

QX_HIDDEN extern bool qx_requests_closed; /* no more of them, and no thread is at work on one */
/* Returns what is known of a marked function; NULL: no memory. */
/* holds lock */ QX_HIDDEN struct qx_marked *qx_marked_of(struct qx_mark *mark);
/* Returns room for an entry of at most `bytes`; it is there once it is committed. */
/* holds lock */ QX_HIDDEN unsigned char *qx_reserve_entry(struct qx_marked *m, size_t bytes);
/* holds lock */ QX_HIDDEN void qx_commit_entry(struct qx_marked *m, uint32_t slot, uint64_t number,
                                                const unsigned char *end);
/* Sets a feature in a table of `most`: one thread's own, or the run's with the lock held. */
QX_HIDDEN void qx_set_feature(struct qx_feature *table, unsigned most, const char *name,
                              double value);
/* holds lock */ QX_HIDDEN void qx_run_feature(const char *name, double value);
/* holds lock */ QX_HIDDEN bool qx_marked_are_live(void);
/* keep: the memory of samples may be in use. */
/* holds lock */ QX_HIDDEN void qx_marked_reset_in_child(bool keep);
/* holds lock */ QX_HIDDEN size_t qx_marked_bound(void);
/* holds lock */ QX_HIDDEN void qx_put_marked(struct qx_buffer *b);

#endif
