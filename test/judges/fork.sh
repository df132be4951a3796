#!/bin/bash
# fork and exec lose no count and count nothing twice: parent and children each write a record, the records of one run add
# up to exactly the calls the program made. Other ends than exit are in test/runtime/exits.sh.
. "$(dirname "$0")/common.sh"

cat >forks.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
__attribute__((noinline)) unsigned before(unsigned x) { return x + 1; }
__attribute__((noinline)) unsigned child(unsigned x) { return x + 2; }
__attribute__((noinline)) unsigned parent(unsigned x) { return x + 3; }
static unsigned spin(int n, unsigned x) {
  for (int i = 0; i < n; ++i)
    x = tick(x + i);
  return x;
}
static void *thread(void *argument) { return (void *)(size_t)spin(500, (unsigned)(size_t)argument); }
int main(int argc, char **argv) {
  int children = argc > 1 ? atoi(argv[1]) : 1;
  unsigned x = spin(1000, 1);
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL); /* its counts are in an arena when the process forks */
  pthread_join(t, NULL);
  x = before(x);
  for (int i = 0; i < children; ++i) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
      x = child(spin(100, x));
      pthread_create(&t, NULL, thread, NULL);
      pthread_join(t, NULL);
      printf("child %u\n", x & 1);
      return 0;
    }
    int status;
    waitpid(pid, &status, 0);
    if (status != 0)
      return 1;
  }
  x = parent(spin(10, x));
  printf("parent %u\n", x & 1);
  return 0;
}
END
cat >starter.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int started(int x) { return x + 1; }
int main(int argc, char **argv) {
  int n = 0;
  for (int i = 0; i < 3; ++i)
    if (fork() == 0) {
      execv(argv[1], (char *[]){argv[1], "1", NULL});
      _exit(9);
    } else {
      int status;
      wait(&status);
      n = started(n) + (status != 0);
    }
  return n == 3 ? 0 : 1;
}
END
$plain -O2 -pthread -o plain forks.c
$clang -O2 -pthread $all -o forks forks.c
$clang -O2 $all -o starter starter.c

expect() { # expect TEXT CORPUS FUNCTION COUNT
  is=$(entries "$2" "$3")
  if [ "$is" = "$4" ]; then ok "$1: $3 was called $4 times"; else bad "$1: $3 was called $4 times, counted $is"; fi
}
for n in 1 2 5; do
  rm -f f.qx*
  check "$n children: recorded by run" "$quincunx" run -o f.qx -- ./forks {} ::: $n
  expect "$n children" f.qx tick $((1500 + n * 600 + 10))
  expect "$n children" f.qx before 1
  expect "$n children" f.qx child $n
  expect "$n children" f.qx parent 1
  check "$n children: derived counts agree with the block counters" judged f.qx
  if [ "$(./plain $n)" = "$(QUINCUNX_OUT='' ./forks $n)" ]; then ok "$n children: the same output"; else bad "$n children: the same output"; fi
  runs=$($quincunx corpus dump f.qx | awk -F'\t' '$1 == "run" { n++; p = $14 } END { print n, p }')
  if [ "$runs" = "1 $((n + 1))" ]; then ok "$n children: one run of $((n + 1)) processes"; else bad "$n children: one run of $((n + 1)) processes, got '$runs'"; fi
done

# by itself: a record for each process, and `corpus add` makes one run of them
mkdir alone && cd alone
../forks 2 >/dev/null
files=$(ls quincunx-forks-*.qxraw 2>/dev/null | wc -l)
if [ "$files" = 3 ]; then ok "by itself: three processes, three records"; else bad "by itself: three processes, $files records"; fi
check "by itself: the records can be added" "$quincunx" corpus add alone.qx quincunx-forks-*.qxraw
expect "by itself" alone.qx tick $((1500 + 2 * 600 + 10))
runs=$($quincunx corpus dump alone.qx | grep -c $'^run\t') || true
if [ "$runs" = 1 ]; then ok "by itself: they are one run"; else bad "by itself: they are one run, got $runs"; fi
cd ..

rm -f e.qx*
check "exec: recorded" "$quincunx" run -o e.qx -- ./starter {} ::: ./forks
expect exec e.qx started 3
expect exec e.qx tick $((3 * (1500 + 600 + 10)))
check "exec: derived counts agree with the block counters" judged e.qx
finish
