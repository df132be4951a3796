/* The lock that guards all state of the runtime, and the list of images under it. Who holds it is
 * not interrupted, not cancelled, and leaves errno alone. It does not know what the state means. */
#include "process/process.h"

#include "os/syscalls.h"

#include <errno.h>
#include <pthread.h>

struct qx_image_state *qx_images;
bool qx_ready;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct { /* of the thread that holds the lock */
  sigset_t masked;
  int cancel, error;
} holder;

__thread int qx_inside __attribute__((tls_model("initial-exec")));

/* Signals wait while the lock is held: a handler may run instrumented code that needs an arena. So
 * do cancellations, and errno is left alone: we open files where the program opens none. */
/* takes lock */ void qx_lock(void) {
  static const sigset_t all = {{[0 ... sizeof(sigset_t) / sizeof(long) - 1] = ~0ul}};
  sigset_t old;
  int cancel, error = errno;
  ++qx_inside;
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
  pthread_mutex_lock(&mutex);
  holder.masked = old;
  holder.cancel = cancel;
  holder.error = error;
}

/* holds lock */ void qx_unlock(void) {
  sigset_t old = holder.masked;
  int cancel = holder.cancel, error = holder.error;
  pthread_mutex_unlock(&mutex);
  pthread_setcancelstate(cancel, NULL);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  --qx_inside;
  errno = error;
}

void qx_lock_reset_in_child(void) {
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  mutex = fresh;
}

/* A copy of the process that clone() made without our knowledge. What is here is its parent's, and
 * the lock may be held by a thread that the copy does not have: to be asked before it is taken. */
bool qx_is_copy(void) { return qx_process.pid != 0 && qx_process.pid != call_pid(); }
