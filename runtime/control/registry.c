/* The registry: the images that are loaded or were, and the record at the end. All copies of the
 * runtime in a process use that of the first one. It does no I/O of its own. */
#include "control/control.h"

#include <string.h>

/* under lock */ static bool ended;            /* the record stands */
/* under lock */ static uint64_t total_at_end; /* of all counters */

/* The state of an image that is loaded now: that of an earlier time, if it was unloaded since. */
/* holds lock */ static struct qx_image_state *
state_of(struct qx_loaded_image *loaded, const struct qx_image *head, const char *path) {
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    if (i->loaded == NULL && memcmp(&i->head, head, sizeof *head) == 0 &&
        strcmp(i->path, path) == 0)
      return i;
  struct qx_image_state *image = qx_alloc_forever(sizeof *image + head->path_length + 1);
  if (image == NULL)
    return NULL;
  image->head = *head;
  image->recorders.image = image;
  image->state_bytes = (size_t)((char *)loaded->state_end - (char *)loaded->state);
  memcpy(image->path, path, head->path_length + 1);
  if (qx_process.embed)
    image->map = loaded->map;
  qx_live_image(image);
  image->next = qx_images;
  qx_images = image;
  return image;
}

/* Gives back what a thread had that ends. */
/* holds lock */ static void thread_left(void) {
  qx_requests_left();
  qx_simulated_left();
}

/* takes lock */ static void add_image(struct qx_loaded_image *loaded) {
  if (qx_ready && qx_is_copy())
    return;
  qx_lock();
  if (!qx_ready) {
    qx_process_start();
    qx_ready = qx_arenas_start(qx_request_joined, thread_left) && qx_watch_forks();
  }
  qx_unlock();
  /* The dynamic linker's lock is not waited for with ours held: who has it may wait for us. */
  struct qx_image head = {0};
  char path[PATH_MAX];
  qx_describe_image(loaded, &head, path);
  qx_lock();
  if (loaded->known == NULL)
    loaded->known = state_of(loaded, &head, path);
  if (loaded->known != NULL) {
    loaded->known->loaded = loaded;
    if (qx_ready)
      qx_attach_locked(loaded->known);
    /* Functions that ran before, or began before, counted in the section. */
    if (qx_ready)
      qx_empty_section(loaded->known);
  }
  qx_live_settle();
  qx_unlock();
}

/* holds lock */ static uint64_t total(void) {
  uint64_t sum = 0;
  for (const struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    for (size_t c = 0; c < i->head.counter_count; ++c)
      sum += qx_count_at(i, c);
  return sum;
}

/* holds lock */ static void meet_strangers(void) {
  qx_process.incomplete = true;
  qx_live_tell();
  qx_complain((const char *const[]){
      "threads that did not begin in pthread_create count in one place; some of it may be missing",
      NULL});
}

/* Threads of which nobody told us count in the section, and may have met there. */
/* holds lock */ static void look_for_strangers(void) {
  for (const struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    if (!qx_is_section_empty(i))
      meet_strangers();
}

/* takes lock */ static void stranger(void) {
  if (qx_is_copy())
    return;
  qx_lock();
  meet_strangers();
  qx_unlock();
}

/* Writes the record; where that fails, the live file is it. */
/* holds lock */ static void conclude(void) {
  if (qx_process.off)
    return;
  look_for_strangers();
  qx_live_tell(); /* and hears what copies told */
  if (qx_images != NULL && qx_images->next != NULL)
    total_at_end = total();
  const int why = qx_write_record(false);
  ended = why == 0;
  if (ended)
    qx_live_remove();
  else
    qx_close_live_file(why);
}

/* takes lock */ bool qx_end(void) {
  if (!qx_ready)
    return false;
  if (qx_is_copy()) { /* which cannot tell its counts from its parent's */
    qx_arenas_end();
    return true;
  }
  qx_requests_close();
  qx_end_jump();
  qx_lock();
  conclude();
  qx_arenas_end();
  qx_unlock();
  return true;
}

/* The code is about to go. Nobody counts in its arenas any more; those of this thread can be handed
 * on at once, others when their threads end. */
/* holds lock */ static void retire(struct qx_image_state *image) {
  qx_empty_section(image);
  for (struct qx_arena *a = image->arenas; a != NULL; a = a->next)
    qx_renew_state(a); /* spilled words go with the image */
  if (image->map != NULL) {
    void *copy = qx_map_memory(image->head.map_size);
    image->map = copy != NULL ? memcpy(copy, image->map, image->head.map_size) : NULL;
  }
  qx_release_arenas(image);
  image->loaded = NULL;
}

/* takes lock */ static void remove_image(struct qx_loaded_image *loaded) {
  if (qx_is_copy()) {
    if (loaded->known != NULL)
      loaded->known->loaded = NULL;
    return;
  }
  qx_end_jump();
  qx_lock();
  if (loaded->known != NULL && loaded->known->loaded == loaded) {
    retire(loaded->known);
    /* Destructors of libraries run after the executable's, which wrote the record. */
    if (ended && total() != total_at_end) {
      total_at_end = total();
      qx_write_record(false);
    }
  }
  qx_live_settle();
  qx_unlock();
}

/* takes lock */ static int flush(void) {
  if (qx_is_copy())
    return -1;
  qx_end_jump();
  qx_lock();
  const bool stands =
      qx_ready && !ended && !qx_process.off && (qx_flush_live_file() || qx_write_record(true) == 0);
  qx_unlock();
  return stands ? 0 : -1;
}

QX_VISIBLE struct qx_registry __quincunx_registry = {
    QX_ABI_VERSION,  add_image,          remove_image,    qx_attach,  qx_prepare_thread,
    qx_begin_thread, qx_cancel_prepared, qx_copies,       qx_copied,  stranger,
    flush,           qx_request,         qx_request_done, qx_feature, qx_find_recorder,
    qx_record_call};
