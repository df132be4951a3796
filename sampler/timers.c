/* Timers of threads, and what their signals do. */
#include "sampler.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  MOST_THREADS = 4096,   /* at a time; those beyond are not sampled */
  SAMPLES_PER_LOOK = 64, /* at what is mapped */
  /* Nothing else is so near below a process' first stack (mm/util.c, MIN_GAP is twice that). */
  FIRST_STACK = 64 << 20,
  /* The calling thread's time in user mode as ticks account for it: the kernel's encoding of
   * clock_getcpuclockid(3), ~0 << 3 | CPUCLOCK_VIRT | CPUCLOCK_PERTHREAD_MASK. */
  OWN_USER_TIME = -3
};

static struct {
  bool is_used;
  timer_t id;
} timers[MOST_THREADS];
static unsigned samples;

/* Of this thread. In memory that is there from its start, as handlers read it. */
static __thread __attribute__((tls_model("initial-exec"))) struct {
  int timer; /* its number + 1; 0: none */
  uintptr_t stack_begin, stack_end;
} own;

static int free_slot(void) {
  for (int i = 0; i < MOST_THREADS; ++i)
    if (!__atomic_exchange_n(&timers[i].is_used, true, __ATOMIC_ACQUIRE))
      return i;
  return -1;
}

static void begin_timer(void) {
  struct timespec interval = {.tv_nsec = (long)ring()->interval};
  struct itimerspec both = {interval, interval};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = QX_SAMPLES_SIGNAL};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  int slot = free_slot();
  if (slot < 0) {
    say_untimed(EAGAIN);
    return;
  }
  if (timer_create(OWN_USER_TIME, &event, &timers[slot].id) != 0) {
    say_untimed(errno);
    __atomic_store_n(&timers[slot].is_used, false, __ATOMIC_RELEASE);
    return;
  }
  own.timer = slot + 1;
  timer_settime(timers[slot].id, 0, &both, NULL);
}

/* How far a handler may read the stack. */
static void find_stack(void) {
  pthread_attr_t attributes;
  void *begin;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  if (pthread_attr_getstack(&attributes, &begin, &size) == 0) {
    own.stack_begin = (uintptr_t)begin;
    own.stack_end = (uintptr_t)begin + size;
  }
  pthread_attr_destroy(&attributes);
}

void start_first_timer(char **arguments) {
  own.stack_end = (uintptr_t)arguments; /* above all frames */
  own.stack_begin = own.stack_end - FIRST_STACK;
  begin_timer();
}

void start_timer(void) {
  find_stack();
  begin_timer();
}

void stop_timer(void) {
  int slot = own.timer - 1;
  own.timer = 0;
  if (slot < 0)
    return;
  timer_delete(timers[slot].id);
  __atomic_store_n(&timers[slot].is_used, false, __ATOMIC_RELEASE);
}

/* Slots stay in use, so that no thread gets one any more. */
void stop_all_timers(void) {
  for (int i = 0; i < MOST_THREADS; ++i)
    if (__atomic_exchange_n(&timers[i].is_used, true, __ATOMIC_ACQUIRE))
      timer_delete(timers[i].id);
}

void start_timer_after_fork(void) {
  memset(timers, 0, sizeof timers); /* timers are not inherited */
  own.timer = 0;
  samples = 0;
  begin_timer();
}

#if defined __x86_64__
static uintptr_t instruction_of(const ucontext_t *c) {
  return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
}
static uintptr_t stack_of(const ucontext_t *c) { return (uintptr_t)c->uc_mcontext.gregs[REG_RSP]; }
#elif defined __aarch64__
static uintptr_t instruction_of(const ucontext_t *c) { return c->uc_mcontext.pc; }
static uintptr_t stack_of(const ucontext_t *c) { return c->uc_mcontext.sp; }
#else
#error "where does this processor's context have its instruction and stack pointer?"
#endif

/* Bytes from there on that can be read: those of the thread's stack, and of another one (a
 * coroutine's) those in the same page. */
static size_t readable(uintptr_t stack) {
  uintptr_t end =
      stack >= own.stack_begin && stack < own.stack_end ? own.stack_end : (stack | 4095) + 1;
  return end - stack < QX_SAMPLES_BYTES ? end - stack : QX_SAMPLES_BYTES;
}

void take_sample(int signal, siginfo_t *info, void *context) {
  int before = errno;
  uintptr_t instruction = instruction_of(context), stack = stack_of(context);
  (void)signal;
  (void)info;
  if (__atomic_add_fetch(&samples, 1, __ATOMIC_RELAXED) % SAMPLES_PER_LOOK == 1 ||
      !is_mapped(instruction))
    write_mappings();
  struct qx_sample_record *record = claim(QX_SAMPLE_TAKEN);
  if (record != NULL) {
    record->begin = instruction;
    record->size = (uint32_t)readable(stack);
    memcpy(record->bytes, (const void *)stack, record->size);
    publish(record);
  } else {
    count_lost();
  }
  errno = before;
}
