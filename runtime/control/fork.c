/* fork: what the child inherits is its parent's, and each counts for itself from then on; so it is
 * for copies that instrumented code makes by other calls, but not for those of other code, which
 * are not noticed. It writes no record. */
#include "control/control.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Between these handlers run those of others, which may wait for threads that end or start some: no
 * lock that such threads need is held meanwhile, and the child finds things as another thread may
 * have left them. One fork at a time has the snapshots; another that meets it does without. */
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;
/* under lock */ static pthread_t forker;
/* under lock */ static bool forks; /* `forker` has the snapshots */

/* Handlers of the parent are called after a fork that failed, too, and only errno tells. */
static __thread int error_before __attribute__((tls_model("initial-exec")));

/* Sums up, before the fork, what the child inherits: all counts so far belong to the parent, and
 * the arenas may be shared with it through the live file, so the child must not see them change. */
/* takes lock */ static void take_snapshots(void) {
  if (pthread_mutex_trylock(&forking) != 0)
    return;
  qx_lock();
  forker = pthread_self();
  forks = true;
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next) {
    const size_t n = i->head.counter_count;
    i->snapshot = i->loaded != NULL ? qx_map_memory(n * sizeof(uint64_t)) : NULL;
    for (size_t c = 0; i->snapshot != NULL && c < n; ++c) {
      const uint64_t sum = qx_count_at(i, c) + (i->inherited != NULL ? i->inherited[c] : 0);
      if (sum != 0)
        i->snapshot[c] = sum;
    }
  }
  qx_unlock();
}

/* takes lock */ static void fork_prepare(void) {
  if (qx_is_copy())
    return;
  take_snapshots();
  error_before = errno;
  errno = 0;
}

static void drop_counters(uint64_t **counters, size_t n) {
  if (*counters != NULL)
    munmap(*counters, n * sizeof(uint64_t));
  *counters = NULL;
}

/* holds lock */ static void drop_snapshots(void) {
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    drop_counters(&i->snapshot, i->head.counter_count);
  forks = false;
}

/* takes lock */ static void fork_parent(void) {
  if (qx_is_copy())
    return;
  const bool failed = errno != 0;
  if (!failed)
    errno = error_before;
  qx_lock();
  qx_process.forked += !failed;
  qx_live_tell();
  const bool mine = forks && pthread_equal(forker, pthread_self());
  if (mine)
    drop_snapshots();
  qx_unlock();
  if (mine)
    pthread_mutex_unlock(&forking);
}

/* holds lock */ static void begin_again(struct qx_image_state *image) {
  drop_counters(&image->inherited, image->head.counter_count);
  image->inherited = image->snapshot;
  image->snapshot = NULL;
  qx_keep_own_arenas(image);
  if (image->loaded != NULL)
    for (size_t c = 0; c < image->head.counter_count; ++c)
      if (image->loaded->counters[c] != 0)
        image->loaded->counters[c] = 0;
  qx_live_image(image);
  qx_forget_blocks(image);
  qx_renew_recorders(&image->recorders);
  for (struct qx_arena *a = image->arenas; a != NULL; a = a->next) {
    qx_map_arena(a);
    qx_renew_recorders(&a->recorders);
  }
}

/* takes lock */ static void fork_child(void) {
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  errno = error_before;
  forking = fresh;
  qx_jump.target = 0; /* that call is the parent's */
  qx_lock_reset_in_child();
  qx_lock();
  qx_starts_reset_in_child();
  qx_alloc_reset_in_child();
  if (!forks || !pthread_equal(forker, pthread_self()))
    drop_snapshots();
  forks = false;
  qx_process_reset_in_child();
  qx_live_reset_in_child();
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    begin_again(i);
  qx_requests_reset_in_child();
  qx_strands_reset_in_child();
  qx_live_settle();
  qx_unlock();
}

/* takes lock */ void qx_copies(void) {
  if (qx_ready)
    fork_prepare();
}

/* takes lock */ void qx_copied(long result) {
  if (qx_ready && result == 0)
    fork_child();
  else if (qx_ready)
    fork_parent();
}

bool qx_watch_forks(void) { return pthread_atfork(fork_prepare, fork_parent, fork_child) == 0; }

/* ---- copies without fork() ---- */

/* Libc tells nobody of them. The registry may be that of another copy of the runtime. A thread that
 * clone() makes counts with the one that made it, which is said. */

/* takes lock */ static void copies(void) {
  if (qx_is_known())
    __quincunx_registry.copies();
}

/* takes lock */ static long copied(long result) {
  if (qx_is_known())
    __quincunx_registry.copied(result);
  return result;
}

/* takes lock */ QX_HIDDEN pid_t __quincunx_fork(pid_t (*real)(void)) {
  copies();
  return (pid_t)copied(real());
}

/* Their callers give as many arguments as they like; what they do not give has no meaning. */

/* takes lock */ QX_HIDDEN long __quincunx_syscall(long number, long a, long b, long c, long d,
                                                   long e, long f) {
  /* With memory in common it is a thread, or a child for which its parent waits; without arguments
   * a question whether there is such a call. */
  const bool asks = number == SYS_clone3 && (a == 0 || b < (long)sizeof(uint64_t));
  const uint64_t flags = number == SYS_clone3 && !asks ? *(const uint64_t *)a
                         : number == SYS_clone         ? (uint64_t)a
                                                       : 0;
  if (asks || (flags & (CLONE_VM | CLONE_SETTLS)))
    return syscall(number, a, b, c, d, e, f);
  copies();
  return copied(syscall(number, a, b, c, d, e, f));
}

struct call {
  int (*run)(void *);
  void *argument;
};

/* takes lock */ static int runs(void *call) {
  const struct call c = *(const struct call *)call; /* the copy has all memory of the process */
  copied(0);
  return c.run(c.argument);
}

/* takes lock */ QX_HIDDEN int __quincunx_clone(int (*run)(void *), void *stack, int flags,
                                                void *argument, void *a, void *b, void *c) {
  if (flags & (CLONE_VM | CLONE_SETTLS)) {
    if (!(flags & CLONE_VFORK) && qx_is_known())
      __quincunx_registry.stranger();
    return clone(run, stack, flags, argument, a, b, c);
  }
  struct call call = {run, argument};
  copies();
  return (int)copied(clone(runs, stack, flags, &call, a, b, c));
}
