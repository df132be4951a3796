/* lost TROUBLE SHAPE END [TRUTH]: counts 1,000 calls of tick(), gets into a trouble, in most of which files can be had no
 * more, counts 1,000 more in each thread or child of SHAPE (t8: eight threads, of which half still run at the end; f3: three
 * children; m4: four of each; c4: four threads with a child each), and ends. TRUTH is a file, shared by all of them, of two
 * numbers: calls that were made, and how many more may be under way when the process is killed in the middle. */
#define _GNU_SOURCE
#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { batch = 100, batches = 10 };
static volatile struct { uint64_t calls, under_way; } *truth;
static int forever; /* threads and children count until they are killed */
static sem_t done;

__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static void spin_once(void) {
  unsigned x = 1;
  for (unsigned i = 0; i < batch; ++i)
    x = tick(x + i);
  *(volatile unsigned *)&x = x;
  __atomic_fetch_add(&truth->calls, batch, __ATOMIC_SEQ_CST);
}
static void spin(void) { for (int i = 0; i < batches; ++i) spin_once(); }
static void spin_forever(void) { __atomic_fetch_add(&truth->under_way, batch, __ATOMIC_SEQ_CST); for (;;) spin_once(); }
static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }
static void limit(int what, rlim_t most) {
  const struct rlimit l = {most, most};
  if (setrlimit(what, &l) != 0)
    _exit(90);
}

/* ---- troubles ---- */

static rlim_t memory_in_use(void) {
  long n = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (fscanf(f, "%ld", &n) != 1) n = 0;
  fclose(f);
  return (rlim_t)n * (rlim_t)sysconf(_SC_PAGESIZE);
}
static void fill(const char *folder) { /* its space is free again when the process is gone */
  static char bytes[1 << 12];
  char path[4200];
  sprintf(path, "%s/fills-%d", folder, getpid());
  const int fd = open(path, O_WRONLY | O_CREAT, 0600);
  unlink(path);
  while (write(fd, bytes, sizeof bytes) > 0) {}
}
static void become_nobody(void) { if (setresuid(65534, 65534, 65534) != 0) _exit(92); }
static void empty(const char *folder) {
  char path[4400];
  DIR *d = opendir(folder);
  for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) { sprintf(path, "%s/%s", folder, e->d_name); unlink(path); }
  closedir(d);
  if (rmdir(folder) != 0) _exit(94);
}
static void get_into(const char *trouble) {
  char folder[4096], to[4200];
  const char *out = getenv("QUINCUNX_OUT");
  strcpy(folder, out != NULL ? out : "/");
  *strrchr(folder, '/') = 0;
  if (is(trouble, "nofile")) limit(RLIMIT_NOFILE, 0);
  if (is(trouble, "used")) while (dup(0) >= 0 || dup(1) >= 0) {}
  if (is(trouble, "fsize")) limit(RLIMIT_FSIZE, 0);
  if (is(trouble, "small")) limit(RLIMIT_FSIZE, 6000);
  if (is(trouble, "full")) fill(folder);
  if (is(trouble, "closes")) syscall(SYS_close_range, 3, ~0u, 0);
  if (is(trouble, "jail") && (mkdir("jail", 0777), chroot("jail") != 0 || chdir("/") != 0)) _exit(91);
  if (is(trouble, "nobody")) become_nobody();
  if (is(trouble, "nproc")) { if (getuid() == 0) become_nobody(); limit(RLIMIT_NPROC, 0); }
  if (is(trouble, "memory")) limit(RLIMIT_AS, memory_in_use());
  if (is(trouble, "renamed")) { sprintf(to, "%s.away", folder); if (rename(folder, to) != 0) _exit(93); }
  if (is(trouble, "removed")) empty(folder);
}

/* ---- ends ---- */

static void die_soon(void) {
  struct sigevent kill = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
  timer_t id;
  timer_create(CLOCK_MONOTONIC, &kill, &id);
  timer_settime(id, 0, &(struct itimerspec){{0, 0}, {0, 200000 + getpid() % 20 * 100000}}, NULL);
}
__attribute__((noinline)) static int deeper(int n) {
  if (n < 0) return 0;
  volatile char space[4096];
  space[n % 4096] = 1;
  return deeper(n + 1) + space[0];
}
static sigjmp_buf here;
static void jumps(int s) { spin(); siglongjmp(here, s); }
static void *exits(void *a) { exit(0); return a; }
static sem_t notices;
static void fires(union sigval v) { spin(); sem_post(v.sival_ptr); }
static void notified(void) { /* by threads of libc's own, several at once */
  static struct aiocb request;
  struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = fires, .sigev_value = {.sival_ptr = &notices}};
  timer_t id;
  int n = 0;
  sem_init(&notices, 0, 0);
  for (int i = 0; i < 6; ++i)
    n += timer_create(CLOCK_MONOTONIC, &e, &id) == 0 &&
         timer_settime(id, 0, &(struct itimerspec){{0, 0}, {0, 1000}}, NULL) == 0;
  request = (struct aiocb){.aio_fildes = 0, .aio_sigevent = e}; /* nothing to read is an end, too */
  n += aio_read(&request) == 0;
  while (n-- > 0) sem_wait(&notices);
}
static int copy(void *a) { for (int i = 0; i < 50; ++i) spin(); return a != NULL; }
static void beside(pid_t child) { /* both count at once */
  if (child == 0) { copy(NULL); _exit(0); }
  if (child > 0) { copy(NULL); waitpid(child, NULL, 0); }
}
static void bomb(int depth) {
  for (int i = 0; i < 2; ++i) {
    const pid_t child = fork();
    if (child == 0) { spin(); if (depth > 1) bomb(depth - 1); raise(SIGSTOP); }
    if (child > 0) { waitpid(child, NULL, WUNTRACED); kill(child, SIGKILL); waitpid(child, NULL, 0); }
  }
}
static void end(const char *how) {
  static char stack[1 << 16];
  pthread_t t;
  if (is(how, "_exit")) _exit(0);
  if (is(how, "quick")) quick_exit(0);
  if (is(how, "bare")) execle("/proc/self/exe", "lost", "none", "t1", "exit", (char *)NULL, (char *[]){NULL});
  if (is(how, "execs")) execl("/bin/true", "true", (char *)NULL), _exit(0);
  if (is(how, "execfails")) execl("/nonexistent", "x", (char *)NULL), spin(), _exit(0);
  if (is(how, "killed")) raise(SIGKILL);
  if (is(how, "random")) { die_soon(); spin_forever(); }
  if (is(how, "terminated")) raise(SIGTERM);
  if (is(how, "aborts")) abort();
  if (is(how, "segv")) *(volatile int *)0 = 1;
  if (is(how, "overflow")) _exit(deeper(0));
  if (is(how, "cpu")) { setrlimit(RLIMIT_CPU, &(struct rlimit){1, 2}); spin_forever(); }
  if (is(how, "idles")) for (;;) pause();
  if (is(how, "thread")) { if (pthread_create(&t, NULL, exits, NULL) == 0) for (;;) pause(); }
  if (is(how, "jumps")) { signal(SIGUSR1, jumps); for (volatile int i = 0; i < 3; ++i) if (sigsetjmp(here, 1) == 0) raise(SIGUSR1); _exit(0); }
  if (is(how, "vforks")) { const pid_t child = vfork(); if (child == 0) { spin(); _exit(0); } waitpid(child, NULL, 0); _exit(0); }
  if (is(how, "copies")) { beside(_Fork()); _exit(0); }
  if (is(how, "clones")) { beside((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); _exit(0); }
  if (is(how, "cloned")) { beside(clone(copy, stack + sizeof stack, SIGCHLD, NULL)); _exit(0); }
  if (is(how, "bomb")) { bomb(2); _exit(0); }
  if (is(how, "notified")) { notified(); raise(SIGKILL); }
  exit(0);
}

/* ---- shapes ---- */

static const char *how;
static void fork_one(void) {
  const pid_t child = fork();
  if (child == 0) { spin(); end(is(how, "cpu") || is(how, "idles") ? "_exit" : how); }
  if (child > 0) waitpid(child, NULL, 0);
}
static void *joined(void *a) { spin(); sem_post(&done); return a; }
static void *stays(void *a) {
  spin();
  sem_post(&done);
  if (forever) spin_forever();
  for (;;) pause();
  return a;
}
static void *forks(void *a) { spin(); fork_one(); sem_post(&done); return a; }
static int start(pthread_t *t, void *(*run)(void *), int i, int without_memory) {
  static char stacks[64][1 << 16] __attribute__((aligned(1 << 12)));
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  if (without_memory) pthread_attr_setstack(&attr, stacks[i], sizeof stacks[i]);
  return pthread_create(t, &attr, run, NULL) == 0;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const char shape = argv[2][0];
  const int n = atoi(argv[2] + 1), threads = shape != 'f' ? n : 0, children = shape == 'f' || shape == 'm' ? n : 0;
  if (argc > 4) unlink(argv[4]);
  const int fd = argc > 4 ? open(argv[4], O_RDWR | O_CREAT, 0666) : -1;
  if (fd >= 0 && ftruncate(fd, 4096) != 0) return 3;
  truth = mmap(NULL, 4096, PROT_READ | PROT_WRITE, fd >= 0 ? MAP_SHARED : MAP_SHARED | MAP_ANONYMOUS, fd, 0);
  if (truth == MAP_FAILED) return 3;
  close(fd);
  how = argv[3];
  forever = is(how, "random");
  sem_init(&done, 0, 0);
  if (is(how, "idles")) truth->under_way = batch * (uint64_t)(threads + children + 1); /* the time may be over early */
  pthread_t t[64];
  int began[64] = {0};
  spin();
  get_into(argv[1]);
  for (int i = 0; i < threads; ++i)
    began[i] = start(&t[i], shape == 'c' ? forks : i % 2 == 0 ? joined : stays, i, is(argv[1], "memory"));
  for (int i = 0; i < threads; ++i) if (began[i]) sem_wait(&done);
  for (int i = 0; i < threads; ++i) if (began[i] && (shape == 'c' || i % 2 == 0)) pthread_join(t[i], NULL);
  for (int i = 0; i < children; ++i) fork_one();
  end(how);
}
