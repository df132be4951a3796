/* The layer of records: how what was counted is encoded, and the live file that holds it while the
 * process runs. It does not know who counts, nor when a record is written. */
#ifndef QUINCUNX_RECORD_H
#define QUINCUNX_RECORD_H

#include "process/process.h"

/* ---- encode.c ---- */

/* Where bytes are put; what has no room is left out. */
struct qx_buffer {
  unsigned char *at, *end;
};
QX_HIDDEN void qx_put_bytes(struct qx_buffer *b, const void *bytes, size_t n);
/* Begins a chunk, and returns where; closing it there stores its size and fills it up. */
QX_HIDDEN unsigned char *qx_open_chunk(struct qx_buffer *b, uint32_t kind);
QX_HIDDEN void qx_close_chunk(struct qx_buffer *b, unsigned char *where);
QX_HIDDEN void qx_put_empty_chunk(struct qx_buffer *b, uint32_t kind);

enum { qx_varint_most = 10 }; /* bytes of a varint */
/* Returns where it ends. */
QX_HIDDEN unsigned char *qx_encode_varint(unsigned char *at, uint64_t v);

/* Numbers and values of what was counted, in ascending order of numbers. */
struct qx_pairs {
  unsigned char *at, *end;
  uint64_t next; /* number after that of the last pair */
};
/* False: no room, which qx_image_bound() leaves. */
QX_HIDDEN bool qx_put_pair(struct qx_pairs *p, uint64_t number, uint64_t value);
/* Puts the counters of an image: sums over its section and its arenas. */
/* holds lock */ QX_HIDDEN void qx_put_counters(struct qx_pairs *p,
                                                const struct qx_image_state *image);

/* A function's words: place of its record in the map, its counters, and words of recorders. */
struct qx_words {
  size_t at, first, count, recorders;
};
/* Finds the first function in the map from byte `at` on, and moves `at` behind it; false: none. */
QX_HIDDEN bool qx_next_function(const struct qx_loaded_image *image, size_t *at,
                                struct qx_words *words);
/* Fills in `head`, and `path` of PATH_MAX bytes. Waits for the lock of the dynamic linker, whose
 * holder may wait for ours. */
/* takes lock */ QX_HIDDEN void qx_describe_image(struct qx_loaded_image *image,
                                                  struct qx_image *head, char *path);
/* holds lock */ QX_HIDDEN void qx_put_image(struct qx_buffer *b,
                                             const struct qx_image_state *image);
/* holds lock */ QX_HIDDEN size_t qx_image_bound(const struct qx_image_state *image);

QX_HIDDEN void qx_put_process(struct qx_buffer *b, bool begins); /* no times yet? */
QX_HIDDEN size_t qx_process_bound(void);
QX_HIDDEN void qx_measure_process(struct qx_process *p); /* stores times and peak memory */

/* ---- live_file.c ---- */

/* Puts an image into the file, and gives it its number there. */
/* holds lock */ QX_HIDDEN void qx_live_image(struct qx_image_state *image);
/* Maps a chunk of whole pages: its head, then zeros; at `memory`, if that is set. NULL: it cannot
 * be in the live file. */
/* holds lock */ QX_HIDDEN void *qx_live_chunk(const void *head, size_t head_size, size_t bytes,
                                               void *memory);
/* Maps `bytes` that begin with the head of a chunk: from the live file if `*is_live` is set and
 * they can be there, which is stored in it, else plain memory. At `memory`, if that is set. NULL:
 * there is no memory. */
/* holds lock */ QX_HIDDEN void *qx_map_chunk(uint32_t kind, size_t bytes, void *memory,
                                              bool *is_live);
/* Declares valid what was added. */
/* holds lock */ QX_HIDDEN void qx_live_settle(void);
/* Stores there what is known of children and of counts that are not in it. */
/* holds lock */ QX_HIDDEN void qx_live_tell(void);
/* In a copy of the process of which nobody told us: what it counts now will be lost. */
QX_HIDDEN void qx_live_copy_lost(void);
/* Something is counted from now on that is not in it. */
/* holds lock */ QX_HIDDEN void qx_live_outside(void);
/* Makes the file the record, which does or does not hold all that was counted; false: there is
 * none. */
/* holds lock */ QX_HIDDEN bool qx_live_close(bool complete);
/* Brings the file, which holds all that was counted, to the disk; false: there is none. */
/* holds lock */ QX_HIDDEN bool qx_live_flush(void);
/* Removes the file, as the record stands elsewhere. */
/* holds lock */ QX_HIDDEN void qx_live_remove(void);
/* Leaves the file to the parent. */
/* holds lock */ QX_HIDDEN void qx_live_reset_in_child(void);

#endif
