#!/bin/bash
# Requests where processes and images come and go: fork in a request and outside, libraries opened and closed in one, signals
# and threads that end in one. Counts of requests in general are judged by test/judges/requests.sh.
. "$(dirname "$0")/../judges/common.sh"

cat >forks.c <<'END'
#include <pthread.h>
#include <quincunx/quincunx.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static unsigned ticks(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; ++i)
    x = tick(x + i);
  return x;
}
QUINCUNX_REQUEST unsigned plain(unsigned n) { return ticks(n); }
QUINCUNX_REQUEST unsigned forking(unsigned n) {
  unsigned x = ticks(n);
  if (fork() == 0) {
    x += ticks(100); /* in no request */
    return x;
  }
  wait(NULL);
  return x + ticks(n);
}
static void handler(int signal) { plain((unsigned)signal % 2 + 1); } /* belongs to the request it interrupts */
QUINCUNX_REQUEST unsigned interrupted(unsigned n) {
  ticks(n);
  raise(SIGUSR1);
  return ticks(n);
}
QUINCUNX_REQUEST unsigned ends(unsigned n) {
  ticks(n);
  pthread_exit(NULL);
}
static void *thread(void *argument) { return (void *)(size_t)ends((unsigned)(size_t)argument); }
int main(void) {
  pid_t first = getpid();
  quincunx_feature("outside", 2);
  plain(3);
  forking(5);
  if (getpid() == first) {
    signal(SIGUSR1, handler);
    interrupted(4);
    handler(SIGUSR2);
    pthread_t t;
    pthread_create(&t, NULL, thread, (void *)6);
    pthread_join(t, NULL);
    pthread_create(&t, NULL, thread, (void *)6);
    pthread_join(t, NULL);
  } else {
    plain(7);
    plain(8);
  }
  return 0;
}
END
for how in -O0 -O2; do
  $clang $how -pthread $all -o forks forks.c
  rm -rf raw f.qx
  mkdir raw
  QUINCUNX_OUT=raw/ ./forks
  check "$how: parent and child leave a record each" test "$(ls raw | wc -l)" = 2
  check "$how: recorded" "$quincunx" corpus add f.qx raw/*.qxraw
  "$quincunx" corpus dump f.qx >dump
  python3 "$here/../judges/requests.py" --table <dump >table
  # a handler below a request belongs to it; usr1 is 10, usr2 is 12: one tick each
  cat >expected <<'END'
ends 2 0 -
forking 1 1 10
interrupted 1 1 9
plain 2 2 3,1
plain 2 2 7,8
END
  check "$how: requests of parent and child" diff <(sort table) expected
  check "$how: the run has its feature" grep -q "^feature	.*	outside	2$" dump
done

cat >library.c <<'END'
__attribute__((noinline)) unsigned tock(unsigned x) { return x % 5 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
unsigned tocks(unsigned n) { unsigned x = 1; for (unsigned i = 0; i < n; ++i) x = tock(x + i); return x; }
END
cat >opens.c <<'END'
#include <dlfcn.h>
#include <quincunx/quincunx.h>
#include <stdlib.h>
__attribute__((noinline)) unsigned tick(unsigned x) { return x * 3; }
static void *library;
static unsigned tocks(unsigned n) { return ((unsigned (*)(unsigned))dlsym(library, "tocks"))(n); }
QUINCUNX_REQUEST unsigned opens(unsigned n) {
  library = dlopen("./library.so", RTLD_NOW);
  return tick(tocks(n));
}
QUINCUNX_REQUEST unsigned uses(unsigned n) { return tick(tocks(n)); }
QUINCUNX_REQUEST unsigned closes(unsigned n) {
  unsigned x = tick(tocks(n));
  dlclose(library);
  return tick(x);
}
int main(void) {
  for (int i = 1; i <= 3; ++i) {
    opens(3 * i);
    uses(4 * i);
    closes(5 * i);
  }
  return 0;
}
END
$clang -O2 $blocks -fPIC -shared -o library.so library.c
$clang -O2 $blocks -o opens opens.c
rm -rf raw o.qx
mkdir raw
check "a library opened and closed in requests does no harm" env QUINCUNX_OUT=raw/ ./opens
check "recorded" "$quincunx" corpus add o.qx raw/*.qxraw
"$quincunx" corpus dump o.qx | python3 "$here/../judges/requests.py" --table >table
check "what the program counts is in all of them" diff table <(printf 'closes 3 3 2,2,2\nopens 3 3 1,1,1\nuses 3 3 1,1,1\n')
"$quincunx" corpus dump o.qx | sed 's/\ttock\t/\ttick\t/' | python3 "$here/../judges/requests.py" --table >table
check "and the library's where it is open from then on" \
  bash -c "grep -q '^opens 3 3 4,7,10$' table && grep -q '^uses 3 3 5,9,13$' table && grep -q '^closes 3 3 2,2,2$' table"
finish
