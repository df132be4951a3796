/* The registry: how an image reaches the copy of the runtime that all images of the process use,
 * that of the first one. Its name is the only visible one besides pthread_create, thrd_create and
 * the clock. Other builds of ours read its version, so that stays first. */
#ifndef QUINCUNX_REGISTRY_H
#define QUINCUNX_REGISTRY_H

#include "os/visible.h"

#include "quincunx/abi.h"

struct qx_arena;
struct qx_loaded_image;

/* Functions of that copy; all take the lock. */
struct qx_registry {
  uint32_t version;
  void (*add)(struct qx_loaded_image *image);
  void (*remove)(struct qx_loaded_image *image);
  void (*attach)(struct qx_loaded_image *image); /* gives this thread an arena in one image */
  struct qx_arena *(*prepare)(void);         /* an arena in each image for a thread to be started */
  void (*begin)(struct qx_arena *prepared);  /* in that thread */
  void (*cancel)(struct qx_arena *prepared); /* it was not started */
  void (*copies)(void);                      /* this process is about to be copied, as by fork() */
  void (*copied)(long result); /* in the copy (0) and in the process (its number, or -1) */
  void (*stranger)(void);      /* a thread begins that counts where another does */
  int (*flush)(void);
  void (*request)(struct qx_mark *mark, uint64_t frame);
  void (*request_done)(uint64_t frame);
  void (*feature)(const char *name, double value);
  uint64_t *(*recorder)(const struct qx_loaded_image *image, uint64_t *state, const void *record,
                        uint64_t first, uint64_t words);
  void (*call)(const struct qx_loaded_image *image, uint64_t *state, const void *record,
               uint64_t first, uint64_t cost);
};

QX_VISIBLE extern struct qx_registry __quincunx_registry;
/* False: another build of ours came first, of which nothing but this word is known. */
static inline bool qx_is_known(void) { return __quincunx_registry.version == QX_ABI_VERSION; }

#endif
