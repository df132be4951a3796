// fork below other frames: in the child they return without having been entered there.
// RUN: for o in 0 1 2; do %clang -O$o %blocks %s -o %t && record %t && judged %t --exact && rm -f %t.run.qx && %quincunx run -q -o %t.run.qx -- %t {} ::: 1 && %judge counts --quincunx %quincunx %t.run.qx || exit 1; done
// Copies without fork() as well.
// RUN: for copy in '_Fork()' 'syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)' 'syscall(SYS_fork)'; do %clang -O1 "-DCOPY=$copy" %blocks %s -o %t && record %t && judged %t --exact && test $(ls %t.raw | wc -l) = 2 || exit 1; done
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static int forker(int i) {
#ifdef COPY
  int p = COPY;
#else
  int p = fork();
#endif
  return p == 0 ? -i : p;
}
__attribute__((noinline)) static int middle(int i) {
  int s = 0;
  for (int k = 0; k < i; ++k)
    s += k;
  if (s > 100)
    s = 1;
  int p = i == 3 ? forker(i) : i;
  if (p < 0)
    s += 10;
  else
    s += 3;
  for (int k = 0; k < i; ++k)
    s ^= k;
  return p < 0 ? -1 : s;
}
int main(void) {
  int s = 0;
  for (int i = 0; i < 6; ++i) {
    int r = middle(i);
    if (r < 0) {
      s = 1000;
    }
    s += r;
  }
  if (s < 900)
    wait(0);
  printf("%d\n", s);
  return 0;
}
