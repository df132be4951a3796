// The program that the scripts of this folder run: `worker N [do]...` counts to N in two functions
// whose costs are known to grow with N, then does what it is told: abort, sleep MS, status K, read
// (count the bytes of standard input), signal K (to itself), leave K (_exit), stay (a child that goes on), linger MS (one
// that goes on for so long). It prints its arguments. It is no example of anything.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) static unsigned inner(unsigned x) { return x % 3 == 1 ? x * 5 : x + 7; }

__attribute__((noinline)) static unsigned outer(unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < n; ++i)
    x = inner(x) & 4095;
  return x;
}

__attribute__((noinline)) static unsigned rarely(unsigned n) { return n > 1000 ? inner(n) : n; }

static void rest(long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
  nanosleep(&t, NULL);
}

/* The parent goes on when the child has counted. */
static void stay(unsigned n, long ms) {
  int counted[2];
  char c = 0;
  if (pipe(counted) != 0)
    abort();
  if (fork() == 0) {
    outer(n);
    if (write(counted[1], &c, 1) == 1)
      rest(ms);
  } else if (read(counted[0], &c, 1) != 1) {
    abort();
  }
}

int main(int argc, char **argv) {
  const unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  const unsigned x = outer(n) + rarely(n);
  for (int i = 1; i < argc; ++i)
    printf("%s%s", argv[i], i + 1 < argc ? " " : "\n");
  for (int i = 2; i < argc; ++i) {
    if (strcmp(argv[i], "abort") == 0) {
      fprintf(stderr, "worker: told to abort\n");
      abort();
    }
    if (strcmp(argv[i], "read") == 0) {
      long bytes = 0;
      while (getchar() != EOF)
        ++bytes;
      printf("read %ld\n", bytes);
    }
    if (i + 1 < argc && strcmp(argv[i], "sleep") == 0)
      rest(atol(argv[i + 1]));
    if (strcmp(argv[i], "stay") == 0)
      stay(n, 1500);
    if (i + 1 < argc && strcmp(argv[i], "linger") == 0)
      stay(n, atol(argv[i + 1]));
    if (i + 1 < argc && strcmp(argv[i], "signal") == 0)
      raise(atoi(argv[i + 1]));
    if (i + 1 < argc && strcmp(argv[i], "leave") == 0)
      _exit(atoi(argv[i + 1]));
    if (i + 1 < argc && strcmp(argv[i], "status") == 0)
      return atoi(argv[i + 1]);
  }
  return x == 0xffffffffu;
}
