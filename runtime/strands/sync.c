/* What stands in place of libc's functions by which threads wait for each other: each does what
 * libc's does, with its result and its errno, and writes an event down. Objects define libc's names
 * and jump here (passes/Strands.cpp), so that calls of libraries come here, too. Whether a lock was
 * free is not asked: that was chance. */
#include "strands/strands.h"

#include <dlfcn.h>
#include <errno.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#define NUMBER(name, parameters) number_of_##name,
enum { QX_INTERPOSED(NUMBER) function_count };
#define NAME(name, parameters) #name,
static const char *const names[function_count] = {QX_INTERPOSED(NAME)};
/* Those of sanitizers, which go on to libc's. */
#define INTERCEPTOR(name, parameters)                                                              \
  extern __typeof__(name) __interceptor_##name __attribute__((weak));
QX_INTERPOSED(INTERCEPTOR)
#define FOUND(name, parameters) (void *)__interceptor_##name,
static void *real[function_count];

/* Condition variables have two versions, of which the older one is another type. */
static void *find(int i) {
  void *const interceptors[function_count] = {QX_INTERPOSED(FOUND)};
  void *at = interceptors[i];
  if (at == NULL && memcmp(names[i], "pthread_cond_", sizeof "pthread_cond_" - 1) == 0)
    at = dlvsym(RTLD_NEXT, names[i], "GLIBC_2.3.2");
  if (at == NULL)
    at = dlsym(RTLD_NEXT, names[i]);
  __atomic_store_n(&real[i], at, __ATOMIC_RELAXED);
  return at;
}

void qx_find_interposed(void) {
  for (int i = 0; i < function_count; ++i)
    find(i);
}

static __attribute__((cold)) void *find_or_stop(int i) {
  void *at = find(i);
  if (at == NULL) {
    qx_save_stderr_identity();
    qx_complain((const char *const[]){
        "record=strands needs libc as a shared object; link without -static", NULL});
    __builtin_trap();
  }
  return at;
}

static inline void *libc(int i) {
  void *at = __atomic_load_n(&real[i], __ATOMIC_RELAXED);
  return __builtin_expect(at != NULL, 1) ? at : find_or_stop(i);
}
#define REAL(name) ((__typeof__(name) *)libc(number_of_##name))
/* Begins the definition of what is in place of a function. */
#define IN_PLACE_OF(name) /* takes lock */ QX_HIDDEN int __quincunx_strands_##name

#define INLINED static inline __attribute__((always_inline))
/* Inlined to where the return address is that of the program's call. */
INLINED void event(enum qx_strand_kind kind, const volatile void *object) {
  if (!qx_is_openmp(__builtin_return_address(0)))
    qx_strand_event(kind, (uintptr_t)object);
}
/* The result of a lock: a robust one is had, too, when its owner died. */
INLINED int had(int result, enum qx_strand_kind kind, const volatile void *object) {
  if (result == 0 || result == EOWNERDEAD)
    event(kind, object);
  return result;
}

/* ---- locks ---- */

INLINED int locked(int result, const volatile void *object) {
  if (__builtin_expect(result != 0, 0))
    return had(result, QX_STRAND_LOCK, object);
  return qx_is_openmp(__builtin_return_address(0)) ? 0 : qx_strand_locked((uintptr_t)object);
}
INLINED void unlocked(const volatile void *object) {
  if (!qx_is_openmp(__builtin_return_address(0)))
    qx_strand_unlocked((uintptr_t)object);
}

IN_PLACE_OF(pthread_mutex_lock)(pthread_mutex_t *m) {
  return locked(REAL(pthread_mutex_lock)(m), m);
}
IN_PLACE_OF(pthread_mutex_trylock)(pthread_mutex_t *m) {
  return had(REAL(pthread_mutex_trylock)(m), QX_STRAND_TRIED, m);
}
IN_PLACE_OF(pthread_mutex_timedlock)(pthread_mutex_t *m, const struct timespec *t) {
  return had(REAL(pthread_mutex_timedlock)(m, t), QX_STRAND_LOCK, m);
}
IN_PLACE_OF(pthread_mutex_clocklock)(pthread_mutex_t *m, clockid_t c, const struct timespec *t) {
  return had(REAL(pthread_mutex_clocklock)(m, c, t), QX_STRAND_LOCK, m);
}
/* An unlock that fails gives nothing up; whoever has the lock wrote that down. */
IN_PLACE_OF(pthread_mutex_unlock)(pthread_mutex_t *m) {
  unlocked(m);
  return REAL(pthread_mutex_unlock)(m);
}

IN_PLACE_OF(pthread_spin_lock)(pthread_spinlock_t *s) {
  return locked(REAL(pthread_spin_lock)(s), s);
}
IN_PLACE_OF(pthread_spin_trylock)(pthread_spinlock_t *s) {
  return had(REAL(pthread_spin_trylock)(s), QX_STRAND_TRIED, s);
}
IN_PLACE_OF(pthread_spin_unlock)(pthread_spinlock_t *s) {
  unlocked(s);
  return REAL(pthread_spin_unlock)(s);
}

#define TIME const struct timespec *t
#define LOCKS_SHARED(name, parameters, arguments)                                                  \
  IN_PLACE_OF(name) parameters { return had(REAL(name) arguments, QX_STRAND_READ_LOCK, l); }
#define LOCKS(name, kind, parameters, arguments)                                                   \
  IN_PLACE_OF(name) parameters { return had(REAL(name) arguments, kind, l); }
LOCKS_SHARED(pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l))
LOCKS_SHARED(pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l))
LOCKS_SHARED(pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, TIME), (l, t))
LOCKS_SHARED(pthread_rwlock_clockrdlock, (pthread_rwlock_t * l, clockid_t c, TIME), (l, c, t))
LOCKS(pthread_rwlock_wrlock, QX_STRAND_LOCK, (pthread_rwlock_t * l), (l))
LOCKS(pthread_rwlock_trywrlock, QX_STRAND_TRIED, (pthread_rwlock_t * l), (l))
LOCKS(pthread_rwlock_timedwrlock, QX_STRAND_LOCK, (pthread_rwlock_t * l, TIME), (l, t))
LOCKS(pthread_rwlock_clockwrlock, QX_STRAND_LOCK, (pthread_rwlock_t * l, clockid_t c, TIME),
      (l, c, t))
IN_PLACE_OF(pthread_rwlock_unlock)(pthread_rwlock_t *l) {
  event(QX_STRAND_UNLOCK, l);
  return REAL(pthread_rwlock_unlock)(l);
}

/* ---- condition variables ---- */

INLINED void sleeps(const void *condition, const void *mutex) {
  event(QX_STRAND_UNLOCK, mutex);
  event(QX_STRAND_SLEEP, condition);
}
/* `none`: the result that means that time was up. */
INLINED int awake(int result, int none, const void *condition, const void *mutex) {
  event(result == none ? QX_STRAND_TIMEOUT : QX_STRAND_WAKE, condition);
  event(QX_STRAND_LOCK, mutex);
  return result;
}

IN_PLACE_OF(pthread_cond_wait)(pthread_cond_t *c, pthread_mutex_t *m) {
  sleeps(c, m);
  return awake(REAL(pthread_cond_wait)(c, m), ETIMEDOUT, c, m);
}
IN_PLACE_OF(pthread_cond_timedwait)(pthread_cond_t *c, pthread_mutex_t *m, TIME) {
  sleeps(c, m);
  return awake(REAL(pthread_cond_timedwait)(c, m, t), ETIMEDOUT, c, m);
}
IN_PLACE_OF(pthread_cond_clockwait)(pthread_cond_t *c, pthread_mutex_t *m, clockid_t k, TIME) {
  sleeps(c, m);
  return awake(REAL(pthread_cond_clockwait)(c, m, k, t), ETIMEDOUT, c, m);
}
IN_PLACE_OF(pthread_cond_signal)(pthread_cond_t *c) {
  event(QX_STRAND_SIGNAL, c);
  return REAL(pthread_cond_signal)(c);
}
IN_PLACE_OF(pthread_cond_broadcast)(pthread_cond_t *c) {
  event(QX_STRAND_BROADCAST, c);
  return REAL(pthread_cond_broadcast)(c);
}

/* ---- threads ---- */

/* Once it is joined, another thread may have its name. */
#define JOINS(name, parameters, arguments)                                                         \
  IN_PLACE_OF(name) parameters {                                                                   \
    const struct qx_strand_thread *joined = qx_strand_of(thread);                                  \
    const int result = REAL(name) arguments;                                                       \
    if (result == 0)                                                                               \
      qx_strand_joined(joined);                                                                    \
    return result;                                                                                 \
  }
JOINS(pthread_join, (pthread_t thread, void **value), (thread, value))
JOINS(pthread_tryjoin_np, (pthread_t thread, void **value), (thread, value))
JOINS(pthread_timedjoin_np, (pthread_t thread, void **value, TIME), (thread, value, t))
JOINS(pthread_clockjoin_np, (pthread_t thread, void **value, clockid_t c, TIME),
      (thread, value, c, t))
JOINS(thrd_join, (thrd_t thread, int *value), (thread, value))

/* ---- semaphores and barriers ---- */

IN_PLACE_OF(sem_init)(sem_t *s, int shared, unsigned value) {
  const int result = REAL(sem_init)(s, shared, value);
  if (result == 0)
    qx_strand_made(QX_STRAND_SEMAPHORE, (uintptr_t)s, value);
  return result;
}
#define TAKES(name, parameters, arguments)                                                         \
  IN_PLACE_OF(name) parameters { return had(REAL(name) arguments, QX_STRAND_TAKE, s); }
TAKES(sem_wait, (sem_t * s), (s))
TAKES(sem_trywait, (sem_t * s), (s))
TAKES(sem_timedwait, (sem_t * s, TIME), (s, t))
TAKES(sem_clockwait, (sem_t * s, clockid_t c, TIME), (s, c, t))
IN_PLACE_OF(sem_post)(sem_t *s) {
  event(QX_STRAND_POST, s);
  return REAL(sem_post)(s);
}

IN_PLACE_OF(pthread_barrier_init)(pthread_barrier_t *b, const pthread_barrierattr_t *a,
                                  unsigned count) {
  const int result = REAL(pthread_barrier_init)(b, a, count);
  if (result == 0)
    qx_strand_made(QX_STRAND_BARRIER, (uintptr_t)b, count);
  return result;
}
IN_PLACE_OF(pthread_barrier_wait)(pthread_barrier_t *b) {
  event(QX_STRAND_ARRIVE, b);
  const int result = REAL(pthread_barrier_wait)(b);
  event(QX_STRAND_PASS, b);
  return result;
}

/* ---- what is done once ---- */

/* Each thread says once of a flag that it goes on behind who did it, as he may come later when
 * threads run at other speeds. A flag that is made anew at the same place is told by how often
 * something was done there; places share that by a hash. */
enum { flags_known = 16 };
static uint32_t times_done[flags_known];
static __thread struct {
  pthread_once_t *flag;
  uint32_t times;
} seen[flags_known] __attribute__((tls_model("initial-exec")));
static __thread struct {
  pthread_once_t *flag;
  void (*routine)(void);
} doing __attribute__((tls_model("initial-exec")));

static size_t place_of(const pthread_once_t *flag) {
  return (uint64_t)(uintptr_t)flag * 0x9e3779b97f4a7c15ull >> 60;
}
static_assert(flags_known == 1 << (64 - 60), "places are numbers of so many bits");

/* takes lock */ static void do_once(void) {
  pthread_once_t *const flag = doing.flag;
  qx_strand_event(QX_STRAND_LATCH, (uintptr_t)flag);
  doing.routine();
  const size_t place = place_of(flag);
  seen[place].flag = flag;
  seen[place].times = __atomic_add_fetch(&times_done[place], 1, __ATOMIC_RELAXED);
  qx_strand_event(QX_STRAND_DONE, (uintptr_t)flag);
}

IN_PLACE_OF(pthread_once)(pthread_once_t *flag, void (*routine)(void)) {
  if (qx_is_openmp(__builtin_return_address(0)))
    return REAL(pthread_once)(flag, routine);
  doing.flag = flag;
  doing.routine = routine;
  const int result = REAL(pthread_once)(flag, do_once);
  const size_t place = place_of(flag);
  const uint32_t times = __atomic_load_n(&times_done[place], __ATOMIC_RELAXED);
  if (seen[place].flag != flag || seen[place].times != times) {
    seen[place].flag = flag;
    seen[place].times = times;
    event(QX_STRAND_AWAIT, flag);
  }
  return result;
}

/* ---- what C++ has inlined: passes/strands/Waits.cpp ---- */

/* takes lock */ QX_HIDDEN void __quincunx_strands_says(uint32_t kind, const void *object,
                                                        uint64_t how_often) {
  if (kind == QX_STRAND_SEMAPHORE || kind == QX_STRAND_BARRIER)
    qx_strand_made(kind, (uintptr_t)object, (uint32_t)how_often);
  else if (kind == QX_STRAND_CLAIM)
    qx_strand_claim((uintptr_t)object, how_often);
  else if (kind == QX_STRAND_SPIN)
    qx_strand_spins((uintptr_t)object);
  else if (kind == QX_STRAND_LAST_DID)
    qx_strand_counted(kind, (uintptr_t)object);
  else if (kind == QX_STRAND_COUNTED || (kind == QX_STRAND_CAME_LAST && how_often != 0))
    qx_strand_counted(kind == QX_STRAND_COUNTED ? QX_STRAND_DONE : QX_STRAND_CAME_LAST,
                      (uintptr_t)object);
  else if (kind != QX_STRAND_CAME_LAST)
    for (uint64_t i = 0; i < how_often && i < QX_STRANDS_MOST; ++i)
      qx_strand_event(kind, (uintptr_t)object);
}

/* ---- those of C11, whose results are others ---- */

INLINED int had_c11(int result, enum qx_strand_kind kind, const mtx_t *m) {
  return result == thrd_success ? event(kind, m), result : result;
}
IN_PLACE_OF(mtx_lock)(mtx_t *m) {
  static_assert(thrd_success == 0, "as those of pthreads have it");
  return locked(REAL(mtx_lock)(m), m);
}
IN_PLACE_OF(mtx_trylock)(mtx_t *m) { return had_c11(REAL(mtx_trylock)(m), QX_STRAND_TRIED, m); }
IN_PLACE_OF(mtx_timedlock)(mtx_t *m, TIME) {
  return had_c11(REAL(mtx_timedlock)(m, t), QX_STRAND_LOCK, m);
}
IN_PLACE_OF(mtx_unlock)(mtx_t *m) {
  unlocked(m);
  return REAL(mtx_unlock)(m);
}
IN_PLACE_OF(cnd_wait)(cnd_t *c, mtx_t *m) {
  sleeps(c, m);
  return awake(REAL(cnd_wait)(c, m), thrd_timedout, c, m);
}
IN_PLACE_OF(cnd_timedwait)(cnd_t *c, mtx_t *m, TIME) {
  sleeps(c, m);
  return awake(REAL(cnd_timedwait)(c, m, t), thrd_timedout, c, m);
}
IN_PLACE_OF(cnd_signal)(cnd_t *c) {
  event(QX_STRAND_SIGNAL, c);
  return REAL(cnd_signal)(c);
}
IN_PLACE_OF(cnd_broadcast)(cnd_t *c) {
  event(QX_STRAND_BROADCAST, c);
  return REAL(cnd_broadcast)(c);
}
