#!/bin/bash
# record=predictor where processes, threads, signals and images come and go: the program behaves as without it, and what it
# counts otherwise stays what it was. That the predictor foretells what it should: simulated.sh; what the pass tells it:
# test/passes/predictor.c.
. "$(dirname "$0")/../judges/common.sh"
flag=-fplugin-arg-quincunx-record=counts,predictor
within() { python3 "$root/test/judges/predictor.py" --quincunx "$quincunx" within "$@"; }
misses() { python3 "$root/test/judges/predictor.py" --quincunx "$quincunx" sums "$1" | cut -d' ' -f1-4; } # of no addresses
recorded() { # recorded PROGRAM ARGUMENT...: its records in t.qx
  rm -rf raw t.qx
  mkdir raw
  QUINCUNX_OUT=$work/raw/ "$@" && "$quincunx" corpus add t.qx raw/*.qxraw
}

cat >p.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned sink, ticks;
__attribute__((noinline)) static unsigned noise(unsigned x, int n) { /* about n / 2 misses */
  for (int i = 0; i < n; ++i) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    if (x & 64)
      sink = x;
  }
  return x;
}
__attribute__((noinline)) static void steady(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    if (i % 5 < 2)
      sink = i;
}
static void *thread(void *a) { return (void *)(size_t)noise((unsigned)(size_t)a, 10000); }
static pthread_key_t key;
static void late(void *a) { /* a destructor's thread has no machine any more, or still */
  noise(7, 100);
  if (a != (void *)9)
    pthread_setspecific(key, (char *)a + 1);
}
static void *with_key(void *a) { return pthread_setspecific(key, (void *)1), thread(a); }
static sigjmp_buf back;
static void jumps(int s) { (void)s, ++ticks, noise(ticks, 50), siglongjmp(back, 1); }
static void works(int s) { (void)s, ++ticks, noise(ticks, 50); }
static void every(int us) {
  struct itimerval t = {{0, us}, {0, us}};
  setitimer(ITIMER_REAL, &t, NULL);
}
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  pthread_t t[32];
  int status = 0;
  if (!strcmp(what, "threads"))
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 32; ++i)
        pthread_create(&t[i], NULL, thread, (void *)(size_t)(i + 1));
      for (int i = 0; i < 32; ++i)
        pthread_join(t[i], NULL);
    }
  else if (!strcmp(what, "many")) { /* more than could keep what they had */
    struct rlimit room = {1ul << 30, 1ul << 30};
    setrlimit(RLIMIT_AS, &room);
    for (int i = 0; i < 6000; ++i)
      if (pthread_create(t, NULL, thread, (void *)1) != 0 || pthread_join(*t, NULL) != 0)
        return 2;
  } else if (!strcmp(what, "key")) {
    pthread_key_create(&key, late);
    pthread_create(t, NULL, with_key, (void *)1);
    pthread_join(*t, NULL);
  } else if (!strcmp(what, "fork")) {
    noise(3, 1000);
    for (int i = 0; i < 4; ++i)
      if (fork() == 0) {
        noise(5, 1000);
        pthread_create(t, NULL, thread, (void *)1);
        pthread_join(*t, NULL);
        return 0;
      }
    while (wait(&status) > 0)
      if (status != 0)
        return 3;
    noise(4, 1000);
  } else if (!strcmp(what, "handler") || !strcmp(what, "jump")) { /* in the middle of everything */
    signal(SIGALRM, what[0] == 'h' ? works : jumps);
    every(200);
    sigsetjmp(back, 1);
    for (unsigned i = 0; ticks < 500; ++i)
      noise(i + 1, 1000);
    every(0);
    steady(100000); /* whatever they left, it learns */
  } else if (!strcmp(what, "midway")) {
    for (int i = 0;; ++i)
      if (noise((unsigned)i + 1, 100) && i == 20)
        exit(5);
  } else if (!strcmp(what, "killed")) {
    noise(1, 10000);
    raise(SIGKILL);
  } else if (!strcmp(what, "library")) { /* its branch goes as ours before it, which it does not see */
    void *l = dlopen("./l.so", RTLD_NOW);
    void (*same)(unsigned) = (void (*)(unsigned))dlsym(l, "same");
    for (unsigned i = 0, x = 1; i < 10000; ++i) {
      x = noise(x, 1);
      same(x);
    }
    dlclose(l);
  }
  return 0;
}
END
cat >memory.c <<'END'
#include <stdio.h>
#include <sys/resource.h>
static volatile unsigned sink;
__attribute__((noinline)) static void noise(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    if (i * 2654435761u & 1u << 30)
      sink = i;
}
__attribute__((no_profile_instrument_function)) int main(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_AS, &none);
  noise(1000);
  return puts("still here") < 0;
}
END
cat >l.c <<'END'
static volatile unsigned sink;
void same(unsigned x) {
  if (x & 64)
    sink = x;
}
END
threads() { recorded ./p threads && within t.qx noise branch 400000 500000; }
same_twice() {
  for i in 1 2; do recorded ./p threads && misses t.qx >$i; done
  [ -s 1 ] && cmp 1 2
}
many() { recorded ./p many 2>err && ! grep -q 'no memory' err; }
forks() { recorded ./p fork && within t.qx noise branch 20000 30000; }
ends() { # ends STATUS HOW LOW HIGH
  rm -rf raw t.qx && mkdir raw
  s=0
  QUINCUNX_OUT=$work/raw/ ./p "$2" || s=$?
  [ $s = "$1" ] && "$quincunx" corpus add t.qx raw/*.qxraw && within t.qx noise branch "$3" "$4"
}
handlers() { recorded ./p "$1" && within t.qx steady branch 0 2000; }
library() { recorded ./p library && within t.qx noise branch 4500 5500 same branch 4500 5500; }
no_memory() { recorded ./memory >out 2>err && grep -q 'still here' out && [ "$(grep -c 'no memory' err)" = 1 ]; }
for flags in -O0 -O2 '-O2 -fPIC'; do
  $clang $flags $flag -pthread -o p p.c -ldl && $clang $flags $flag -fPIC -shared -o l.so l.c
  $clang $flags $flag -o memory memory.c
  check "$flags: 96 threads, one after another's end" threads
  check "$flags: the same misses in two processes" same_twice
  check "$flags: 6000 threads leave nothing behind" many
  check "$flags: destructors of a thread" recorded ./p key
  check "$flags: fork, and threads of children" forks
  check "$flags: handlers in the middle of it" handlers handler
  check "$flags: handlers that jump out of it" handlers jump
  check "$flags: exit in mid-loop" ends 5 midway 500 1300
  check "$flags: SIGKILL" ends 137 killed 4500 5500
  check "$flags: a library that is opened has a predictor of its own" library
  check "$flags: without memory the program goes on" no_memory
done
# The tests of the other tiers, with this one besides.
for other in runtime/exits.sh judges/fork.sh; do
  check "$other, with the predictor" env ALSO=predictor BUILD="$BUILD" bash "$root/test/$other"
done
for construct in coroutine.cpp exceptions.cpp exit.c gotos.c loops.c setjmp.c tails.c templates.cpp; do
  check "$construct, with the predictor" env ALSO=predictor "$root/test/passes/run.py" --build "$BUILD" --llvm "$LLVM" \
    "$root/test/passes/$construct"
done
finish
