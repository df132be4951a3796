/* The simulated machine of one thread (record=predictor): a branch predictor, caches, a TLB, and
 * the streams that hardware would fetch ahead. The sizes here are the only copy of its geometry,
 * that of a typical current core. Whatever is in it, no index leaves its table: a signal handler
 * that runs in the middle of an update may make a count slightly wrong, and no more. It knows no
 * time. See docs/13-machines.md. */
#ifndef QUINCUNX_SIMULATED_H
#define QUINCUNX_SIMULATED_H

#include "os/os.h"
#include "quincunx/abi.h"

/* ---- branches: about 64 KiB in a processor's bits ---- */

enum {
  qx_base_bits = 14,  /* two-bit counters of the base table */
  qx_tables = 12,     /* of tagged entries, each for a longer history than the one before */
  qx_table_bits = 11, /* entries of each */
  qx_past_bits = 9,   /* outcomes that are remembered, more than the longest history */
  qx_loop_sets = 16,  /* loops of which trips are known, in sets of */
  qx_loop_ways = 4,
  qx_target_tables = 4,
  qx_target_bits = 9 /* entries of each, and of the base table of targets */
};

struct qx_tagged {
  int8_t counter; /* -4 to 3: taken from 0 on */
  uint8_t useful; /* 0 to 3 */
  uint16_t tag;
};
struct qx_loop {
  uint16_t tag, trips, now; /* `now` times in a row so far; 0 trips: not known */
  uint8_t sure, age;
  bool way; /* what it does but for the last time */
};
struct qx_tagged_target {
  uint32_t target;
  uint16_t tag;
  uint8_t sure, useful; /* 0 to 3 */
};

struct qx_predictor {
  int8_t base[1 << qx_base_bits]; /* -2 to 1 */
  struct qx_tagged tagged[qx_tables][1 << qx_table_bits];
  struct qx_loop loops[qx_loop_sets][qx_loop_ways];
  struct qx_tagged_target targets[1 + qx_target_tables][1 << qx_target_bits];
  int8_t past[2 << qx_past_bits]; /* bits of history, as 0 and -1; twice, to be read without end */
  uint64_t folded[qx_tables];     /* of the history of each table: its bits modulo 64 */
  uint64_t leaves[qx_tables];     /* where the oldest bit has got to when it leaves */
  uint64_t way;                   /* history of targets, the latest at the bottom */
  uint64_t random;
  uint32_t now;       /* bits of history so far */
  int16_t crowded;    /* of allocations: more failed than not? */
  int8_t trust_other; /* in the shorter history, where the longer one is new */
  int8_t trust_loops;
};

/* ---- memory ---- */

enum {
  qx_line_bits = 6,   /* lines of 64 bytes */
  qx_page_bits = 12,  /* pages of 4 KiB */
  qx_first_sets = 64, /* 48 KiB of data, the first level */
  qx_first_ways = 12,
  qx_second_sets = 2048, /* 2 MiB, the second level */
  qx_second_ways = 16,
  qx_third_sets = 16384, /* 16 MiB, a usual share of a shared third level */
  qx_third_ways = 16,
  qx_page_sets = 256, /* 2048 pages, the second level of the TLB */
  qx_page_ways = 8,
  qx_streams = 32,
  qx_longest_stride = 32 /* lines */
};

/* The pages that were touched: tables of which each has twice the room of the one before. One that
 * got too full is copied to the next and kept, as a signal handler may have come in between. */
enum { qx_page_group_bits = 6, qx_seen_least_bits = 8, qx_seen_tables = 32 };
struct qx_page_group {
  uint64_t number; /* plus one: pages / 64; 0: nothing yet */
  uint64_t seen;   /* a bit for each page */
};
struct qx_seen_pages {
  struct qx_page_group *tables[qx_seen_tables];
  uint64_t groups; /* in the latest table, or a few more */
  uint32_t latest; /* its index */
  bool none;       /* there was no memory for them */
};

/* Caches of lines and pages by their numbers, 0 is none. Sets of the third level have no order,
 * those of the others have the latest first. */
struct qx_caches {
  _Alignas(64) uint32_t third[qx_third_sets][qx_third_ways];
  uint32_t first[qx_first_sets][qx_first_ways];
  uint32_t second[qx_second_sets][qx_second_ways];
  uint32_t pages[qx_page_sets][qx_page_ways];
  struct qx_known_streams {
    uint32_t line[qx_streams], next[qx_streams]; /* the latest line; the one that is to follow */
    uint32_t used[qx_streams], uses;             /* when; how often any was */
  } streams;
  uint64_t line, page; /* the latest ones, plus one */
  uint64_t random;
  struct qx_seen_pages seen;
};

struct qx_machine {
  struct qx_predictor predictor;
  struct qx_caches caches;
};

/* ---- machine.c ---- */

/* The machine of this thread, one for each image: an exported one would need a relocation that
 * -static-pie cannot make. NULL when nobody asked yet, the last of all addresses when there is
 * none. */
QX_HIDDEN extern __thread struct qx_machine *qx_simulated
    __attribute__((tls_model("initial-exec")));
/* Makes it, if there is memory; else NULL, from then on. */
QX_HIDDEN struct qx_machine *qx_make_machine(void);
static inline struct qx_machine *qx_machine_here(void) {
  struct qx_machine *known = qx_simulated;
  return __builtin_expect((uintptr_t)known + 1 <= 1, false) ? qx_make_machine() : known;
}

/* Gives this thread's machine back; it gets no other. */
QX_HIDDEN void qx_simulated_left(void);

/* ---- branch_predictor.c ---- */

/* Learns that the branch went that way; was that predicted? */
QX_HIDDEN bool qx_predict_branch(struct qx_predictor *p, uint64_t site, bool taken);
QX_HIDDEN void qx_begin_history(struct qx_predictor *p); /* of one that is all zeros */
QX_HIDDEN void qx_remember(struct qx_predictor *p, bool bit);

/* ---- indirect_predictor.c ---- */

/* Learns that the jump went to that target; was that predicted? */
QX_HIDDEN bool qx_predict_target(struct qx_predictor *p, uint64_t site, uint64_t target);

/* ---- first_touch.c ---- */

/* Is this the first time that the page is asked for? */
QX_HIDDEN bool qx_is_fresh(struct qx_seen_pages *s, uint64_t page);
QX_HIDDEN void qx_forget_pages(struct qx_seen_pages *s); /* gives their memory back */

static inline uint64_t qx_draw(uint64_t *state) { /* xorshift; of 0 only 0 */
  uint64_t x = *state;
  x ^= x << 13;
  x ^= x >> 7;
  return *state = x ^ x << 17;
}

#endif
