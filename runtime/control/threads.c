/* How threads start: pthread_create and thrd_create are interposed, so that a thread has its arenas
 * (arenas.c) before it runs, also where libraries start some before the program's constructors. It
 * does not know what a thread counts, nor when it ends. */
#include "control/control.h"

#include <dlfcn.h>
#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <threads.h>
#include <unistd.h>

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

void qx_find_pthread_create(void) { real_create(); }

struct start {
  void *(*run)(void *);
  int (*run_c11)(void *);
  void *argument;
  struct qx_arena *arenas;
  struct qx_strand_thread *strand;
  struct start *next;
};
/* under lock */ static struct start *spare_starts;

/* holds lock */ void qx_starts_reset_in_child(void) { spare_starts = NULL; }

/* takes lock */ static struct start *new_start(void) {
  qx_lock();
  struct start *s = spare_starts;
  if (s != NULL)
    spare_starts = s->next;
  else
    s = qx_alloc_forever(sizeof *s);
  qx_unlock();
  return s;
}

/* takes lock */ static struct start free_start(struct start *s) {
  struct start copy = *s;
  qx_lock();
  s->next = spare_starts;
  spare_starts = s;
  qx_unlock();
  return copy;
}

/* takes lock */ static void *thread_begins(void *argument) {
  struct start s = free_start(argument);
  if (qx_is_known())
    __quincunx_registry.begin(s.arenas);
  qx_strand_begins(s.strand);
  return s.run != NULL ? s.run(s.argument) : (void *)(intptr_t)s.run_c11(s.argument);
}

/* takes lock */ static int create(pthread_t *thread, const pthread_attr_t *attr,
                                   struct start what) {
  if (qx_this_image.known == NULL && environ != NULL) /* libc is ready */
    qx_load_image();
  create_posix *real = real_create();
  struct start *s = real != NULL ? new_start() : NULL;
  if (s == NULL) /* without memory the thread counts nowhere, but it starts */
    return real != NULL && what.run != NULL ? real(thread, attr, what.run, what.argument) : ENOMEM;
  *s = what;
  s->arenas = qx_is_known() ? __quincunx_registry.prepare() : NULL;
  struct qx_arena *prepared = s->arenas;
  struct qx_strand_thread *strand = qx_strand_creates();
  s->strand = strand;
  int failed = real(thread, attr, thread_begins, s);
  if (failed) {
    free_start(s);
    if (qx_is_known())
      __quincunx_registry.cancel(prepared);
  } else if (strand != NULL) {
    qx_strand_created(strand, *thread); /* it is there until we return */
  }
  return failed;
}

QX_VISIBLE int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
                              void *(*run)(void *), void *restrict argument) {
  return create(thread, attr, (struct start){.run = run, .argument = argument});
}

/* In glibc a C11 thread is a POSIX thread whose result is an int. */
QX_VISIBLE int thrd_create(thrd_t *thread, thrd_start_t run, void *argument) {
  int failed = create(thread, NULL, (struct start){.run_c11 = run, .argument = argument});
  return failed == 0 ? thrd_success : failed == ENOMEM ? thrd_nomem : thrd_error;
}
