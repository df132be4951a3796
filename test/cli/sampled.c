/* A program that is sampled (timers.sh): each word is a way to spend time, or to notice that somebody samples. What
 * it notices goes to the file that is named last. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define WORK __attribute__((noinline))
static volatile unsigned sink;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define SPENDS(name, factor)                                                                                           \
  WORK void name(unsigned times) {                                                                                     \
    for (unsigned i = 0; i < times * 1000; ++i)                                                                        \
      sink = sink * factor + i;                                                                                        \
  }
SPENDS(long_one, 3)
SPENDS(short_one, 5)
SPENDS(in_first, 7)
SPENDS(in_second, 9)
SPENDS(in_c11, 11)
SPENDS(in_child, 13)

static char from[1 << 16], to[1 << 16];
WORK void copies(unsigned times) {
  for (unsigned i = 0; i < times; ++i) {
    from[i % sizeof from] = (char)i;
    memcpy(to, from, sizeof from - i % 7); /* COPY */
    sink += (unsigned char)to[i % 256];
  }
}

/* Two functions; says which part of both is the first's. */
static void parts(unsigned n) {
  double begin = cpu(), middle;
  long_one(7 * n);
  middle = cpu();
  short_one(3 * n);
  copies(2 * n);
  printf("%.4f\n", (middle - begin) / (cpu() - begin));
}

static void *first(void *n) {
  sigset_t all; /* as daemons do that have a thread for signals */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  in_first(*(unsigned *)n);
  return NULL;
}
static void *second(void *n) {
  in_second(*(unsigned *)n);
  pthread_exit(n);
}
static int c11(void *n) {
  in_c11(*(unsigned *)n);
  return 42;
}
static int run_threads(unsigned n) {
  pthread_t a, b;
  thrd_t c;
  int result = 0;
  void *b_result = NULL;
  pthread_create(&a, NULL, first, &n);
  pthread_create(&b, NULL, second, &n);
  thrd_create(&c, c11, &n);
  pthread_join(a, NULL);
  pthread_join(b, &b_result);
  thrd_join(c, &result);
  return result == 42 && b_result == &n ? 0 : 1;
}

static int run_children(unsigned n, char **self) {
  char times[20];
  snprintf(times, sizeof times, "%u", n);
  if (fork() == 0) {
    in_child(n);
    _exit(0);
  }
  if (vfork() == 0) {
    execlp(self[0], self[0], "alone", times, (char *)NULL);
    _exit(127);
  }
  return wait(NULL) > 0 && wait(NULL) > 0 ? 0 : 1;
}

/* ---- what a program could notice ---- */

static volatile sig_atomic_t profiled, handled;
static void on_profile(int signal) { profiled += signal == SIGPROF; }
static void on_signal(int signal) { handled += signal; }

static void *waits(void *answer) {
  sigset_t all;
  int got = 0;
  sigfillset(&all);
  sigwait(&all, &got);
  *(int *)answer = got;
  return NULL;
}

static void notice(unsigned n, FILE *out) {
  struct itimerval each = {{0, 10000}, {0, 10000}}, none = {{0, 0}, {0, 0}};
  struct sigaction action = {.sa_handler = on_profile}, old;
  sigset_t all, now;
  pthread_t waiting;
  int got = 0, interrupted = 0;
  sigaction(SIGPROF, &action, NULL);
  setitimer(ITIMER_PROF, &each, NULL);
  in_first(n);
  setitimer(ITIMER_PROF, &none, NULL);
  fprintf(out, "own profile %s\n", profiled > 3 ? "works" : "is missing");
  signal(SIGPROF, SIG_DFL);
  errno = 77;
  in_second(n);
  fprintf(out, "errno %d\n", errno);
  for (int i = 0; i < 200; ++i) {
    struct timespec some = {0, 200000};
    in_second(n / 1000 + 1);
    interrupted += nanosleep(&some, NULL) != 0;
  }
  fprintf(out, "interrupted %d\n", interrupted);
  for (int i = 1; i < 65; ++i)
    if (i != 32 && i != 33 && sigaction(i, NULL, &old) == 0 && old.sa_handler != SIG_DFL)
      fprintf(out, "action of %d\n", i);
  sigprocmask(SIG_SETMASK, NULL, &now);
  for (int i = 1; i < 65; ++i)
    if (sigismember(&now, i) == 1)
      fprintf(out, "blocked %d\n", i);
  int file = open("/dev/null", O_RDONLY);
  fprintf(out, "file %d\n", file);
  close(file);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  pthread_create(&waiting, NULL, waits, &got);
  in_second(n);
  pthread_kill(waiting, SIGUSR1);
  pthread_join(waiting, NULL);
  fprintf(out, "waited for %s\n", got == SIGUSR1 ? "what was sent" : "something else");
}

/* Handles the very signal; before that, time is spent under its default. */
static void take_signal(unsigned n, FILE *out) {
  signal(63, SIG_IGN);
  in_first(n);
  struct sigaction action = {.sa_handler = on_signal}, old;
  sigaction(63, &action, &old);
  in_second(n);
  raise(63);
  fprintf(out, "handled %d, after %s\n", handled, old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN ? "none" : "one");
}

int main(int argc, char **argv) {
  const char *way = argc > 2 ? argv[1] : "";
  unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
  FILE *out = argc > 3 ? fopen(argv[3], "we") : stdout;
  if (out == NULL)
    return 2;
  if (strcmp(way, "parts") == 0)
    parts(n);
  else if (strcmp(way, "threads") == 0)
    return run_threads(n);
  else if (strcmp(way, "children") == 0)
    return run_children(n, argv);
  else if (strcmp(way, "alone") == 0)
    short_one(n);
  else if (strcmp(way, "notice") == 0)
    notice(n, out);
  else if (strcmp(way, "take") == 0)
    take_signal(n, out);
  else
    return 2;
  return 0;
}
