/* What the corpora of this folder counted. Of an input n, with r from 1 to n: serve is called n times, the line BODY is executed
 * r times in each, and odd called for every third. */
#include <quincunx/quincunx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char bytes[4096];
static unsigned sum;

__attribute__((noinline)) static void odd(unsigned n) { sum += n; }

QUINCUNX_REQUEST __attribute__((noinline)) static void serve(unsigned r) {
  quincunx_feature("r", r);
  for (unsigned i = 0; i < r; ++i) {
    sum = sum * 31 + i; /* BODY */
    if (i % 3 == 0)
      odd(i);
  }
  memcpy(bytes, bytes + 2048, r);
}

int main(int argc, char **argv) {
  unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  for (unsigned r = 1; r <= n; ++r)
    serve(r);
  if (argc > 2)
    raise(SIGKILL); /* a live file stays */
  printf("%u\n", sum + (unsigned char)bytes[0]);
  return 0;
}
