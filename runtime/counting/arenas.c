/* Arenas: where one thread counts what it does in one image. Instrumented code adds this thread's
 * distance (a thread-local word, 0 at first) to the address of a counter, so a thread without an
 * arena counts in the image's own section and never meets a null base. Threads get arenas where
 * they start (threads.c); position-independent code also asks on entry while its distance is 0,
 * which serves threads that are older than a dlopened image or come from an executable built
 * without the flag. It does not know what a counter means. */
#include "counting/counting.h"

#include "os/syscalls.h"

#include <pthread.h>
#include <sys/mman.h>

static pthread_key_t key; /* its value: the arenas this thread holds */
static bool key_gone;     /* its number may be the program's now */
static void (*on_join)(struct qx_arena *arena);
static void (*on_leave)(void);

struct qx_arena *qx_held_arenas(void) {
  return qx_ready && !key_gone && !qx_process.off ? pthread_getspecific(key) : NULL;
}

/* holds lock */ bool qx_map_arena(struct qx_arena *arena) {
  const struct {
    struct qx_raw_chunk chunk;
    struct qx_arena_start start;
  } head = {{QX_CHUNK_ARENA, 0, arena->bytes - sizeof head.chunk}, {arena->image->number, {0}}};
  void *memory = NULL;
  if (arena->image->number != qx_not_live)
    memory = qx_live_chunk(&head, sizeof head, arena->bytes, arena->memory);
  arena->live = memory != NULL;
  if (memory == NULL)
    qx_live_outside();
  if (memory == NULL)
    memory = qx_map_memory_at(arena->memory, arena->bytes);
  if (memory == NULL)
    return false;
  arena->memory = memory;
  arena->counters = (uint64_t *)((char *)memory + qx_arena_offset);
  return true;
}

/* ThreadSanitizer takes a thread for ended before its last destructors, where we lock; so it is
 * told by whom an arena was left and by whom it is taken. */
extern void __tsan_release(void *) __attribute__((weak));
extern void __tsan_acquire(void *) __attribute__((weak));

/* holds lock */ static void hand_on(struct qx_arena *arena, int leaver) {
  arena->next_held = NULL;
  arena->rounds = 0;
  arena->leaver = leaver;
  arena->copied = false;
  arena->next_free = arena->image->free_arenas;
  arena->image->free_arenas = arena;
}

/* holds lock */ static struct qx_arena *add_arena(struct qx_image_state *image, size_t bytes) {
  struct qx_arena *arena = qx_alloc_forever(sizeof *arena);
  if (arena == NULL)
    return NULL;
  arena->image = arena->recorders.image = image;
  arena->recorders.live = true;
  arena->bytes = bytes;
  if (image->state_bytes > 0 && (arena->state = qx_map_memory(image->state_bytes)) == NULL)
    return NULL;
  if (!qx_map_arena(arena))
    return NULL;
  arena->next = image->arenas;
  image->arenas = arena;
  ++image->arena_count;
  hand_on(arena, 0);
  return arena;
}

/* As many as there are already, so that the live file is rarely opened however many threads come:
 * while it is, the program can see a descriptor that is not its own. */
/* holds lock */ static void add_arenas(struct qx_image_state *image) {
  enum { most = 16, most_together = 1 << 16 };
  const size_t bytes =
      qx_whole_pages(qx_arena_offset + image->head.counter_count * sizeof(uint64_t));
  size_t n = image->arena_count < most ? image->arena_count : most;
  if (n > most_together / bytes)
    n = most_together / bytes;
  const struct qx_arena *arena;
  do
    arena = add_arena(image, bytes);
  while (arena != NULL && arena->live && n-- > 1);
}

/* Does nobody count there any more? A thread that left an arena counts in it to its very end; its
 * number may be that of a younger thread by now, and then the arena waits for that one's end. */
/* holds lock */ static bool is_quiet(struct qx_arena *arena) {
  if (arena->leaver != 0 && !call_is_thread(qx_process.pid, arena->leaver))
    arena->leaver = 0;
  return arena->leaver == 0;
}

/* Returns where the first free arena that is quiet is linked. */
/* holds lock */ static struct qx_arena **find_quiet(struct qx_image_state *image) {
  struct qx_arena **at = &image->free_arenas;
  while (*at != NULL && !is_quiet(*at))
    at = &(*at)->next_free;
  return at;
}

/* holds lock */ static struct qx_arena *take_arena(struct qx_image_state *image) {
  struct qx_arena **at = find_quiet(image);
  if (*at == NULL) {
    add_arenas(image);
    at = find_quiet(image);
  }
  struct qx_arena *arena = *at;
  if (arena == NULL) {
    qx_process.incomplete = true;
    qx_live_tell();
    qx_complain((const char *const[]){
        "no memory for a thread's counters; its counts may be too low", NULL});
    return NULL;
  }
  *at = arena->next_free;
  qx_renew_state(arena);
  if (__tsan_acquire)
    __tsan_acquire(arena);
  return arena;
}

/* This thread counts there from now on. */
/* holds lock */ static void hold(struct qx_arena *arena) {
  struct qx_loaded_image *loaded = arena->image->loaded;
  *loaded->delta() = (char *)arena->counters - (char *)loaded->counters;
  if (arena->state != NULL)
    *loaded->state_delta() = (char *)arena->state - (char *)loaded->state;
  if (key_gone)
    return;
  arena->next_held = pthread_getspecific(key);
  pthread_setspecific(key, arena);
}

/* holds lock */ void qx_attach_locked(struct qx_image_state *image) {
  struct qx_arena *arena;
  if (image != NULL && image->loaded != NULL && *image->loaded->delta() == 0 &&
      (arena = take_arena(image)) != NULL) {
    hold(arena);
    on_join(arena);
  }
}

/* takes lock */ void qx_attach(struct qx_loaded_image *image) {
  if (!qx_enter())
    return;
  if (!qx_is_copy()) {
    qx_lock();
    if (qx_ready)
      qx_attach_locked(image->known);
    qx_live_settle();
    qx_unlock();
  }
  qx_leave();
}

/* takes lock */ struct qx_arena *qx_prepare_thread(void) {
  struct qx_arena *prepared = NULL;
  if (qx_is_copy()) {
    qx_live_copy_lost();
    return NULL;
  }
  qx_lock();
  for (struct qx_image_state *i = qx_images; qx_ready && i != NULL; i = i->next) {
    struct qx_arena *arena = i->loaded != NULL ? take_arena(i) : NULL;
    if (arena == NULL)
      continue;
    arena->next_held = prepared;
    prepared = arena;
  }
  qx_live_settle();
  qx_unlock();
  return prepared;
}

/* Images may have come and gone since the arenas were prepared. */
/* takes lock */ void qx_begin_thread(struct qx_arena *prepared) {
  if (qx_is_copy())
    return;
  qx_lock();
  for (struct qx_arena *a = prepared, *next; a != NULL; a = next) {
    next = a->next_held;
    if (a->image->loaded != NULL && *a->image->loaded->delta() == 0)
      hold(a);
    else
      hand_on(a, 0);
  }
  for (struct qx_image_state *i = qx_images; qx_ready && i != NULL; i = i->next)
    qx_attach_locked(i);
  qx_live_settle();
  qx_unlock();
}

/* takes lock */ void qx_cancel_prepared(struct qx_arena *prepared) {
  if (prepared == NULL || qx_is_copy())
    return;
  qx_lock();
  for (struct qx_arena *a = prepared, *next; a != NULL; a = next) {
    next = a->next_held;
    hand_on(a, 0);
  }
  qx_unlock();
}

/* Runs when a thread ends. Other destructors may still run instrumented code, so it comes back
 * until the last round, and after that the thread counts where it did until it is gone. */
/* takes lock */ static void thread_ends(void *held) {
  struct qx_arena *first = held;
  if (++first->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(key, held);
    for (struct qx_arena *a = held; __tsan_release && a != NULL; a = a->next_held)
      __tsan_release(a);
    return;
  }
  qx_end_jump();
  qx_lock();
  for (struct qx_arena *a = held, *next; a != NULL; a = next) {
    next = a->next_held;
    hand_on(a, call_thread());
  }
  on_leave();
  qx_unlock();
}

/* Does this thread count there? */
/* holds lock */ static bool is_own(const struct qx_arena *a) {
  const struct qx_loaded_image *loaded = a->image->loaded;
  return loaded != NULL && *loaded->delta() == (char *)a->counters - (char *)loaded->counters;
}

/* Frames on the stack of this thread, which is the only one, know where its arenas are. */
/* holds lock */ void qx_keep_own_arenas(struct qx_image_state *image) {
  const struct qx_arena *held = key_gone ? NULL : pthread_getspecific(key);
  struct qx_arena *own = NULL;
  image->arena_count = 0;
  for (struct qx_arena *a = image->arenas, *next; a != NULL; a = next) {
    next = a->next;
    const struct qx_arena *h = held;
    while (h != NULL && h != a)
      h = h->next_held;
    if (h == NULL && !is_own(a)) {
      munmap(a->memory, a->bytes);
      qx_forget_recorders(&a->recorders);
    } else {
      a->next = own;
      own = a;
      ++image->arena_count;
    }
  }
  image->arenas = own;
  image->free_arenas = NULL;
}

/* holds lock */ uint64_t qx_count_at(const struct qx_image_state *image, size_t counter) {
  uint64_t sum = image->loaded != NULL ? image->loaded->counters[counter] : 0;
  for (const struct qx_arena *a = image->arenas; a != NULL; a = a->next)
    sum += a->counters[counter];
  return sum;
}

/* An arena in which no other thread counts, in the live file if `live`; NULL: there is none. */
/* holds lock */ static struct qx_arena *quiet_arena(const struct qx_image_state *image,
                                                     bool live) {
  for (struct qx_arena *a = image->arenas; a != NULL; a = a->next)
    if (is_own(a) && (a->live || !live))
      return a;
  struct qx_arena *a = image->free_arenas;
  while (a != NULL && !(is_quiet(a) && (a->live || !live)))
    a = a->next_free;
  return a;
}

/* holds lock */ static bool move_counts(uint64_t *from, const struct qx_arena *to, size_t n) {
  for (size_t c = 0; c < n; ++c) {
    if (from[c] == 0)
      continue;
    if (to == NULL)
      return false;
    to->counters[c] += from[c];
    from[c] = 0;
  }
  return true;
}

/* holds lock */ bool qx_is_section_empty(const struct qx_image_state *image) {
  const uint64_t *c = image->loaded != NULL ? image->loaded->counters : NULL;
  const uint64_t *const end = c != NULL ? c + image->head.counter_count : NULL;
  while (c != end && *c == 0)
    ++c;
  return c == end;
}

/* holds lock */ void qx_empty_section(struct qx_image_state *image) {
  if (qx_is_section_empty(image))
    return;
  struct qx_arena *to = quiet_arena(image, false);
  if (to == NULL && (to = take_arena(image)) != NULL)
    hand_on(to, 0);
  move_counts(image->loaded->counters, to, image->head.counter_count);
}

/* holds lock */ bool qx_gather_counts(struct qx_image_state *image) {
  const struct qx_arena *to = quiet_arena(image, true);
  const size_t n = image->head.counter_count;
  bool all = image->loaded == NULL || move_counts(image->loaded->counters, to, n);
  for (struct qx_arena *a = image->arenas; a != NULL; a = a->next)
    all = (a->live || move_counts(a->counters, to, n)) && all;
  return all;
}

/* holds lock */ void qx_release_arenas(struct qx_image_state *image) {
  if (key_gone)
    return;
  struct qx_arena *held = pthread_getspecific(key), **at = &held;
  while (*at != NULL) {
    struct qx_arena *arena = *at;
    if (arena->image != image) {
      at = &arena->next_held;
      continue;
    }
    *at = arena->next_held;
    hand_on(arena, 0);
  }
  pthread_setspecific(key, held);
}

/* holds lock */ bool qx_arenas_start(void (*joined)(struct qx_arena *arena), void (*left)(void)) {
  on_join = joined;
  on_leave = left;
  return pthread_key_create(&key, thread_ends) == 0;
}

void qx_arenas_end(void) {
  key_gone = true;
  pthread_key_delete(key);
}
