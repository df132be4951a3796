/* The layer of counting: arenas, where a thread counts, and blocks of recorders, which it gets when
 * it first needs them. It does not know what requests are, nor when threads start. */
#ifndef QUINCUNX_COUNTING_H
#define QUINCUNX_COUNTING_H

#include "record/record.h"

/* ---- arenas.c ---- */

/* Begins; joined(arena) will be called when a thread counts there from now on, and left() when it
 * ends, both with the lock held. */
/* holds lock */ QX_HIDDEN bool qx_arenas_start(void (*joined)(struct qx_arena *arena),
                                                void (*left)(void));
QX_HIDDEN void qx_arenas_end(void); /* who holds which is not known any more */
/* Returns the arenas that this thread holds; NULL: nothing is recorded. */
QX_HIDDEN struct qx_arena *qx_held_arenas(void);
/* Gives this thread an arena of one image. */
/* takes lock */ QX_HIDDEN void qx_attach(struct qx_loaded_image *image);
/* holds lock */ QX_HIDDEN void qx_attach_locked(struct qx_image_state *image);
/* Takes an arena of each image for a thread to be started; that thread begins with them, or they
 * are handed back. */
/* takes lock */ QX_HIDDEN struct qx_arena *qx_prepare_thread(void);
/* takes lock */ QX_HIDDEN void qx_begin_thread(struct qx_arena *prepared);
/* takes lock */ QX_HIDDEN void qx_cancel_prepared(struct qx_arena *prepared);
/* Maps its memory: the first time, or anew at its place in a forked child. */
/* holds lock */ QX_HIDDEN bool qx_map_arena(struct qx_arena *arena);
/* Drops, in a forked child, the arenas that this thread does not hold. */
/* holds lock */ QX_HIDDEN void qx_keep_own_arenas(struct qx_image_state *image);
/* Returns what was counted at one counter, in the section and in all arenas. */
/* holds lock */ QX_HIDDEN uint64_t qx_count_at(const struct qx_image_state *image, size_t counter);
/* Was nothing counted in the section? */
/* holds lock */ QX_HIDDEN bool qx_is_section_empty(const struct qx_image_state *image);
/* Moves what was counted in the section to an arena. */
/* holds lock */ QX_HIDDEN void qx_empty_section(struct qx_image_state *image);
/* Moves what was counted outside of the live file to an arena in it; false: there is none. */
/* holds lock */ QX_HIDDEN bool qx_gather_counts(struct qx_image_state *image);
/* Hands on the arenas of the image that this thread holds. */
/* holds lock */ QX_HIDDEN void qx_release_arenas(struct qx_image_state *image);

/* ---- recorder_blocks.c ---- */

/* Answer instrumented code: see __quincunx_recorder and __quincunx_call in abi/symbols.h. */
/* takes lock */ QX_HIDDEN uint64_t *qx_find_recorder(const struct qx_loaded_image *image,
                                                      uint64_t *state, const void *record,
                                                      uint64_t first, uint64_t words);
/* takes lock */ QX_HIDDEN void qx_record_call(const struct qx_loaded_image *image, uint64_t *state,
                                               const void *record, uint64_t first, uint64_t cost);
/* Counts a call where its words are; false: there is none for its bucket yet. */
QX_HIDDEN bool qx_count_call(uint64_t *state, uint64_t cost);
/* Clears what the last thread left in the state, but for where blocks are. */
/* holds lock */ QX_HIDDEN void qx_renew_state(struct qx_arena *arena);
/* holds lock */ QX_HIDDEN bool qx_recorders_are_live(const struct qx_holder *holder);
/* Copies blocks that are outside of the live file to free room of pools in it; false: there is not
 * enough. */
/* holds lock */ QX_HIDDEN bool qx_gather_recorders(struct qx_image_state *image);
/* holds lock */ QX_HIDDEN void qx_put_recorders(struct qx_pairs *p,
                                                 const struct qx_image_state *image);
/* Put a forked child in order: drop the blocks of a holder that is gone; forget which blocks
 * functions have; enter those of a holder that stays again, with zeros. */
/* holds lock */ QX_HIDDEN void qx_forget_recorders(struct qx_holder *holder);
/* holds lock */ QX_HIDDEN void qx_forget_blocks(struct qx_image_state *image);
/* holds lock */ QX_HIDDEN void qx_renew_recorders(struct qx_holder *holder);

/* ---- call_chains.c ---- */

/* What this thread hands over from one function to the next, if this copy's registry is in use. */
QX_HIDDEN extern __thread struct qx_jump qx_jump __attribute__((tls_model("initial-exec")));
/* Ends the calls of a chain when the clock stands at `now`; `record` is qx_record_call() of the
 * copy whose registry is in use. */
typedef void qx_call_recorder(const struct qx_loaded_image *image, uint64_t *state,
                              const void *record, uint64_t first, uint64_t cost);
QX_HIDDEN void qx_end_chain(uint64_t *head, uint64_t chain, uint64_t now, qx_call_recorder *record);
/* Ends what this thread handed over and nobody took. */
/* takes lock */ QX_HIDDEN void qx_end_jump(void);

#endif
