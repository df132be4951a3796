/* Strands (record=strands): what a thread says where it may wait for others or let others go on. A
 * strand is what it does between two of these events. For the passes, the runtime, and the readers
 * of records. It does not say what follows from them; lib/strands does. */
#ifndef QUINCUNX_ABI_STRANDS_H
#define QUINCUNX_ABI_STRANDS_H

#include <assert.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the thread is: qx_strand_site() of the innermost call that may synchronise and is not of
 * the standard library, stored before it. */
#define QX_SITE_SYMBOL "__quincunx_strands_site"
/* Objects of those who ask for strands define it; without it the runtime records none. */
#define QX_STRANDS_SYMBOL "__quincunx_strands"
/* What instrumented objects define for a function of libc jumps to this and its name. The
 * functions: all return an int; their parameters are pointers (p), 32 (i) and 64 (l) bits. */
#define QX_INTERPOSED_PREFIX "__quincunx_strands_"
/* clang-format off */
#define QX_INTERPOSED(X) \
  X(pthread_mutex_lock, "p") \
  X(pthread_mutex_trylock, "p") \
  X(pthread_mutex_timedlock, "pp") \
  X(pthread_mutex_clocklock, "pip") \
  X(pthread_mutex_unlock, "p") \
  X(pthread_spin_lock, "p") \
  X(pthread_spin_trylock, "p") \
  X(pthread_spin_unlock, "p") \
  X(pthread_rwlock_rdlock, "p") \
  X(pthread_rwlock_tryrdlock, "p") \
  X(pthread_rwlock_timedrdlock, "pp") \
  X(pthread_rwlock_clockrdlock, "pip") \
  X(pthread_rwlock_wrlock, "p") \
  X(pthread_rwlock_trywrlock, "p") \
  X(pthread_rwlock_timedwrlock, "pp") \
  X(pthread_rwlock_clockwrlock, "pip") \
  X(pthread_rwlock_unlock, "p") \
  X(pthread_cond_wait, "pp") \
  X(pthread_cond_timedwait, "ppp") \
  X(pthread_cond_clockwait, "ppip") \
  X(pthread_cond_signal, "p") \
  X(pthread_cond_broadcast, "p") \
  X(pthread_join, "lp") \
  X(pthread_tryjoin_np, "lp") \
  X(pthread_timedjoin_np, "lpp") \
  X(pthread_clockjoin_np, "lpip") \
  X(pthread_barrier_init, "ppi") \
  X(pthread_barrier_wait, "p") \
  X(sem_init, "pii") \
  X(sem_wait, "p") \
  X(sem_trywait, "p") \
  X(sem_timedwait, "pp") \
  X(sem_clockwait, "pip") \
  X(sem_post, "p") \
  X(thrd_join, "lp") \
  X(mtx_lock, "p") \
  X(mtx_trylock, "p") \
  X(mtx_timedlock, "pp") \
  X(mtx_unlock, "p") \
  X(cnd_wait, "pp") \
  X(cnd_timedwait, "ppp") \
  X(cnd_signal, "p") \
  X(cnd_broadcast, "p") \
  X(pthread_once, "pp")
/* What is called where C++ waits for other threads, or lets them go on, without libc's functions:
 * void (uint32_t kind, const void *object, uint64_t how_often); of a claim: its number. */
#define QX_STRAND_SAYS "__quincunx_strands_says"
/* What is called at loops that a team of OpenMP shares, with numbers of iterations from 0:
 * void (uint32_t schedule as libomp has it, uint64_t chunk, uint64_t iterations) before it begins;
 * void (uint32_t is_there, uint64_t first, uint64_t last, uint64_t stride) when the thread is given
 * iterations, behind which it may have more at that distance (0: it will ask for them);
 * void (uint64_t iteration) behind one; void (void) when it has done all of its own. */
#define QX_STRAND_LOOP_BEGINS "__quincunx_strands_loop_begins"
#define QX_STRAND_LOOP_GIVEN "__quincunx_strands_loop_given"
#define QX_STRAND_LOOP_DONE "__quincunx_strands_loop_done"
#define QX_STRAND_LOOP_ENDS "__quincunx_strands_loop_ends"
/* What is called at a loop that one thread goes through and whose iterations a build asked for:
 * void (struct qx_serial_loop *) before it begins, and behind each iteration; the same with, in 32
 * bits, whether it is left in the middle of an iteration, when it ends. */
#define QX_STRAND_SERIAL_BEGINS "__quincunx_strands_serial_begins"
#define QX_STRAND_SERIAL_ROUND "__quincunx_strands_serial_round"
#define QX_STRAND_SERIAL_ENDS "__quincunx_strands_serial_ends"
/* That by which OpenMP's library asks for who listens (OMPT) returns a pointer. */
#define QX_OMPT_START "ompt_start_tool"
/* clang-format on */

/* Returns the site of a call: a hash of the function's name and of the line in it, below
 * 2^31 and never 0. */
static inline uint32_t qx_strand_site(const char *function, uint64_t length, uint32_t line) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (uint64_t i = 0; i < length; ++i)
    h = (h ^ (unsigned char)function[i]) * 0x100000001b3ull;
  h = (h ^ line) * 0x9e3779b97f4a7c15ull;
  const uint32_t site = (uint32_t)(h >> 33);
  return site != 0 ? site : 1;
}

/* What happened; which number or address the object is stands in brackets. An event that lets
 * others go on is written before it does, one that had to wait after it could go on. */
enum qx_strand_kind {
  QX_STRAND_CREATE = 1,     /* starts a thread (its number) */
  QX_STRAND_END = 2,        /* of the thread (0), or of the process, with the thread alive (1) */
  QX_STRAND_JOIN = 3,       /* saw a thread end (its number) */
  QX_STRAND_LOCK = 4,       /* has a lock (address) */
  QX_STRAND_WAITED = 5,     /* the same, in old records: had to wait for it (address) */
  QX_STRAND_UNLOCK = 6,     /* gives it up (address) */
  QX_STRAND_READ_LOCK = 7,  /* shares it with other readers (address) */
  QX_STRAND_SLEEP = 8,      /* is to wait on a condition variable (address) */
  QX_STRAND_WAKE = 9,       /* has waited on it (address) */
  QX_STRAND_TIMEOUT = 10,   /* has waited in vain (address) */
  QX_STRAND_SIGNAL = 11,    /* lets one go on that waits on it (address) */
  QX_STRAND_BROADCAST = 12, /* lets all go on (address) */
  QX_STRAND_SEMAPHORE = 13, /* makes a semaphore (address); the site is its value */
  QX_STRAND_POST = 14,      /* adds one (address) */
  QX_STRAND_TAKE = 15,      /* took one (address) */
  QX_STRAND_BARRIER = 16,   /* makes a barrier (address); the site is for how many threads */
  QX_STRAND_ARRIVE = 17,    /* comes to it (address) */
  QX_STRAND_PASS = 18,      /* goes on behind it (address) */
  /* OpenMP: teams and explicit tasks have numbers from 1 in the order in which they are made. */
  QX_STRAND_TEAM = 19,      /* makes a team, of which the thread is the first (number) */
  QX_STRAND_MEMBER = 20,    /* belongs to a team from here on (number); the site is its own there */
  QX_STRAND_LEAVE = 21,     /* belongs to none (0); the first thread: it has ended (number) */
  QX_STRAND_MEET = 22,      /* comes to a barrier of its team (number) */
  QX_STRAND_PART = 23,      /* goes on behind one within it (number) */
  QX_STRAND_SPAWN = 24,     /* makes a task (number); 0: what comes is used by who makes it */
  QX_STRAND_USE = 25,       /* which comes after who wrote there (address); the site is the kind */
  QX_STRAND_WRITE = 26,     /* and after who read there since; kinds of depend() as OMPT has them */
  QX_STRAND_RUN = 27,       /* goes on with that task (number), or with its own work (0) */
  QX_STRAND_TASKWAIT = 28,  /* saw the tasks end that its task had made (0), or one (number) */
  QX_STRAND_GROUP = 29,     /* begins a group of tasks (0) */
  QX_STRAND_GROUP_END = 30, /* saw the tasks end that were made in it, and theirs (0) */
  /* What becomes ready, and stays so: a latch, a future, what std::atomic's wait looks at. */
  QX_STRAND_LATCH = 31, /* makes one (address) */
  QX_STRAND_DONE = 32,  /* does its part of that (address) */
  QX_STRAND_AWAIT = 33, /* goes on behind all that did theirs before (address) */
  QX_STRAND_DROP = 34, /* comes to a barrier for the last time, of which one is to come (address) */
  QX_STRAND_TRIED = 35,  /* has a lock for which it would not have waited (address) */
  QX_STRAND_CHANGE = 36, /* goes on behind the first that did his since it last looked (address) */
  /* Loops that a team shares: all its threads come to the same ones, in the same order. */
  QX_STRAND_LOOP = 37,     /* begins its part (schedule in the lower 8 bits, chunk above) */
  QX_STRAND_ITERATED = 38, /* has done, since the event before, as many as `order` says of the as
                            * many iterations as `site` says from one on (its number) */
  QX_STRAND_CLAIM = 39,    /* had the next number of a counter, which tells what to do (address) */
  QX_STRAND_NUMBER = 40,   /* which was that (number) */
  /* Loops that one thread goes through have numbers from 1. */
  QX_STRAND_SERIAL = 41, /* comes to one (number) */
  QX_STRAND_ROUND = 42,  /* has done as many more iterations of it as `order` says (number) */
  QX_STRAND_SPIN = 43,   /* looks at a variable again, until another one sets it (address) */
  QX_STRAND_FOLDED =
      44, /* the section of a lock, or the claim, behind it, which has the order of the first,
           * stands for as many (number); its own order is that of the last */
  QX_STRAND_CAME_LAST = 45, /* goes on behind all that counted a counter before (address) */
  QX_STRAND_LAST_DID = 46,  /* has done what only who came last does (address) */
  QX_STRAND_STOPPED = 47,   /* what it counts is not written down any more (0) */
  QX_STRAND_KINDS = 48,
  /* Said by code alone, and written down as QX_STRAND_DONE while events are few: counts a counter
   * whose value says who does so last (address). */
  QX_STRAND_COUNTED = 254,
  /* In records alone, two events in one: had a lock, and gave it up soon (qx_strand_held). */
  QX_STRAND_HELD = 255
};

/* Of a frame that goes through such a loop; zeros before it begins. */
struct qx_serial_loop {
  uint64_t number;  /* of the loop, from 1; 0: it has not begun */
  uint64_t left;    /* iterations until some are told */
  uint64_t stretch; /* as many are told at once */
  uint64_t told;    /* how often some were */
};
static_assert(sizeof(struct qx_serial_loop) == 32, "passes make room for it");

/* Schedules of loops; of chunk 0 the library decides how large chunks are. */
enum qx_schedule {
  QX_SCHEDULE_STATIC = 1,  /* with a chunk: in turn */
  QX_SCHEDULE_DYNAMIC = 2, /* shares, and who is done takes from others */
  QX_SCHEDULE_QUEUE = 3,   /* dynamic, monotonic */
  QX_SCHEDULE_GUIDED = 4,
  QX_SCHEDULE_OTHER = 5 /* the program decides when it runs, or iterations have an order */
};

struct qx_strand_event {
  uint64_t clock; /* the thread's */
  uint64_t what;  /* kind in the upper 8 bits, object below; stored last */
  uint32_t order; /* of two events of one object the later one has the higher number */
  uint32_t site;
};
static_assert(sizeof(struct qx_strand_event) == 24, "events of strands are part of the format");
#define QX_STRAND_OBJECT 56u /* bits */
/* Of locks that are given to who waits for longest, as OpenMP's are, the address and this bit. */
#define QX_STRAND_QUEUED 1u

/* What an event of QX_STRAND_HELD says: the lock was had `before` behind the event before, and held
 * for `held`, by the thread's clock; `order` and `site` are those of the lock, the next order and
 * this site those of giving it up. It is for short sections, so that one event is enough of them.
 */
struct qx_strand_held {
  uint32_t before, held, site;
  uint64_t object;
};
#define QX_STRAND_HELD_OBJECT 47u /* bits; behind these is `held` */
#define QX_STRAND_HELD_MOST ((1u << (QX_STRAND_OBJECT - QX_STRAND_HELD_OBJECT)) - 1)

static inline struct qx_strand_held qx_unpack_held(const struct qx_strand_event *e) {
  const struct qx_strand_held held = {
      (uint32_t)e->clock, (uint32_t)(e->what >> QX_STRAND_HELD_OBJECT) & QX_STRAND_HELD_MOST,
      (uint32_t)(e->clock >> 32), e->what & (((uint64_t)1 << QX_STRAND_HELD_OBJECT) - 1)};
  return held;
}

/* The most events that a process has; what comes then is left out, and the record says so. */
#define QX_STRANDS_MOST (1u << 20)
/* Behind as many sections of locks are folded: of what a thread does one after another, sections of
 * one lock at one place stand as one, which is as long as all of them. So are jobs from a counter.
 */
#define QX_STRANDS_WHOLE (1u << 18)

/* The kind of a chunk (record.h): struct qx_strands_start, then struct qx_strand_event, any number.
 */
enum { QX_CHUNK_STRANDS = 13 };

/* Begins events of one thread. In live files there may be several for a thread, in their order, and
 * an event of kind 0 is the end of what is whole. */
struct qx_strands_start {
  uint32_t thread; /* number in the process, from 0, which is the first one's */
  uint32_t cut;    /* not 0: events of the process were left out */
  uint64_t clock;  /* the thread's, when it began to count for this process */
};
static_assert(sizeof(struct qx_strands_start) == 16, "strands are part of the format");

#ifdef __cplusplus
}
#endif
#endif
