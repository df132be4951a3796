/* Images, arenas and threads. Instrumented code adds this thread's distance (a thread-local word, 0
 * at first) to the address of a counter, so a thread without an arena counts in the image's own
 * section and never meets a null base. Threads get arenas where they start: pthread_create and
 * thrd_create are interposed; position-independent code also asks on entry while its distance is 0,
 * which serves threads that are older than a dlopened image or come from an executable built
 * without the flag. It does not know what a counter means, and does no I/O. */
#include "calls.h"
#include "requests.h"
#include "runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <threads.h>

/* ---- this image ---- */

extern uint64_t __start___qx_cnts[] QX_HIDDEN __attribute__((weak));
extern uint64_t __stop___qx_cnts[] QX_HIDDEN __attribute__((weak));
extern uint64_t __start___qx_state[] QX_HIDDEN __attribute__((weak));
extern uint64_t __stop___qx_state[] QX_HIDDEN __attribute__((weak));
extern const unsigned char __start___qx_map[] QX_HIDDEN __attribute__((weak));
extern const unsigned char __stop___qx_map[] QX_HIDDEN __attribute__((weak));

QX_HIDDEN __thread int64_t qx_delta __asm__(QX_DELTA_SYMBOL)
    __attribute__((tls_model("initial-exec")));

QX_HIDDEN __thread int64_t qx_state_delta __asm__(QX_STATE_DELTA_SYMBOL)
    __attribute__((tls_model("initial-exec")));

/* What this thread has done, in block costs; only differences mean something. One for all images:
 * the first one's is everybody's. */
QX_VISIBLE __thread uint64_t qx_clock __asm__(QX_CLOCK_SYMBOL)
    __attribute__((tls_model("initial-exec")));

static int64_t *this_delta(void) { return &qx_delta; }
static int64_t *this_state_delta(void) { return &qx_state_delta; }
static uint64_t this_spill[QX_BLOCK_MOST];
static struct qx_loaded_image this_image = {.spill = this_spill};

/* ---- the registry; only the first copy's is used ---- */

struct qx_image_state *qx_images;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key; /* its value: the arenas this thread holds */
static bool key_gone;     /* its number may be the program's now */
static bool ready;
static bool ended;            /* the record stands */
static uint64_t total_at_end; /* of all counters */
static struct {               /* of the thread that holds the lock */
  sigset_t masked;
  int cancel, error;
} holder;

static __thread int inside __attribute__((tls_model("initial-exec")));

bool qx_enter(void) {
  if (inside != 0)
    return false;
  inside = 1;
  return true;
}

void qx_leave(void) { inside = 0; }

/* Signals wait while the lock is held: a handler may run instrumented code that needs an arena. So
 * do cancellations, and errno is left alone: we open files where the program opens none. */
void qx_lock(void) {
  static const sigset_t all = {{[0 ... sizeof(sigset_t) / sizeof(long) - 1] = ~0ul}};
  sigset_t old;
  int cancel, error = errno;
  ++inside;
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
  pthread_mutex_lock(&mutex);
  holder.masked = old;
  holder.cancel = cancel;
  holder.error = error;
}

void qx_unlock(void) {
  sigset_t old = holder.masked;
  int cancel = holder.cancel, error = holder.error;
  pthread_mutex_unlock(&mutex);
  pthread_setcancelstate(cancel, NULL);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  --inside;
  errno = error;
}

/* A copy of the process that clone() made without our knowledge. What is here is its parent's, and
 * the lock may be held by a thread that the copy does not have: to be asked before it is taken. */
bool qx_is_copy(void) { return qx_self.pid != 0 && qx_self.pid != call_pid(); }

struct qx_arena *qx_held_arenas(void) {
  return ready && !key_gone && !qx_self.off ? pthread_getspecific(key) : NULL;
}

/* ---- arenas ---- */

static bool map_arena(struct qx_arena *arena) {
  arena->live = qx_live_arena(arena);
  if (!arena->live && arena->memory == NULL)
    arena->memory = qx_map_memory(arena->bytes);
  else if (!arena->live)
    mmap(arena->memory, arena->bytes, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  arena->counters = (uint64_t *)((char *)arena->memory + qx_arena_offset);
  return arena->memory != NULL;
}

/* ThreadSanitizer takes a thread for ended before its last destructors, where we lock; so it is
 * told by whom an arena was left and by whom it is taken. */
extern void __tsan_release(void *) __attribute__((weak));
extern void __tsan_acquire(void *) __attribute__((weak));

static void hand_on(struct qx_arena *arena) {
  arena->next_held = NULL;
  arena->rounds = 0;
  arena->copied = false;
  arena->next_free = arena->image->free_arenas;
  arena->image->free_arenas = arena;
}

static struct qx_arena *add_arena(struct qx_image_state *image, size_t bytes) {
  struct qx_arena *arena = qx_keep(sizeof *arena);
  if (arena == NULL)
    return NULL;
  arena->image = arena->recorders.image = image;
  arena->recorders.live = true;
  arena->bytes = bytes;
  if (image->state_bytes > 0 && (arena->state = qx_map_memory(image->state_bytes)) == NULL)
    return NULL;
  if (!map_arena(arena))
    return NULL;
  arena->next = image->arenas;
  image->arenas = arena;
  ++image->arena_count;
  hand_on(arena);
  return arena;
}

/* As many as there are already, so that the live file is rarely opened however many threads come:
 * while it is, the program can see a descriptor that is not its own. */
static void add_arenas(struct qx_image_state *image) {
  enum { most = 16, most_together = 1 << 16 };
  const size_t page = getauxval(AT_PAGESZ);
  const size_t bytes =
      (qx_arena_offset + image->head.counter_count * sizeof(uint64_t) + page - 1) / page * page;
  size_t n = image->arena_count < most ? image->arena_count : most;
  if (n > most_together / bytes)
    n = most_together / bytes;
  const struct qx_arena *arena;
  do
    arena = add_arena(image, bytes);
  while (arena != NULL && arena->live && n-- > 1);
}

static struct qx_arena *take_arena(struct qx_image_state *image) {
  if (image->free_arenas == NULL)
    add_arenas(image);
  struct qx_arena *arena = image->free_arenas;
  if (arena == NULL) {
    qx_complain((const char *const[]){
        "no memory for a thread's counters; its counts may be too low", NULL});
    return NULL;
  }
  image->free_arenas = arena->next_free;
  if (__tsan_acquire)
    __tsan_acquire(arena);
  return arena;
}

/* This thread counts there from now on. */
static void hold(struct qx_arena *arena) {
  struct qx_loaded_image *loaded = arena->image->loaded;
  *loaded->delta() = (char *)arena->counters - (char *)loaded->counters;
  if (arena->state != NULL)
    *loaded->state_delta() = (char *)arena->state - (char *)loaded->state;
  if (key_gone)
    return;
  arena->next_held = pthread_getspecific(key);
  pthread_setspecific(key, arena);
}

static void attach_locked(struct qx_image_state *image) {
  struct qx_arena *arena;
  if (image != NULL && image->loaded != NULL && *image->loaded->delta() == 0 &&
      (arena = take_arena(image)) != NULL) {
    hold(arena);
    qx_request_joined(arena);
  }
}

static void attach(struct qx_loaded_image *image) {
  if (inside != 0 || qx_is_copy())
    return;
  qx_lock();
  if (ready)
    attach_locked(image->known);
  qx_live_settle();
  qx_unlock();
}

static struct qx_arena *prepare(void) {
  struct qx_arena *prepared = NULL;
  if (qx_is_copy())
    return NULL;
  qx_lock();
  for (struct qx_image_state *i = qx_images; ready && i != NULL; i = i->next) {
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
static void begin(struct qx_arena *prepared) {
  if (qx_is_copy())
    return;
  qx_lock();
  for (struct qx_arena *a = prepared, *next; a != NULL; a = next) {
    next = a->next_held;
    if (a->image->loaded != NULL && *a->image->loaded->delta() == 0)
      hold(a);
    else
      hand_on(a);
  }
  for (struct qx_image_state *i = qx_images; ready && i != NULL; i = i->next)
    attach_locked(i);
  qx_live_settle();
  qx_unlock();
}

static void give_up(struct qx_arena *prepared) {
  if (prepared == NULL || qx_is_copy())
    return;
  qx_lock();
  for (struct qx_arena *a = prepared, *next; a != NULL; a = next) {
    next = a->next_held;
    hand_on(a);
  }
  qx_unlock();
}

/* Runs when a thread ends. Other destructors may still run instrumented code, so it comes back
 * until the last round; what counts after that goes to the section. */
static void thread_ends(void *held) {
  struct qx_arena *first = held;
  if (++first->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(key, held);
    for (struct qx_arena *a = held; __tsan_release && a != NULL; a = a->next_held)
      __tsan_release(a);
    return;
  }
  qx_lock();
  for (struct qx_arena *a = held, *next; a != NULL; a = next) {
    next = a->next_held;
    if (a->image->loaded != NULL)
      *a->image->loaded->delta() = *a->image->loaded->state_delta() = 0;
    qx_renew_state(a);
    hand_on(a);
  }
  qx_requests_left();
  qx_simulated_left();
  qx_unlock();
}

/* ---- fork ---- */

/* Between these handlers run those of others, which may wait for threads that end or start some: no
 * lock that such threads need is held meanwhile, and the child finds things as another thread may
 * have left them. One fork at a time has the snapshots; another that meets it does without. */
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;
static pthread_t forker;
static bool forks; /* `forker` has the snapshots */

static struct start *spare_starts;

/* In a forked child all counts so far belong to the parent. The arenas may be shared with it
 * through the live file, so the child must not see them change: what it inherits is summed up
 * before the fork. */
static void fork_prepare(void) {
  if (qx_is_copy() || pthread_mutex_trylock(&forking) != 0)
    return;
  qx_lock();
  forker = pthread_self();
  forks = true;
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next) {
    const size_t n = i->head.counter_count;
    i->snapshot = i->loaded != NULL ? qx_map_memory(n * sizeof(uint64_t)) : NULL;
    for (size_t c = 0; i->snapshot != NULL && c < n; ++c) {
      uint64_t sum = i->loaded->counters[c] + (i->inherited != NULL ? i->inherited[c] : 0);
      for (const struct qx_arena *a = i->arenas; a != NULL; a = a->next)
        sum += a->counters[c];
      if (sum != 0)
        i->snapshot[c] = sum;
    }
  }
  qx_unlock();
}

static void drop_counters(uint64_t **counters, size_t n) {
  if (*counters != NULL)
    munmap(*counters, n * sizeof(uint64_t));
  *counters = NULL;
}

static void drop_snapshots(void) {
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    drop_counters(&i->snapshot, i->head.counter_count);
  forks = false;
}

static void fork_parent(void) {
  if (qx_is_copy())
    return;
  qx_lock();
  const bool mine = forks && pthread_equal(forker, pthread_self());
  if (mine)
    drop_snapshots();
  qx_unlock();
  if (mine)
    pthread_mutex_unlock(&forking);
}

/* Keeps the arenas of this thread, which is the only one: frames on its stack know where they are.
 */
static void keep_own_arenas(struct qx_image_state *image) {
  if (key_gone)
    return; /* who holds which is not known any more */
  const struct qx_arena *held = pthread_getspecific(key);
  struct qx_arena *own = NULL;
  image->arena_count = 0;
  for (struct qx_arena *a = image->arenas, *next; a != NULL; a = next) {
    next = a->next;
    const struct qx_arena *h = held;
    while (h != NULL && h != a)
      h = h->next_held;
    if (h == NULL) {
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

static void begin_again(struct qx_image_state *image) {
  drop_counters(&image->inherited, image->head.counter_count);
  image->inherited = image->snapshot;
  image->snapshot = NULL;
  keep_own_arenas(image);
  if (image->loaded != NULL)
    for (size_t c = 0; c < image->head.counter_count; ++c)
      if (image->loaded->counters[c] != 0)
        image->loaded->counters[c] = 0;
  qx_live_image(image);
  qx_forget_blocks(image);
  qx_renew_recorders(&image->recorders);
  for (struct qx_arena *a = image->arenas; a != NULL; a = a->next) {
    map_arena(a);
    qx_renew_recorders(&a->recorders);
  }
}

static void fork_child(void) {
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  mutex = forking = fresh;
  spare_starts = NULL;
  qx_keep_afresh();
  qx_lock();
  if (!forks || !pthread_equal(forker, pthread_self()))
    drop_snapshots();
  forks = false;
  qx_forked();
  qx_live_forget();
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    begin_again(i);
  qx_requests_forked();
  qx_live_settle();
  qx_unlock();
}

/* ---- images ---- */

/* The state of an image that is loaded now: that of an earlier time, if it was unloaded since. */
static struct qx_image_state *state_of(struct qx_loaded_image *loaded, const struct qx_image *head,
                                       const char *path) {
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    if (i->loaded == NULL && memcmp(&i->head, head, sizeof *head) == 0 &&
        strcmp(i->path, path) == 0)
      return i;
  struct qx_image_state *image = qx_keep(sizeof *image + head->path_length + 1);
  if (image == NULL)
    return NULL;
  image->head = *head;
  image->recorders.image = image;
  image->state_bytes = (size_t)((char *)loaded->state_end - (char *)loaded->state);
  memcpy(image->path, path, head->path_length + 1);
  if (qx_self.embed)
    image->map = loaded->map;
  qx_live_image(image);
  image->next = qx_images;
  qx_images = image;
  return image;
}

static void add_image(struct qx_loaded_image *loaded) {
  if (ready && qx_is_copy())
    return;
  qx_lock();
  if (!ready) {
    qx_start();
    if (pthread_key_create(&key, thread_ends) == 0 &&
        pthread_atfork(fork_prepare, fork_parent, fork_child) == 0)
      ready = true;
  }
  qx_unlock();
  /* The dynamic linker's lock is not waited for with ours held: who has it may wait for us. */
  struct qx_image head = {0};
  char path[PATH_MAX];
  qx_describe(loaded, &head, path);
  qx_lock();
  loaded->known = state_of(loaded, &head, path);
  if (loaded->known != NULL) {
    loaded->known->loaded = loaded;
    if (ready)
      attach_locked(loaded->known);
  }
  qx_live_settle();
  qx_unlock();
}

static uint64_t total(void) {
  uint64_t sum = 0;
  for (const struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    for (size_t c = 0; c < i->head.counter_count; ++c) {
      sum += i->loaded != NULL ? i->loaded->counters[c] : 0;
      for (const struct qx_arena *a = i->arenas; a != NULL; a = a->next)
        sum += a->counters[c];
    }
  return sum;
}

static void end(void) {
  if (qx_self.off)
    return;
  if (qx_images != NULL && qx_images->next != NULL)
    total_at_end = total();
  const int why = qx_write_record(false);
  ended = why == 0;
  if (ended)
    qx_live_remove();
  else if (!qx_live_close())
    qx_complain_of_record(why);
}

/* The code is about to go: what it counted in its own section goes to an arena. Nobody counts in
 * its arenas any more; those of this thread can be handed on at once, others when their threads
 * end. */
static void retire(struct qx_image_state *image) {
  struct qx_loaded_image *loaded = image->loaded;
  for (size_t c = 0; c < image->head.counter_count; ++c) {
    if (loaded->counters[c] == 0)
      continue;
    if (image->arenas == NULL) {
      struct qx_arena *arena = take_arena(image);
      if (arena == NULL)
        break;
      hand_on(arena);
    }
    image->arenas->counters[c] += loaded->counters[c];
    loaded->counters[c] = 0;
  }
  for (struct qx_arena *a = image->arenas; a != NULL; a = a->next)
    qx_renew_state(a); /* spilled words go with the image */
  if (image->map != NULL) {
    void *copy = qx_map_memory(image->head.map_size);
    image->map = copy != NULL ? memcpy(copy, image->map, image->head.map_size) : NULL;
  }
  struct qx_arena *held = key_gone ? NULL : pthread_getspecific(key), **at = &held;
  while (*at != NULL) {
    struct qx_arena *arena = *at;
    if (arena->image != image) {
      at = &arena->next_held;
      continue;
    }
    *at = arena->next_held;
    hand_on(arena);
  }
  if (!key_gone)
    pthread_setspecific(key, held);
  image->loaded = NULL;
}

static void remove_image(struct qx_loaded_image *loaded) {
  if (qx_is_copy()) {
    if (loaded->known != NULL)
      loaded->known->loaded = NULL;
    return;
  }
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

static int flush(void) {
  if (qx_is_copy())
    return -1;
  qx_lock();
  const bool stands =
      ready && !ended && !qx_self.off && (qx_live_flush() || qx_write_record(true) == 0);
  qx_unlock();
  return stands ? 0 : -1;
}

QX_VISIBLE struct qx_registry __quincunx_registry = {
    QX_ABI_VERSION, add_image,  remove_image,    attach,     prepare,     begin,  give_up,
    flush,          qx_request, qx_request_done, qx_feature, qx_recorder, qx_call};

/* Of another build of ours, which came first, nothing but this word is known. */
static bool is_known(void) { return __quincunx_registry.version == QX_ABI_VERSION; }

/* ---- hooks ---- */

/* Called by position-independent code while its distance is 0. */
QX_HIDDEN void __quincunx_attach(void) {
  if (is_known())
    __quincunx_registry.attach(&this_image);
}

QX_HIDDEN int __quincunx_flush(void) { return is_known() ? __quincunx_registry.flush() : -1; }

/* Called by marked functions on entry and on their ways out. */
QX_HIDDEN void __quincunx_request(struct qx_mark *mark, const void *frame) {
  if (is_known())
    __quincunx_registry.request(mark, (uintptr_t)frame);
}

QX_HIDDEN void __quincunx_request_done(const void *frame) {
  if (is_known())
    __quincunx_registry.request_done((uintptr_t)frame);
}

QX_HIDDEN void __quincunx_feature(const char *name, double value) {
  if (is_known())
    __quincunx_registry.feature(name, value);
}

/* An image that is not recorded counts nothing either. */
uint64_t *qx_ask_recorder(uint64_t *state, const void *record, uint64_t first, uint64_t words) {
  if (is_known())
    return __quincunx_registry.recorder(&this_image, state, record, first, words);
  *state = (uint64_t)this_spill;
  return this_spill;
}

void qx_ask_call(uint64_t *state, const void *record, uint64_t first, uint64_t cost) {
  if (is_known())
    __quincunx_registry.call(&this_image, state, record, first, cost);
  else if (state[QX_CALL_BLOCK] == 0)
    state[QX_CALL_BLOCK] = (uint64_t)this_spill, state[QX_CALL_READY] = QX_CALL_BUCKETS;
}

typedef int create_posix(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern create_posix __interceptor_pthread_create __attribute__((weak)); /* sanitizers */
extern create_posix __pthread_create __attribute__((weak));             /* static libc */
/* In a static program our pthread_create keeps libc's from being linked; this brings it along. */
__attribute__((used)) static int (*const needs_threads)(mqd_t, const struct sigevent *) = mq_notify;

/* Looked up once, when the image is loaded: dlsym waits for a dlopen under way in another thread,
 * which may wait for the thread that is to be made, and it forgets the program's dlerror. */
static create_posix *real_create(void) {
  static create_posix *known;
  create_posix *real = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (real == NULL) {
    real = __interceptor_pthread_create ? __interceptor_pthread_create
           : __pthread_create           ? __pthread_create
                                        : (create_posix *)dlsym(RTLD_NEXT, "pthread_create");
    __atomic_store_n(&known, real, __ATOMIC_RELAXED);
  }
  return real;
}

__attribute__((constructor(101))) static void image_loaded(void) {
  if (&__start___qx_cnts[0] == &__stop___qx_cnts[0])
    return;
  this_image.counters = __start___qx_cnts;
  this_image.counters_end = __stop___qx_cnts;
  this_image.state = __start___qx_state;
  this_image.state_end = __stop___qx_state;
  this_image.map = __start___qx_map;
  this_image.map_end = __stop___qx_map;
  this_image.delta = this_delta;
  this_image.state_delta = this_state_delta;
  real_create();
  if (!is_known()) {
    qx_know_stderr();
    qx_complain((const char *const[]){
        "another image brought a runtime of another version; this one is not recorded", NULL});
    return;
  }
  __quincunx_registry.add(&this_image);
}

/* Priority 101 runs last: static destructors and atexit handlers still count. The copy whose
 * registry is in use writes the record; at exit that is the executable's, before libraries are
 * unloaded. */
__attribute__((destructor(101))) static void image_unloaded(void) {
  if (ready) {
    if (!qx_is_copy()) { /* which cannot tell its counts from its parent's */
      qx_requests_close();
      qx_lock();
      end();
      key_gone = true;
      qx_unlock();
    }
    pthread_key_delete(key);
  } else if (this_image.delta != NULL && is_known()) {
    __quincunx_registry.remove(&this_image);
  }
}

struct start {
  void *(*run)(void *);
  int (*run_c11)(void *);
  void *argument;
  struct qx_arena *arenas;
  struct start *next;
};
static struct start *new_start(void) {
  qx_lock();
  struct start *s = spare_starts;
  if (s != NULL)
    spare_starts = s->next;
  else
    s = qx_keep(sizeof *s);
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
  if (is_known())
    __quincunx_registry.begin(s.arenas);
  return s.run != NULL ? s.run(s.argument) : (void *)(intptr_t)s.run_c11(s.argument);
}

static int create(pthread_t *thread, const pthread_attr_t *attr, struct start what) {
  create_posix *real = real_create();
  struct start *s = real != NULL ? new_start() : NULL;
  if (s == NULL) /* without memory the thread counts nowhere, but it starts */
    return real != NULL && what.run != NULL ? real(thread, attr, what.run, what.argument) : ENOMEM;
  *s = what;
  s->arenas = is_known() ? __quincunx_registry.prepare() : NULL;
  struct qx_arena *prepared = s->arenas;
  int failed = real(thread, attr, thread_begins, s);
  if (failed) {
    free_start(s);
    if (is_known())
      __quincunx_registry.give_up(prepared);
  }
  return failed;
}

QX_VISIBLE int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
                              void *(*run)(void *), void *restrict argument) {
  return create(thread, attr, (struct start){run, NULL, argument, NULL, NULL});
}

/* In glibc a C11 thread is a POSIX thread whose result is an int. */
QX_VISIBLE int thrd_create(thrd_t *thread, thrd_start_t run, void *argument) {
  int failed = create(thread, NULL, (struct start){NULL, run, argument, NULL, NULL});
  return failed == 0 ? thrd_success : failed == ENOMEM ? thrd_nomem : thrd_error;
}
