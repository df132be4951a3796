/* What is known of images and of the arenas in which threads count: data that the layers above
 * share. An image is an executable or shared object built with the flag; it brings its own copy of
 * the runtime from the static archive, and all copies use the registry of the first one. Counters
 * of an image live in arenas, one per thread that runs now; an arena outlives its thread and is
 * handed on, counts and all, so nothing is merged or lost when threads end. Arenas are mapped from
 * the live file where there can be one, so they outlive the process too. The lock guards all of
 * it. No function is declared here. See docs/11-formats.md and docs/decisions/004. */
#ifndef QUINCUNX_IMAGES_H
#define QUINCUNX_IMAGES_H

#include "os/visible.h"

#include "quincunx/abi.h"

/* Holds blocks of recorders: part of an arena, or of an image for threads without one. */
struct qx_holder {
  struct qx_image_state *image;
  struct qx_pool *pools;
  struct qx_block *blocks;
  bool live;      /* may they be in the live file? */
  bool exhausted; /* there was no memory */
};

/* An arena: memory in which one thread counts what it does in one image. */
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
  int leaver; /* the thread that left it, and may still be ending; 0: it does not count here */
  bool live;  /* it is in the live file */
  /* ---- of requests ---- */
  uint64_t *copy;       /* its counters when the open one began */
  bool copied;          /* `copy` holds */
  size_t hit;           /* counters on which the one that ends counted */
  struct qx_sums *sums; /* over all */
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

/* An image as the process knows it: outlives dlclose, and serves again when the same image is
 * opened again. */
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

/* All of them, the latest first. */
/* under lock */ QX_HIDDEN extern struct qx_image_state *qx_images;

#endif
