/* lost TROUBLE SHAPE END: counts 1,000 calls of tick(), gets into a trouble in which files can be had no more, counts
 * 1,000 more in each thread or child of SHAPE (t8: eight threads; f3: three children; m4: four of each), and ends. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static void spin(void) {
  unsigned x = 1;
  for (unsigned i = 0; i < 1000; ++i)
    x = tick(x + i);
  *(volatile unsigned *)&x = x;
}
static void *counts(void *a) { spin(); return a; }
static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }
static void limit(int what, rlim_t most) {
  const struct rlimit l = {most, most};
  if (setrlimit(what, &l) != 0)
    _exit(90);
}

static void get_into(const char *trouble) {
  char folder[4096];
  const char *out = getenv("QUINCUNX_OUT");
  strcpy(folder, out != NULL ? out : "/");
  *strrchr(folder, '/') = 0;
  if (is(trouble, "nofile")) limit(RLIMIT_NOFILE, 0);
  if (is(trouble, "used")) while (dup(0) >= 0 || dup(1) >= 0) {}
  if (is(trouble, "fsize")) limit(RLIMIT_FSIZE, 0);
  if (is(trouble, "small")) limit(RLIMIT_FSIZE, 6000);
  if (is(trouble, "closes")) syscall(SYS_close_range, 3, ~0u, 0);
  if (is(trouble, "jail") && (mkdir("jail", 0777), chroot("jail") != 0 || chdir("/") != 0)) _exit(91);
  if (is(trouble, "nobody") && setresuid(65534, 65534, 65534) != 0) _exit(92);
  if (is(trouble, "renamed")) { char to[4200]; sprintf(to, "%s.away", folder); if (rename(folder, to) != 0) _exit(93); }
}

static void end(const char *how) {
  if (is(how, "_exit")) _exit(0);
  if (is(how, "bare")) execle("/proc/self/exe", "lost", "none", "t1", "exit", (char *)NULL, (char *[]){NULL});
  if (is(how, "quick")) quick_exit(0);
  if (is(how, "execs")) execl("/bin/true", "true", (char *)NULL), _exit(0);
  if (is(how, "killed")) raise(SIGKILL);
  if (is(how, "aborts")) abort();
  exit(0);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const int n = atoi(argv[2] + 1), threads = argv[2][0] != 'f' ? n : 0, children = argv[2][0] != 't' ? n : 0;
  pthread_t t[64];
  int ready[2], status, failed = 0;
  if (pipe(ready) != 0) return 3;
  spin();
  get_into(argv[1]);
  for (int i = 0; i < threads; ++i) failed |= pthread_create(&t[i], NULL, counts, NULL);
  for (int i = 0; i < threads && !failed; ++i) pthread_join(t[i], NULL);
  for (int i = 0; i < children; ++i) {
    const pid_t child = fork();
    if (child == 0) { spin(); end(argv[3]); }
    if (child < 0 || waitpid(child, &status, 0) != child) return 4;
  }
  if (failed) return 5;
  end(argv[3]);
}
