/* What the parts of the runtime share. An image is an executable or shared object built with the
 * flag; it brings its own copy of the runtime from the static archive, and all copies use the
 * registry of the first one (__quincunx_registry, the only visible symbol besides pthread_create
 * and thrd_create). Counters of an image live in arenas, one per thread that runs now; an arena
 * outlives its thread and is handed on, counts and all, so nothing is merged or lost when threads
 * end. See docs/11-formats.md. */
#ifndef QUINCUNX_RUNTIME_H
#define QUINCUNX_RUNTIME_H

#include "quincunx/abi.h"

#include <stdbool.h>

#define QX_HIDDEN __attribute__((visibility("hidden")))
#define QX_VISIBLE __attribute__((visibility("default")))

struct qx_arena {
  struct qx_arena *next;      /* of all arenas of the image */
  struct qx_arena *next_free; /* of those no thread uses */
  struct qx_arena *next_held; /* of those one thread uses, over all images */
  struct qx_loaded_image *image;
  size_t bytes; /* of the mapping */
  int rounds;   /* of thread-specific destructors seen so far */
  uint64_t counters[];
};

/* One loaded image; lives in the image itself and is filled in before main. */
struct qx_loaded_image {
  struct qx_loaded_image *next;
  uint64_t *counters, *counters_end; /* the section: arena of threads without one */
  const unsigned char *map, *map_end;
  int64_t *(*delta)(void); /* this thread's distance in this image */
  struct qx_arena *arenas, *free_arenas;
  uint64_t *inherited; /* counters at fork, in a forked child; else NULL */
};

/* Counts of an image that was unloaded by dlclose. */
struct qx_retired {
  struct qx_retired *next;
  size_t bytes; /* of the mapping */
  size_t size;  /* of the encoded chunks */
  unsigned char chunks[];
};

struct qx_registry {
  uint32_t version;
  void (*add)(struct qx_loaded_image *image);
  void (*remove)(struct qx_loaded_image *image);
  void (*attach)(struct qx_loaded_image *image); /* gives this thread an arena in one image */
  void (*attach_all)(void);                      /* in all images */
};

/* State of the registry in use, guarded by the lock. */
struct qx_state {
  struct qx_loaded_image *images;
  struct qx_retired *retired;
};
QX_HIDDEN extern struct qx_state qx_state;
QX_HIDDEN void qx_lock(void);
QX_HIDDEN void qx_unlock(void);

/* write.c */
QX_HIDDEN void qx_start(void);        /* remembers environment, folder, time; once */
QX_HIDDEN void qx_forked(void);       /* a new process record begins here */
QX_HIDDEN void qx_write_record(void); /* at exit; once */
QX_HIDDEN void
qx_retire(struct qx_loaded_image *image); /* keeps the counts of an image about to go */
QX_HIDDEN void qx_complain(const char *what, const char *detail);
QX_HIDDEN void *qx_map_memory(size_t bytes); /* zeroed; NULL when there is none */

#endif
