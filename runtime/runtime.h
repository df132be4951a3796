/* What the parts of the runtime share. An image is an executable or shared object built with the
 * flag; it brings its own copy of the runtime from the static archive, and all copies use the
 * registry of the first one (__quincunx_registry, the only visible symbol besides pthread_create
 * and thrd_create). Counters of an image live in arenas, one per thread that runs now; an arena
 * outlives its thread and is handed on, counts and all, so nothing is merged or lost when threads
 * end. Arenas are mapped from the live file where there can be one, so they outlive the process
 * too. All state is guarded by one lock. See docs/11-formats.md and docs/decisions/004. */
#ifndef QUINCUNX_RUNTIME_H
#define QUINCUNX_RUNTIME_H

#include "quincunx/abi.h"

#include <limits.h>
#include <stdbool.h>

struct stat;

#define QX_HIDDEN __attribute__((visibility("hidden")))
#define QX_VISIBLE __attribute__((visibility("default")))

/* Who has blocks of recorders: an arena, or an image. */
struct qx_holder {
  struct qx_image_state *image;
  struct qx_pool *pools;
  struct qx_block *blocks;
  bool live;      /* may they be in the live file? */
  bool exhausted; /* there was no memory */
};

/* Where one thread counts what it does in one image. */
struct qx_arena {
  struct qx_arena *next;      /* of all arenas of the image */
  struct qx_arena *next_free; /* of those no thread uses */
  struct qx_arena *next_held; /* of those one thread uses, over all images */
  struct qx_image_state *image;
  void *memory; /* mapped; the counters begin at qx_arena_offset */
  size_t bytes; /* of the mapping */
  uint64_t *counters;
  uint64_t *state; /* memory of this process alone */
  struct qx_holder recorders;
  int rounds; /* of thread-specific destructors seen so far */
  bool live;  /* it is in the live file */
  /* Of requests: its counters when the open one began; does that hold; on how many the one that
   * ends counted; sums over all. */
  uint64_t *copy;
  bool copied;
  size_t hit;
  struct qx_sums *sums;
};
enum { qx_arena_offset = sizeof(struct qx_raw_chunk) + sizeof(struct qx_arena_start) };

/* One loaded image; lives in the image itself and is filled in before main. */
struct qx_loaded_image {
  uint64_t *counters, *counters_end; /* the section: arena of threads without one */
  uint64_t *state, *state_end;       /* the same of what counts nothing */
  const unsigned char *map, *map_end;
  int64_t *(*delta)(void), *(*state_delta)(void); /* this thread's distances in this image */
  uint64_t *spill;                                /* QX_BLOCK_MOST words that nobody reads */
  struct qx_image_state *known;
};

/* What is known of an image; outlives dlclose, and serves again when the same image is opened
 * again. */
struct qx_image_state {
  struct qx_image_state *next;
  struct qx_loaded_image *loaded; /* NULL after dlclose */
  const unsigned char *map;       /* only for QUINCUNX_MAPS=embed */
  struct qx_arena *arenas, *free_arenas;
  size_t arena_count;
  uint64_t *inherited;          /* counters at fork, in a forked child; else NULL */
  uint64_t *snapshot;           /* the same for the child that is being forked */
  uint32_t number;              /* in the live file; qx_not_live: it is not in it */
  struct qx_holder recorders;   /* of threads without an arena */
  struct qx_recorded *recorded; /* functions with recorders; NULL: nobody asked yet */
  size_t held_words;            /* in all blocks */
  size_t state_bytes;
  struct qx_image head;
  char path[];
};
#define qx_not_live UINT32_MAX

struct qx_registry {
  uint32_t version;
  void (*add)(struct qx_loaded_image *image);
  void (*remove)(struct qx_loaded_image *image);
  void (*attach)(struct qx_loaded_image *image); /* gives this thread an arena in one image */
  struct qx_arena *(*prepare)(void);         /* an arena in each image for a thread to be started */
  void (*begin)(struct qx_arena *prepared);  /* in that thread */
  void (*cancel)(struct qx_arena *prepared); /* it was not started */
  int (*flush)(void);
  void (*request)(struct qx_mark *mark, uint64_t frame); /* requests.c */
  void (*request_done)(uint64_t frame);
  void (*feature)(const char *name, double value);
  uint64_t *(*recorder)(const struct qx_loaded_image *image, uint64_t *state, const void *record,
                        uint64_t first, uint64_t words); /* blocks.c */
  void (*call)(const struct qx_loaded_image *image, uint64_t *state, const void *record,
               uint64_t first, uint64_t cost);
};

/* Settings and facts of the process, as they were at its start. */
struct qx_process_facts {
  bool off;   /* record nothing */
  bool embed; /* put maps into the record */
  int pid;
  uint8_t identity[16];
  char run[65];       /* name of the run; empty: the identity of the first process */
  char out[PATH_MAX]; /* QUINCUNX_OUT, or empty */
  char folder[PATH_MAX];
  char program[PATH_MAX];
  int64_t start_realtime, start_monotonic;
};
QX_HIDDEN extern struct qx_process_facts qx_process;
QX_HIDDEN extern struct qx_image_state *qx_images;

QX_VISIBLE extern struct qx_registry __quincunx_registry;
/* Of another build of ours, which came first, nothing but this word is known. */
static inline bool qx_is_known(void) { return __quincunx_registry.version == QX_ABI_VERSION; }

/* registry.c */
QX_HIDDEN bool qx_end(void); /* writes the record; false: another copy's registry is in use */

/* lock.c */
QX_HIDDEN extern bool qx_ready; /* threads and forks are watched */
QX_HIDDEN void qx_lock(void);
QX_HIDDEN void qx_unlock(void);
QX_HIDDEN void qx_lock_reset_in_child(void); /* in a forked child: whoever had it is not here */
QX_HIDDEN bool qx_is_copy(void);
/* What a thread calls between these may be instrumented code, of a program that has a memcpy or a
 * pthread_mutex_lock of its own: that must not come back to us for words. */
QX_HIDDEN bool qx_enter(void); /* false: it is inside already, and must not leave */
QX_HIDDEN void qx_leave(void);

/* arenas.c; qx_attach, qx_prepare, qx_begin and qx_give_up take the lock, the others are with it */
/* Begins; with the lock held it will call joined(arena) when this thread counts there from now on,
 * and left() when a thread ends. */
QX_HIDDEN bool qx_arenas_start(void (*joined)(struct qx_arena *arena), void (*left)(void));
QX_HIDDEN struct qx_arena *qx_held_arenas(void); /* by this thread; NULL: nothing is recorded */
QX_HIDDEN void qx_arenas_end(void);              /* who holds which is not known any more */
QX_HIDDEN void qx_attach(struct qx_loaded_image *image);
QX_HIDDEN void qx_attach_locked(struct qx_image_state *image);
QX_HIDDEN struct qx_arena *qx_prepare(void);
QX_HIDDEN void qx_begin(struct qx_arena *prepared);
QX_HIDDEN void qx_cancel_prepared(struct qx_arena *prepared);
QX_HIDDEN bool qx_map_arena(struct qx_arena *arena);             /* anew, in a forked child */
QX_HIDDEN void qx_keep_own_arenas(struct qx_image_state *image); /* in a forked child: no others */
QX_HIDDEN void
qx_empty_section(struct qx_image_state *image); /* what it counted goes to an arena */
QX_HIDDEN void
qx_release_arenas(struct qx_image_state *image); /* of its arenas that this thread holds */

/* fork.c */
QX_HIDDEN bool qx_watch_forks(void);

/* threads.c */
QX_HIDDEN void qx_find_pthread_create(void);
QX_HIDDEN void
qx_starts_reset_in_child(void); /* in a forked child: threads that were to start do not */

/* image.c */
QX_HIDDEN uint64_t *qx_ask_recorder(uint64_t *state, const void *record, uint64_t first,
                                    uint64_t words);
QX_HIDDEN void qx_ask_call(uint64_t *state, const void *record, uint64_t first, uint64_t cost);

/* blocks.c; all but the first two with the lock */
struct qx_pairs;
QX_HIDDEN uint64_t *qx_recorder(const struct qx_loaded_image *image, uint64_t *state,
                                const void *record, uint64_t first, uint64_t words);
QX_HIDDEN void qx_call(const struct qx_loaded_image *image, uint64_t *state, const void *record,
                       uint64_t first, uint64_t cost);
/* What a thread leaves in its state goes, but for where blocks are. */
QX_HIDDEN void qx_renew_state(struct qx_arena *arena);
QX_HIDDEN bool qx_recorders_are_live(const struct qx_holder *holder);
QX_HIDDEN void qx_put_recorders(struct qx_pairs *p, const struct qx_image_state *image);
/* In a forked child: the holder is gone; no block is known; those of this one stay, with zeros. */
QX_HIDDEN void qx_forget_recorders(struct qx_holder *holder);
QX_HIDDEN void qx_forget_blocks(struct qx_image_state *image);
QX_HIDDEN void qx_renew_recorders(struct qx_holder *holder);

/* text.c; the qx_append... append to a string that ends before `end`, and give where it ends now.
 */
QX_HIDDEN size_t qx_length(const char *text);
QX_HIDDEN char *qx_append(char *to, const char *end, const char *from);
QX_HIDDEN char *qx_append_number(char *to, const char *end, unsigned long n);
QX_HIDDEN char *qx_append_hex(char *to, const char *end, const uint8_t *bytes, int count);
QX_HIDDEN void qx_save_stderr_identity(void);
QX_HIDDEN void qx_complaints_reset_in_child(void); /* a forked child may say a line of its own */
/* Once per process, and only where stderr is what it was. `parts` ends with NULL. */
QX_HIDDEN void qx_complain(const char *const *parts);

/* files.c. Another thread of the program may close every descriptor it does not know, and open a
 * file of its own under our number: a descriptor is compared with the file it was opened for. */
struct qx_file_identity {
  bool known;
  uint64_t device, inode;
};
QX_HIDDEN bool qx_identify_file(int fd, struct qx_file_identity *file);
QX_HIDDEN bool qx_is_file(const struct stat *s, const struct qx_file_identity *file);
QX_HIDDEN bool qx_still_refers_to(int fd, const struct qx_file_identity *file);
QX_HIDDEN bool qx_room_for(size_t file_bytes); /* a file of that size: no SIGXFSZ */

/* memory.c */
QX_HIDDEN void *qx_map_memory(size_t bytes); /* zeroed; NULL when there is none */
/* The same in place of what is mapped at `memory`, if that is set. */
QX_HIDDEN void *qx_map_memory_at(void *memory, size_t bytes);
QX_HIDDEN size_t qx_page_size(void);
QX_HIDDEN size_t qx_whole_pages(size_t bytes);  /* rounded up */
QX_HIDDEN void *qx_alloc_forever(size_t bytes); /* the same for small things that are never freed */
QX_HIDDEN void qx_alloc_reset_in_child(void); /* in a forked child: not where another thread was */

/* peak.c: bytes; 0: the system does not say. */
QX_HIDDEN int64_t qx_peak_memory(void);

/* simulated.c: this thread has no simulated machine any more, and gets none. */
QX_HIDDEN void qx_simulated_left(void);

/* chunks.c */
struct qx_buffer {
  unsigned char *at, *end;
};
enum { qx_varint_most = 10 }; /* bytes that a number takes */
QX_HIDDEN unsigned char *qx_encode_varint(unsigned char *at, uint64_t v);
QX_HIDDEN void qx_put(struct qx_buffer *b, const void *bytes, size_t n);
QX_HIDDEN unsigned char *qx_open_chunk(struct qx_buffer *b, uint32_t kind);
QX_HIDDEN void qx_close_chunk(struct qx_buffer *b, unsigned char *where);
QX_HIDDEN void qx_put_process(struct qx_buffer *b, bool begins); /* no times yet? */
QX_HIDDEN void qx_put_empty_chunk(struct qx_buffer *b, uint32_t kind);
QX_HIDDEN void qx_put_image(struct qx_buffer *b, const struct qx_image_state *image);
/* Numbers and values of what was counted, in ascending order of numbers. */
struct qx_pairs {
  unsigned char *at, *end;
  uint64_t next; /* number after that of the last pair */
};
QX_HIDDEN bool qx_put_pair(struct qx_pairs *p, uint64_t number, uint64_t value);
/* Puts the counters of an image: sums over its section and its arenas. */
QX_HIDDEN void qx_put_counters(struct qx_pairs *p, const struct qx_image_state *image);
/* What a function has: its record's place in the map, its counters, and words of recorders. */
struct qx_words {
  size_t at, first, count, recorders;
};
/* That of the first function in the map from byte `at` on, which then is behind it; false: none. */
QX_HIDDEN bool qx_next_function(const struct qx_loaded_image *image, size_t *at,
                                struct qx_words *words);
QX_HIDDEN size_t qx_process_bound(void);
QX_HIDDEN size_t qx_image_bound(const struct qx_image_state *image);
QX_HIDDEN void qx_describe_image(struct qx_loaded_image *image, struct qx_image *head, char *path);
QX_HIDDEN void qx_measure_process(struct qx_process *p);

/* live.c */
QX_HIDDEN void qx_live_image(struct qx_image_state *image); /* describes it and numbers it */
/* Maps a chunk of whole pages: its head, then zeros; at `memory`, if that is set. NULL: it cannot
 * be in the live file. */
QX_HIDDEN void *qx_live_chunk(const void *head, size_t head_size, size_t bytes, void *memory);
/* Maps `bytes` that begin with the head of a chunk: from the live file if `*live` is set and they
 * can be there, which is said in `*live`, else plain memory. At `memory`, if that is set. NULL:
 * there is no memory. */
QX_HIDDEN void *qx_map_chunk(uint32_t kind, size_t bytes, void *memory, bool *live);
QX_HIDDEN void qx_live_settle(void); /* what was added is valid now */
/* These two are for a file that holds all that was counted. */
QX_HIDDEN bool qx_live_close(void);          /* makes it the record; false: there is no live file */
QX_HIDDEN bool qx_live_flush(void);          /* to the disk; false: there is none */
QX_HIDDEN void qx_live_remove(void);         /* the record stands elsewhere */
QX_HIDDEN void qx_live_reset_in_child(void); /* in a forked child: it is the parent's */

/* settings.c */
QX_HIDDEN void qx_process_start(void);          /* remembers environment, folder, time; once */
QX_HIDDEN void qx_process_reset_in_child(void); /* a new process record begins here */
QX_HIDDEN void qx_record_path(char *path);      /* PATH_MAX bytes */

/* write.c */
QX_HIDDEN int qx_write_record(bool open); /* of a process that goes on? 0, or errno */
QX_HIDDEN void qx_complain_of_record(int why);
QX_HIDDEN bool qx_close_live_file(void); /* it is the record now; false: it cannot be */
QX_HIDDEN bool qx_flush_live_file(void); /* to the disk; false: not all counts are in it */

#endif
