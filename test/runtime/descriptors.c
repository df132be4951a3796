// The program of descriptors.sh. `descriptors opens N` starts N threads that live together and prints how often the live file
// was opened meanwhile. `descriptors swap HOW [LIBRARY]` has a thread that puts a file of the program's own in the place of any
// descriptor of a live file; it prints what became of that file. `descriptors trace PROGRAM...` runs a program and stops its
// first thread whenever it has looked into the live file, until the descriptor is another's; status 77 where that is forbidden.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <quincunx/quincunx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static void rest(void) { nanosleep(&(struct timespec){0, 2000000}, NULL); }

static int isLive(const char *process, int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/%s/fd/%d", process, fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  path[n < 0 ? 0 : n] = 0;
  const size_t length = strlen(path);
  return length > 11 && strcmp(path + length - 11, ".live.qxraw") == 0;
}

/* ---- opens ---- */

static sem_t started, over;
static void *meets(void *a) {
  *(volatile unsigned *)&(unsigned){0} = tick(3);
  sem_post(&started);
  sem_wait(&over);
  return a;
}
static int opens(int n) {
  static char event[4096] __attribute__((aligned(8)));
  const int in = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(in, ".", IN_OPEN);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    pthread_t t;
    pthread_create(&t, NULL, meets, NULL);
    sem_wait(&started);
    for (ssize_t got; (got = read(in, event, sizeof event)) > 0;) /* equal events in a row are one */
      for (ssize_t at = 0; at < got; at += (ssize_t)(sizeof(struct inotify_event) + ((struct inotify_event *)(event + at))->len))
        count += strstr(((struct inotify_event *)(event + at))->name, ".live.qxraw") != NULL;
  }
  for (int i = 0; i < n; ++i) sem_post(&over);
  printf("%d\n", count);
  return 0;
}

/* ---- swap ---- */

static int mine, taken = -1;
static void *swaps(void *a) {
  sem_post(&started);
  for (;; sched_yield())
    for (int fd = 3; fd < 32; ++fd)
      if (fd != mine && isLive("self", fd)) {
        __atomic_store_n(&taken, fd, __ATOMIC_SEQ_CST); /* first: who waits for the other goes on then */
        dup2(mine, fd);
      }
  return a;
}
static void *counts(void *a) { *(volatile unsigned *)&(unsigned){0} = tick(3); return a; }
static int swap(const char *how, const char *library) {
  mine = open("mine", O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (write(mine, "0123456789", 10) != 10) return 9;
  pthread_t t;
  pthread_create(&t, NULL, swaps, NULL);
  sem_wait(&started);
  if (strcmp(how, "flush") == 0) printf("flush: %d, ", quincunx_flush());
  if (strcmp(how, "library") == 0) {
    unsigned (*tock)(unsigned) = (unsigned (*)(unsigned))dlsym(dlopen(library, RTLD_NOW), "tock");
    for (unsigned i = 0; i < 50; ++i) tock(i);
  }
  if (strcmp(how, "thread") == 0) { pthread_create(&t, NULL, counts, NULL); pthread_join(t, NULL); }
  const int fd = __atomic_load_n(&taken, __ATOMIC_SEQ_CST);
  struct stat own, there;
  char text[11] = "";
  if (fd < 0) puts("not met");
  else if (fstat(mine, &own) != 0 || own.st_size != 10 || pread(mine, text, 10, 0) != 10 || strcmp(text, "0123456789") != 0) puts("written to");
  else if (fstat(fd, &there) != 0 || there.st_ino != own.st_ino) puts("closed");
  else puts("fine");
  return 0;
}

/* ---- trace ---- */

static int threadsOf(const char *process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/task", process);
  int n = 0;
  DIR *d = opendir(path);
  for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) n += e->d_name[0] != '.';
  if (d != NULL) closedir(d);
  return n;
}
static int trace(char **program) {
  const pid_t p = fork();
  if (p == 0) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(77);
    execv(program[0], program);
    _exit(9);
  }
  int status, read = 0, fd = -1;
  char name[24];
  snprintf(name, sizeof name, "%d", p);
  if (waitpid(p, &status, 0) != p || !WIFSTOPPED(status)) return 77;
  ptrace(PTRACE_SETOPTIONS, p, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  for (int signal = 0; ptrace(PTRACE_SYSCALL, p, 0, signal) == 0 && waitpid(p, &status, 0) == p && WIFSTOPPED(status);) {
    struct __ptrace_syscall_info info;
    signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
    if (signal != 0) continue;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, p, (void *)sizeof info, &info) <= 0) { kill(p, SIGKILL); return 77; }
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) { read = info.entry.nr == SYS_pread64; fd = (int)info.entry.args[0]; }
    else if (read && isLive(name, fd) && threadsOf(name) > 1)
      for (int i = 0; i < 1000 && isLive(name, fd); ++i) rest();
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

int main(int argc, char **argv) {
  const char *what = argc > 2 ? argv[1] : "";
  if (strcmp(what, "opens") == 0) return opens(atoi(argv[2]));
  if (strcmp(what, "swap") == 0) return swap(argv[2], argv[3]);
  if (strcmp(what, "trace") == 0) return trace(argv + 2);
  return 8;
}
