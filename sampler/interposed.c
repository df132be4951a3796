/* What of libc has to be seen: threads that begin, for each its timer; and the signal, which the
 * program can neither block nor find. As libc does with its own two: masks leave it out, and asked
 * for its action the answer is the default. A program that handles it is left alone from then on.
 * Starting is a constructor; children of fork(2) begin anew. Threads that are made by clone(2) are
 * not seen. */
#include "sampler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

#define VISIBLE __attribute__((visibility("default")))

static bool is_sampling; /* and nobody else handles the signal */
static __typeof__(pthread_create) *next_pthread_create;
static __typeof__(thrd_create) *next_thrd_create;
static __typeof__(sigaction) *next_sigaction;
static __typeof__(signal) *next_signal;
static __typeof__(sigprocmask) *next_sigprocmask;
static __typeof__(pthread_sigmask) *next_pthread_sigmask;

/* Before all threads; constructors of libraries may call one of them earlier than ours runs. */
static void find_next(void) {
  if (next_pthread_sigmask != NULL)
    return;
  next_pthread_create = (__typeof__(next_pthread_create))dlsym(RTLD_NEXT, "pthread_create");
  next_thrd_create = (__typeof__(next_thrd_create))dlsym(RTLD_NEXT, "thrd_create");
  next_sigaction = (__typeof__(next_sigaction))dlsym(RTLD_NEXT, "sigaction");
  next_signal = (__typeof__(next_signal))dlsym(RTLD_NEXT, "signal");
  next_sigprocmask = (__typeof__(next_sigprocmask))dlsym(RTLD_NEXT, "sigprocmask");
  next_pthread_sigmask = (__typeof__(next_pthread_sigmask))dlsym(RTLD_NEXT, "pthread_sigmask");
}

static void unblock(void) { /* where whoever started us had all signals blocked */
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, QX_SAMPLES_SIGNAL);
  next_pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

/* ---- threads ---- */

struct beginning {
  void *(*run)(void *);   /* of pthread_create */
  int (*run_c11)(void *); /* of thrd_create; one of both */
  void *argument;
};

static void end_thread(void *unused) {
  (void)unused;
  stop_timer();
}

static void *run_thread(void *at) {
  struct beginning b = *(struct beginning *)at;
  void *result;
  free(at);
  unblock();
  pthread_cleanup_push(end_thread, NULL);
  start_timer();
  result = b.run != NULL ? b.run(b.argument) : (void *)(intptr_t)b.run_c11(b.argument);
  pthread_cleanup_pop(1);
  return result;
}

static int run_c11_thread(void *at) { return (int)(intptr_t)run_thread(at); }

/* NULL: the thread is made as if nobody sampled. */
static struct beginning *begin_of(struct beginning b) {
  struct beginning *out = is_sampling ? malloc(sizeof b) : NULL;
  if (out != NULL)
    *out = b;
  return out;
}

VISIBLE int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                           void *(*run)(void *), void *argument) {
  find_next();
  struct beginning *b = begin_of((struct beginning){run, NULL, argument});
  if (b == NULL)
    return next_pthread_create(thread, attributes, run, argument);
  int status = next_pthread_create(thread, attributes, run_thread, b);
  if (status != 0)
    free(b);
  return status;
}

VISIBLE int thrd_create(thrd_t *thread, thrd_start_t run, void *argument) {
  find_next();
  struct beginning *b = begin_of((struct beginning){NULL, run, argument});
  if (b == NULL)
    return next_thrd_create(thread, run, argument);
  int status = next_thrd_create(thread, run_c11_thread, b);
  if (status != thrd_success)
    free(b);
  return status;
}

/* ---- the signal ---- */

/* Ignoring the signal for a moment drops what is pending in any thread. */
static void leave_alone(void) {
  struct sigaction none = {.sa_handler = SIG_IGN};
  is_sampling = false;
  stop_all_timers();
  next_sigaction(QX_SAMPLES_SIGNAL, &none, NULL);
  none.sa_handler = SIG_DFL;
  next_sigaction(QX_SAMPLES_SIGNAL, &none, NULL);
  say_signal_is_taken();
}

/* Whether the answer is that of a signal that nobody handles. What is set is as good as never
 * seen unless it is a handler. */
static bool is_hidden(int number, bool is_handler) {
  if (number != QX_SAMPLES_SIGNAL || !is_sampling)
    return false;
  if (is_handler)
    leave_alone();
  return is_sampling;
}

static bool is_handler(void (*action)(int)) { return action != SIG_DFL && action != SIG_IGN; }

VISIBLE int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
  find_next();
  if (!is_hidden(number, action != NULL && is_handler(action->sa_handler)))
    return next_sigaction(number, action, old);
  if (old != NULL)
    *old = (struct sigaction){.sa_handler = SIG_DFL};
  return 0;
}

VISIBLE void (*signal(int number, void (*action)(int)))(int) {
  find_next();
  return is_hidden(number, is_handler(action)) ? SIG_DFL : next_signal(number, action);
}

/* `set` without the signal, in `own`. */
static const sigset_t *without(int how, const sigset_t *set, sigset_t *own) {
  if (set == NULL || how == SIG_UNBLOCK || !is_sampling)
    return set;
  *own = *set;
  sigdelset(own, QX_SAMPLES_SIGNAL);
  return own;
}

VISIBLE int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  sigset_t own;
  find_next();
  return next_sigprocmask(how, without(how, set, &own), old);
}

VISIBLE int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  sigset_t own;
  find_next();
  return next_pthread_sigmask(how, without(how, set, &own), old);
}

/* ---- processes ---- */

static void say_start(void) {
  struct qx_sample_record *record = claim(QX_SAMPLE_STARTED);
  if (record != NULL)
    publish(record);
}

static void begin_child(void) {
  if (!is_sampling)
    return;
  say_start();
  forget_mappings();
  start_timer_after_fork();
}

__attribute__((constructor)) static void begin_program(int count, char **arguments) {
  const char *path = getenv(QX_SAMPLES_VARIABLE);
  struct sigaction action = {.sa_sigaction = take_sample,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  (void)count;
  find_next();
  sigfillset(&action.sa_mask);
  if (path == NULL || !open_ring(path) || pthread_atfork(NULL, NULL, begin_child) != 0 ||
      next_sigaction(QX_SAMPLES_SIGNAL, &action, NULL) != 0)
    return;
  say_start();
  unblock();
  is_sampling = true;
  start_first_timer(arguments);
}
