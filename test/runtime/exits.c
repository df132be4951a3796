// The program of exits.sh: `exits WAY [word]` counts a known number of calls and ends in one of the
// ways a process can end. Nothing is printed that depends on how fast it is.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <quincunx/quincunx.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
__attribute__((noinline)) unsigned other(unsigned x) { return x % 5 == 1 ? x + 2 : x * 2; }
__attribute__((noinline)) void late(void) { for (volatile int i = 0; i < 3; ++i); }
/* Before the runtime has begun: by the linker's first list, and by a constructor of a priority that comes before its own. */
__attribute__((noinline)) void early(void) { for (volatile int i = 0; i < 3; ++i); }
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = early;
__attribute__((constructor(100))) static void second(void) { early(); }
static unsigned sum;
static void spin(int n) {
  for (int i = 0; i < n; ++i)
    sum = tick(sum + (unsigned)i);
}
/* Threads have a sum of their own, or it would be a race. */
static void spinHere(int n) {
  unsigned x = 1;
  for (int i = 0; i < n; ++i)
    x = tick(x + (unsigned)i);
  *(volatile unsigned *)&x = x;
}
static int is(const char *way, const char *name) { return strcmp(way, name) == 0; }

/* ---- ways without threads ---- */

static volatile sig_atomic_t told;
static void handle(int s) { told = (sig_atomic_t)other((unsigned)s) | 1; }
static void handleAndLeave(int s) { (void)other((unsigned)s); _exit(5); }

__attribute__((noinline)) static int midway(int i) {
  if (i == 57)
    exit(4);
  return (int)tick((unsigned)i);
}
__attribute__((noinline)) static int deeper(int n) {
  volatile char space[4096];
  space[n % 4096] = 1;
  return deeper(n + 1) + space[0];
}
static char *const nothing[] = {NULL};
static char *const truth[] = {"true", NULL};

static void plainWays(const char *way, char *word) {
  if (is(way, "exit")) exit(3);
  if (is(way, "midway")) for (int i = 0;; ++i) sum += (unsigned)midway(i);
  if (is(way, "_exit")) _exit(3);
  if (is(way, "_Exit")) _Exit(3);
  if (is(way, "quick_exit")) { at_quick_exit(late); quick_exit(3); }
  if (is(way, "abort")) abort();
  if (is(way, "segv")) *(volatile int *)word = 1; /* NULL */
  if (is(way, "overflow")) sum += (unsigned)deeper(0);
  if (is(way, "fpe")) raise(SIGFPE);
  if (is(way, "signal")) { raise(atoi(word)); pause(); }
  if (is(way, "handled")) { signal(SIGTERM, handle); raise(SIGTERM); spin(10); exit(told ? 6 : 7); }
  if (is(way, "leaves")) { signal(SIGTERM, handleAndLeave); raise(SIGTERM); }
  if (is(way, "execve")) execve("/bin/true", truth, nothing);
  if (is(way, "execv")) execv("/bin/true", truth);
  if (is(way, "execlp")) execlp("true", "true", NULL);
  if (is(way, "execfails")) { execv("/nonexistent", truth); spin(10); exit(0); }
  if (is(way, "again")) execl(word, word, "exit", NULL); /* the same program, the same process */
  if (is(way, "flush")) { int s = quincunx_flush(); spin(10); if (s != 0) exit(9); raise(SIGKILL); }
  if (is(way, "flushes")) { for (int i = 0; i < 5; ++i) { if (quincunx_flush() != 0) exit(9); spin(10); } exit(0); }
  if (is(way, "chroot")) exit(chroot(word) == 0 && chdir("/") == 0 ? 0 : 9);
}

/* ---- other processes ---- */

static int wait1(void) {
  int status = 0;
  wait(&status);
  return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
}
static volatile long byNumber = SYS_clone;
static int copied(void *a) { spin(10); other(1); return a != NULL; }
static void processWays(const char *way, char *word) {
  if (is(way, "fork")) { if (fork() == 0) { spin(10); other(1); exit(2); } exit(wait1()); }
  if (is(way, "fork_exit")) { if (fork() == 0) { spin(10); other(1); _exit(2); } exit(wait1()); }
  if (is(way, "forkkill")) { if (fork() == 0) { spin(10); other(1); raise(SIGKILL); } spin(10); wait1(); raise(SIGKILL); }
  if (is(way, "forks")) { /* a child's child's child, each killed */
    for (int i = 0; i < 3; ++i) { if (fork() != 0) { wait1(); break; } spin(10); other(1); }
    raise(SIGKILL);
  }
  if (is(way, "vforkexec")) { if (vfork() == 0) { execv("/bin/true", truth); _exit(9); } exit(wait1()); }
  if (is(way, "vfork_exit")) { if (vfork() == 0) _exit(2); exit(wait1()); }
  if (is(way, "forkexec")) { if (fork() == 0) { other(1); execv("/bin/true", truth); _exit(9); } exit(wait1()); }
  if (is(way, "spawn")) { pid_t p; posix_spawn(&p, "/bin/true", NULL, NULL, truth, nothing); exit(wait1()); }
  if (is(way, "spawnself")) { pid_t p; char *const a[] = {word, "_exit", NULL}; extern char **environ;
    posix_spawn(&p, word, NULL, NULL, a, environ); exit(wait1()); }
  if (is(way, "system")) exit(system("exit 3") >> 8);
  if (is(way, "clone") || is(way, "unknown")) { /* each waits for its turn; a copy of a number that is no constant nobody tells us of */
    if ((is(way, "clone") ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : syscall(byNumber, SIGCHLD, 0, 0, 0, 0)) == 0) {
      spin(10); other(1); syscall(SYS_exit_group, 2); }
    int s = wait1(); spin(10); exit(s); }
  if (is(way, "clone3")) { struct { uint64_t flags[4], signal, rest[3]; } a = {.signal = SIGCHLD};
    if (syscall(SYS_clone3, &a, sizeof a) == 0) { spin(10); other(1); _exit(2); }
    int s = wait1(); spin(10); exit(s); }
  if (is(way, "clonefn")) { char *stack = malloc(1 << 16); clone(copied, stack + (1 << 16), SIGCHLD, NULL);
    int s = wait1(); spin(10); exit(s); }
  if (is(way, "_Fork")) { if (_Fork() == 0) { spin(10); other(1); exit(2); } int s = wait1(); spin(10); exit(s); }
  if (is(way, "noclone")) { errno = 0; const long r = clone(copied, NULL, 0, NULL); exit(r == -1 && errno == EINVAL && syscall(SYS_clone3, NULL, 0L) == -1 && errno == EINVAL ? 0 : 9); }
  if (is(way, "daemon")) { fflush(stdout); if (daemon(1, 0) != 0) exit(9); spin(10); other(1);
    FILE *f = fopen(word, "w"); fclose(f); exit(0); }
}

/* ---- threads ---- */

static pthread_barrier_t met;
static void *waits(void *a) { spinHere(100); pthread_barrier_wait(&met); pause(); return a; }
static void *ends(void *a) { spinHere(100); return a; }
static void *leaves(void *a) { spinHere(100); pthread_exit(a); }
static void *isCancelled(void *a) { spinHere(100); for (;;) pthread_testcancel(); return a; }
static void *outlives(void *a) { pthread_join(*(pthread_t *)a, NULL); spinHere(100); return NULL; }
static int c11(void *a) { spinHere(100); return a != NULL; }
static void fires(union sigval v) { other((unsigned)v.sival_int); pthread_barrier_wait(&met); }
static void firesToo(void *a) { other((unsigned)(uintptr_t)a); pthread_barrier_wait(&met); }
static volatile int shared;
static int sharesAll(void *a) { spinHere(100); shared = 1; return a != NULL; }
static pthread_key_t key;
static int rounds, forksLast;
static volatile int inLast, besideLast, begun;
static void again(void *a) { /* its key is younger than the runtime's, so the last round comes after that one's */
  spinHere(10);
  if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS) { pthread_setspecific(key, a); return; }
  if (forksLast && fork() == 0) { spinHere(10); raise(SIGKILL); }
  inLast = 1;
  if (besideLast) { while (!begun) sched_yield(); spinHere(400000); }
}
static void *endsLate(void *a) { begun = 1; spinHere(400000); return a; }
static void *leavesKey(void *a) { pthread_setspecific(key, &key); return a; }
static void start(int n, void *(*run)(void *)) {
  pthread_t t;
  pthread_barrier_init(&met, NULL, (unsigned)n + 1);
  for (int i = 0; i < n; ++i) { pthread_create(&t, NULL, run, NULL); pthread_detach(t); }
  pthread_barrier_wait(&met);
}
/* As many threads as `met` wants, with stacks that need no more memory. */
static void startHere(int n) {
  static char stacks[8][1 << 17] __attribute__((aligned(1 << 12)));
  pthread_t t;
  pthread_attr_t attr;
  pthread_barrier_init(&met, NULL, (unsigned)n + 1);
  for (int i = 0; i < n; ++i) {
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stacks[i], sizeof stacks[i]);
    if (pthread_create(&t, &attr, waits, NULL) != 0) _exit(9);
  }
  pthread_barrier_wait(&met);
}
static rlim_t pagesInUse(void) {
  long n = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (fscanf(f, "%ld", &n) != 1) n = 0;
  fclose(f);
  return (rlim_t)n;
}
static volatile int churns = 1;
static void *churn(void *a) {
  pthread_t t;
  while (churns) { pthread_create(&t, NULL, ends, NULL); pthread_join(t, NULL); }
  return a;
}
static void copies(int n) { /* that nobody tells us of, they exit */
  for (int i = 0; i < n; ++i) {
    if (syscall(byNumber, SIGCHLD, 0, 0, 0, 0) == 0) exit(2);
    wait1();
  }
}
static void threadWays(const char *way, char *word) {
  pthread_t t;
  if (is(way, "crowded")) { /* no room for so many in the live file */
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096}); start(40, waits);
    if (quincunx_flush() != 0) exit(9);
    other(1); raise(SIGKILL); }
  if (is(way, "nomemory")) { const rlim_t now = pagesInUse() * (rlim_t)sysconf(_SC_PAGESIZE);
    setrlimit(RLIMIT_AS, &(struct rlimit){now, now}); startHere(8); exit(0); }
  if (is(way, "copies")) { copies(1); raise(SIGKILL); }
  if (is(way, "copiesthreads")) { pthread_create(&t, NULL, churn, NULL); copies(300); churns = 0; pthread_join(t, NULL); exit(0); }
  if (is(way, "alive")) { start(3, waits); exit(0); }
  if (is(way, "nofiles")) { setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, 3}); start(3, waits); exit(0); }
  if (is(way, "alivekill")) { start(3, waits); raise(SIGKILL); }
  if (is(way, "ended")) { /* their counters are in arenas that others go on with */
    for (int i = 0; i < 5; ++i) { pthread_create(&t, NULL, ends, NULL); pthread_join(t, NULL); }
    raise(SIGKILL);
  }
  if (is(way, "forkthreads")) { start(3, waits);
    if (fork() == 0) { spin(10); pthread_create(&t, NULL, ends, NULL); pthread_join(t, NULL); raise(SIGKILL); }
    wait1(); raise(SIGKILL); }
  if (is(way, "pthread_exit")) { pthread_create(&t, NULL, leaves, NULL); pthread_join(t, NULL); exit(0); }
  if (is(way, "mainleaves")) { static pthread_t self; self = pthread_self(); pthread_create(&t, NULL, outlives, &self);
    pthread_exit(NULL); }
  if (is(way, "cancel")) { pthread_create(&t, NULL, isCancelled, NULL); nanosleep(&(struct timespec){0, 20000000}, NULL);
    pthread_cancel(t); pthread_join(t, NULL); exit(0); }
  if (is(way, "execthreads")) { start(3, waits); execv("/bin/true", truth); }
  if (is(way, "c11")) { thrd_t c; thrd_create(&c, c11, NULL); thrd_join(c, NULL); raise(SIGKILL); }
  if (is(way, "destructors") || is(way, "destructorsfork")) { forksLast = is(way, "destructorsfork"); pthread_key_create(&key, again);
    pthread_create(&t, NULL, leavesKey, NULL); pthread_join(t, NULL);
    pthread_create(&t, NULL, ends, NULL); pthread_join(t, NULL);
    if (forksLast) wait1();
    raise(SIGKILL); }
  if (is(way, "destructorsbeside")) { pthread_t u; besideLast = 1; pthread_key_create(&key, again);
    pthread_create(&t, NULL, leavesKey, NULL); while (!inLast) sched_yield();
    pthread_create(&u, NULL, endsLate, NULL); pthread_join(t, NULL); pthread_join(u, NULL); raise(SIGKILL); }
  if (is(way, "unknownthreads")) { /* a copy that nobody tells us of starts a thread */
    if (syscall(byNumber, SIGCHLD, 0, 0, 0, 0) == 0) { pthread_create(&t, NULL, ends, NULL); pthread_join(t, NULL); _exit(0); }
    wait1(); exit(0); }
  if (is(way, "threadofclone")) { static char stack[1 << 16];
    clone(sharesAll, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, NULL);
    while (!shared) {}
    exit(0); }
  if (is(way, "timer") || is(way, "timerkill") || is(way, "timercast")) { pthread_barrier_init(&met, NULL, 2);
    struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = fires}; timer_t id;
    if (is(way, "timercast")) e.sigev_notify_function = (void (*)(union sigval))firesToo;
    timer_create(CLOCK_MONOTONIC, &e, &id);
    timer_settime(id, 0, &(struct itimerspec){{0, 0}, {0, 1000000}}, NULL);
    pthread_barrier_wait(&met);
    if (!is(way, "timerkill")) exit(0);
    raise(SIGKILL); }
  if (is(way, "foreign")) { /* a library without the flag makes the thread */
    void (*run)(void (*)(int), int) = (void (*)(void (*)(int), int))dlsym(dlopen(word, RTLD_NOW), "runInThread");
    run(spinHere, 100); raise(SIGKILL); }
}

/* ---- shared objects ---- */

static void use(const char *library) {
  void *l = dlopen(library, RTLD_NOW);
  if (l == NULL) exit(9);
  unsigned (*tock)(unsigned) = (unsigned (*)(unsigned))dlsym(l, "tock");
  for (unsigned i = 0; i < 50; ++i) sum = tock(sum);
  dlclose(l);
}
static void libraryWays(const char *way, char *word) {
  if (is(way, "closed")) { use(word); exit(0); }
  if (is(way, "closedkill")) { use(word); use(word); raise(SIGKILL); }
  if (is(way, "closedfork")) { use(word); if (fork() == 0) { use(word); raise(SIGKILL); } wait1(); raise(SIGKILL); }
  if (is(way, "many")) { for (int i = 0; i < 500; ++i) use(word); raise(SIGKILL); }
  if (is(way, "opened")) { if (dlopen(word, RTLD_NOW) == NULL) exit(9); exit(0); }
}

__attribute__((destructor)) static void last(void) { late(); }
int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "normal";
  char *word = argc > 2 ? argv[2] : NULL;
  spin(1000);
  if (is(way, "atexit")) { atexit(late); return 0; }
  plainWays(way, word);
  processWays(way, word);
  threadWays(way, word);
  libraryWays(way, word);
  return is(way, "normal") ? 0 : 8;
}
