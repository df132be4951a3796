/* Images, arenas and threads. Instrumented code adds this thread's distance (a thread-local word, 0
 * at first) to the address of a counter, so a thread without an arena counts in the image's own
 * section and never meets a null base. Threads get arenas where they start: pthread_create and
 * thrd_create are interposed; position-independent code also asks on entry while its distance is 0,
 * which serves threads that are older than a dlopened image or come from an executable built
 * without the flag. It does not know what a counter means, and does no I/O. */
#define _GNU_SOURCE
#include "runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <threads.h>

/* ---- this image ---- */

extern uint64_t __start___qx_cnts[] QX_HIDDEN __attribute__((weak));
extern uint64_t __stop___qx_cnts[] QX_HIDDEN __attribute__((weak));
extern const unsigned char __start___qx_map[] QX_HIDDEN __attribute__((weak));
extern const unsigned char __stop___qx_map[] QX_HIDDEN __attribute__((weak));

QX_HIDDEN __thread int64_t qx_delta __asm__(QX_DELTA_SYMBOL)
    __attribute__((tls_model("initial-exec")));

static int64_t *this_delta(void) { return &qx_delta; }
static struct qx_loaded_image this_image;

/* ---- the registry; only the first copy's is used ---- */

struct qx_state qx_state;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sigset_t masked;   /* of the thread that holds the lock */
static pthread_key_t key; /* its value: the arenas this thread holds */
static bool ready;

/* Signals wait while the lock is held: a handler may run instrumented code that needs an arena. */
void qx_lock(void) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_mutex_lock(&mutex);
  masked = old;
}

void qx_unlock(void) {
  sigset_t old = masked;
  pthread_mutex_unlock(&mutex);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static size_t counter_bytes(const struct qx_loaded_image *image) {
  return (size_t)((char *)image->counters_end - (char *)image->counters);
}

static struct qx_arena *take_arena(struct qx_loaded_image *image) {
  struct qx_arena *arena = image->free_arenas;
  if (arena != NULL) {
    image->free_arenas = arena->next_free;
    return arena;
  }
  size_t bytes = sizeof *arena + counter_bytes(image);
  arena = qx_map_memory(bytes);
  if (arena == NULL) {
    qx_complain("no memory for a thread's counters; its counts may be too low", "");
    return NULL;
  }
  arena->bytes = bytes;
  arena->image = image;
  arena->next = image->arenas;
  image->arenas = arena;
  return arena;
}

static void attach_locked(struct qx_loaded_image *image) {
  int64_t *delta = image->delta();
  struct qx_arena *arena;
  if (*delta != 0 || image->counters == image->counters_end || (arena = take_arena(image)) == NULL)
    return;
  *delta = (char *)arena->counters - (char *)image->counters;
  arena->next_held = pthread_getspecific(key);
  pthread_setspecific(key, arena);
}

static void attach(struct qx_loaded_image *image) {
  int saved = errno;
  qx_lock();
  if (ready)
    attach_locked(image);
  qx_unlock();
  errno = saved;
}

static void attach_all(void) {
  int saved = errno;
  qx_lock();
  for (struct qx_loaded_image *i = qx_state.images; i != NULL; i = i->next)
    attach_locked(i);
  qx_unlock();
  errno = saved;
}

/* Runs when a thread ends. Other destructors may still run instrumented code, so it comes back
 * until the last round; what counts after that goes to the section. */
static void thread_ends(void *held) {
  struct qx_arena *first = held;
  if (++first->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(key, held);
    return;
  }
  qx_lock();
  for (struct qx_arena *a = held, *next; a != NULL; a = next) {
    next = a->next_held;
    if (a->image == NULL) { /* its image was unloaded */
      munmap(a, a->bytes);
      continue;
    }
    *a->image->delta() = 0;
    a->next_held = NULL;
    a->rounds = 0;
    a->next_free = a->image->free_arenas;
    a->image->free_arenas = a;
  }
  qx_unlock();
}

/* In a forked child all counts so far belong to the parent, and this thread is the only one. */
static void keep_inherited(struct qx_loaded_image *image) {
  size_t n = (size_t)(image->counters_end - image->counters);
  if (image->inherited == NULL && n > 0)
    image->inherited = qx_map_memory(n * sizeof(uint64_t));
  uint64_t *mine = (uint64_t *)((char *)image->counters + *image->delta());
  image->free_arenas = NULL;
  for (struct qx_arena *a = image->arenas; a != NULL; a = a->next) {
    for (size_t i = 0; i < n; ++i) {
      if (image->inherited != NULL)
        image->inherited[i] += a->counters[i];
      if (a->counters[i] != 0)
        a->counters[i] = 0;
    }
    if (a->counters != mine) {
      a->next_free = image->free_arenas;
      image->free_arenas = a;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    if (image->inherited != NULL)
      image->inherited[i] += image->counters[i];
    image->counters[i] = 0;
  }
}

static void fork_child(void) {
  for (struct qx_loaded_image *i = qx_state.images; i != NULL; i = i->next)
    keep_inherited(i);
  qx_forked();
  qx_unlock();
}

static void add_image(struct qx_loaded_image *image) {
  qx_lock();
  if (!ready) {
    qx_start();
    if (pthread_key_create(&key, thread_ends) == 0 &&
        pthread_atfork(qx_lock, qx_unlock, fork_child) == 0)
      ready = true;
  }
  image->next = qx_state.images;
  qx_state.images = image;
  if (ready)
    attach_locked(image);
  qx_unlock();
}

static void remove_image(struct qx_loaded_image *image) {
  qx_lock();
  struct qx_loaded_image **at = &qx_state.images;
  while (*at != NULL && *at != image)
    at = &(*at)->next;
  if (*at == image) {
    qx_retire(image);
    *at = image->next;
    for (struct qx_arena *a = image->arenas; a != NULL; a = a->next)
      a->image = NULL;
  }
  qx_unlock();
}

QX_VISIBLE struct qx_registry __quincunx_registry = {QX_ABI_VERSION, add_image, remove_image,
                                                     attach, attach_all};

/* ---- hooks ---- */

/* Called by position-independent code while its distance is 0. */
QX_HIDDEN void __quincunx_attach(void) { __quincunx_registry.attach(&this_image); }

__attribute__((constructor(101))) static void image_loaded(void) {
  if (&__start___qx_cnts[0] == &__stop___qx_cnts[0])
    return;
  this_image.counters = __start___qx_cnts;
  this_image.counters_end = __stop___qx_cnts;
  this_image.map = __start___qx_map;
  this_image.map_end = __stop___qx_map;
  this_image.delta = this_delta;
  if (__quincunx_registry.version != QX_ABI_VERSION) {
    qx_complain("another image brought a runtime of another version; this one is not recorded", "");
    return;
  }
  __quincunx_registry.add(&this_image);
}

/* Priority 101 runs last: static destructors and atexit handlers still count. The copy whose
 * registry is in use writes the record; at exit that is the executable's, before libraries are
 * unloaded. */
__attribute__((destructor(101))) static void image_unloaded(void) {
  if (ready) {
    qx_write_record();
    pthread_key_delete(key);
  } else if (this_image.delta != NULL && __quincunx_registry.version == QX_ABI_VERSION) {
    __quincunx_registry.remove(&this_image);
  }
}

struct start {
  void *(*run)(void *);
  int (*run_c11)(void *);
  void *argument;
  struct start *next;
};
static struct start *spare_starts;

static struct start *new_start(void) {
  qx_lock();
  if (spare_starts == NULL) {
    enum { count = 4096 / sizeof(struct start) };
    struct start *page = qx_map_memory(count * sizeof *page);
    for (int i = 0; page != NULL && i < count; ++i) {
      page[i].next = spare_starts;
      spare_starts = &page[i];
    }
  }
  struct start *s = spare_starts;
  if (s != NULL)
    spare_starts = s->next;
  qx_unlock();
  return s;
}

static struct start free_start(struct start *s) {
  struct start copy = *s;
  qx_lock();
  s->next = spare_starts;
  spare_starts = s;
  qx_unlock();
  return copy;
}

static void *thread_begins(void *argument) {
  struct start s = free_start(argument);
  __quincunx_registry.attach_all();
  return s.run != NULL ? s.run(s.argument) : (void *)(intptr_t)s.run_c11(s.argument);
}

typedef int create_posix(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern create_posix __interceptor_pthread_create __attribute__((weak)); /* sanitizers */
extern create_posix __pthread_create __attribute__((weak));             /* static libc */
/* In a static program our pthread_create keeps libc's from being linked; this brings it along. */
__attribute__((used)) static int (*const needs_threads)(mqd_t, const struct sigevent *) = mq_notify;

static int create(pthread_t *thread, const pthread_attr_t *attr, struct start what) {
  create_posix *real = __interceptor_pthread_create ? __interceptor_pthread_create
                       : __pthread_create ? __pthread_create
                                          : (create_posix *)dlsym(RTLD_NEXT, "pthread_create");
  struct start *s = real != NULL ? new_start() : NULL;
  if (s == NULL)
    return EAGAIN;
  *s = what;
  int failed = real(thread, attr, thread_begins, s);
  if (failed)
    free_start(s);
  return failed;
}

QX_VISIBLE int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
                              void *(*run)(void *), void *restrict argument) {
  return create(thread, attr, (struct start){run, NULL, argument, NULL});
}

/* In glibc a C11 thread is a POSIX thread whose result is an int. */
QX_VISIBLE int thrd_create(thrd_t *thread, thrd_start_t run, void *argument) {
  int failed = create(thread, NULL, (struct start){NULL, run, argument, NULL});
  return failed == 0 ? thrd_success : failed == ENOMEM ? thrd_nomem : thrd_error;
}
