#!/bin/bash
# Histograms of record=calls and record=runs where processes, threads and images come and go: blocks that a thread gets when
# it first needs them must be in the record, once, whatever ends the process. That every bin is right is judged by runs.sh.
. "$(dirname "$0")/../judges/common.sh"

cat >p.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned sink;
/* A call that costs about 10 n, one trip more than n, and n / 3 runs. */
__attribute__((noinline)) void spin(unsigned n) {
  for (unsigned i = 0; i != n; ++i) {
    if (sink % 3 == 0)
      sink = i * 7;
    sink = sink + 1;
  }
}
__attribute__((noinline)) void late(unsigned n) { /* met for the first time by copies, or without memory */
  for (unsigned i = 0; i != n; ++i)
    sink = sink + (sink & 1);
}
static void spins(int calls) {
  for (int i = 0; i < calls; ++i)
    spin(1u << i % 12);
}
__attribute__((noinline)) static int parts(void) { return fork(); }
static pid_t child = -1;
__attribute__((noinline)) void outer(unsigned n) { /* forks while its state is in the frame */
  for (unsigned i = 0; i != n; ++i) {
    if (i == 3)
      child = parts();
    sink = sink + i;
  }
}
static void *thread(void *argument) {
  spins((int)(size_t)argument);
  return NULL;
}
/* Recursive, and left by a thread that ends: not active in the next one that has its arena. */
__attribute__((noinline)) unsigned deep(unsigned n, unsigned end) {
  for (unsigned i = 0; i != 3; ++i)
    sink = sink + i;
  if (n == end)
    pthread_exit(NULL);
  return n == 0 ? sink : deep(n - 1, end) + sink % 2;
}
static void *leaves(void *argument) { return (void *)(size_t)deep(20, (unsigned)(size_t)argument); }
static void *returns(void *argument) {
  volatile char room[1 << 14]; /* so that its frames lie below those of the thread before it */
  room[sink % sizeof room] = 1;
  return (void *)(size_t)(deep(20, 99) + (unsigned)(size_t)argument);
}
static volatile long by_number = SYS_clone; /* no constant: nobody is told */
static int raw_clone(unsigned long flags) { return (int)syscall(by_number, flags | SIGCHLD, 0, 0, 0, 0); }
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int status = 0;
  if (!strcmp(what, "kill") || !strcmp(what, "_exit") || !strcmp(what, "plain")) {
    spins(100);
    if (what[0] == 'k')
      raise(SIGKILL);
    if (what[0] == '_')
      _exit(0);
  } else if (!strcmp(what, "fork")) {
    spins(5);
    outer(9);
    spins(child == 0 ? 7 : 3);
    if (child != 0)
      waitpid(child, &status, 0);
  } else if (!strcmp(what, "threads")) {
    pthread_t t[64];
    for (int i = 0; i < 64; ++i)
      pthread_create(&t[i], NULL, thread, (void *)(size_t)50);
    for (int i = 0; i < 64; ++i)
      pthread_join(t[i], NULL);
  } else if (!strcmp(what, "left")) {
    for (int i = 0; i < 6; ++i) {
      pthread_t t;
      pthread_create(&t, NULL, i % 2 ? returns : leaves, (void *)5);
      pthread_join(t, NULL);
    }
  } else if (!strcmp(what, "copy")) { /* both go on, and each comes to places where the other was not */
    spin(1);
    int other = raw_clone(0);
    for (unsigned i = 0; i < 16; ++i)
      spin(1u << i), late(i), sched_yield();
    if (other == 0)
      _exit(7);
    waitpid(other, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
      return 1;
  } else if (!strcmp(what, "vfork")) {
    spin(1);
    int other = vfork();
    if (other == 0) {
      spin(10000), late(3);
      _exit(7);
    }
    waitpid(other, &status, 0);
    spin(10000), late(3);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
      return 1;
  } else if (!strcmp(what, "memory")) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_AS, &none);
    for (unsigned i = 0; i < 26; ++i)
      spin(1u << i % 20), late(i);
    puts("still here");
  } else if (!strcmp(what, "library")) {
    for (int i = 0; i < 3; ++i) {
      void *l = dlopen("./l.so", RTLD_NOW);
      void (*work)(unsigned) = (void (*)(unsigned))dlsym(l, "work");
      for (unsigned n = 0; n < 4; ++n)
        work(1u << 4 * n);
      dlclose(l);
    }
  }
  return 0;
}
END
cat >l.c <<'END'
static volatile unsigned sink;
void work(unsigned n) {
  for (unsigned i = 0; i != n; ++i)
    sink = sink + i % 3;
}
END

# what the runtime itself calls is the program's, and counted
cat >own.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#ifdef COPY
void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  for (size_t i = 0; i != n; ++i)
    ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
#else
static unsigned locks;
int pthread_mutex_lock(pthread_mutex_t *m) {
  static int (*real)(pthread_mutex_t *);
  for (unsigned i = 0; i != 3; ++i)
    ++locks;
  if (real == NULL)
    real = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  return real(m);
}
#endif
__attribute__((noinline)) int late(int n) {
  int sum = 0;
  for (int i = 0; i != n; ++i)
    sum += i % 3;
  return sum;
}
int main(void) {
  char a[40] = "still here", b[40];
  memcpy(b, a, sizeof a);
  puts(b);
  return late(4) != 3;
}
END
# a callback that holds the dynamic linker's lock, while a library is opened
cat >dl.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>
volatile int flag;
volatile unsigned sink;
static int callback(struct dl_phdr_info *info, size_t n, void *data) {
  for (unsigned i = 0; i != 5; ++i)
    sink = sink + i;
  usleep(200000);
  return info == NULL || n == 0 || data != NULL || 1;
}
static void *looks(void *argument) {
  while (!flag)
    usleep(100);
  usleep(20000);
  dl_iterate_phdr(callback, argument);
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, looks, NULL);
  if (dlopen("./slow.so", RTLD_NOW) == NULL)
    return 2;
  return pthread_join(t, NULL);
}
END
cat >slow.c <<'END'
#include <unistd.h>
extern volatile int flag;
__attribute__((constructor(50), no_profile_instrument_function)) static void early(void) {
  flag = 1;
  usleep(100000);
}
void work(unsigned n) { usleep(n); }
END
# calls from one place, of which some are left by an exception
cat >thrown.cpp <<'END'
__attribute__((noinline)) int value(int (*next)(int), int n) {
  for (int i = 0; i != 3; ++i)
    n += i;
  return n == 5 ? throw n : next(n);
}
int main() {
  int sum = 0;
  for (int i = 0; i != 100; ++i)
    try {
      sum += value([](int n) { return n & 1; }, i % 10);
    } catch (int) {
    }
  return sum != 40;
}
END

# counted FUNCTION: calls in its histogram, their cost, and entries of its loop, over all runs
counted() {
  "$quincunx" corpus dump t.qx | awk -F'\t' -v f="$1" '
    $1 == "function" && $4 == f { id[$2 "/" $3] = 1 }
    $1 == "costs" && $3 "/" $4 in id { calls += $5; cost += $6; n = split($7, b, ","); for (i = 1; i <= n; ++i) { split(b[i], p, ":"); in_bins += p[2] } }
    $1 == "trips" && $3 "/" $4 in id { n = split($7, b, ","); for (i = 1; i <= n; ++i) { split(b[i], p, ":"); trips += p[2] } }
    END { print calls + 0, in_bins + 0, trips + 0, cost + 0 }'
}
# does WHAT [STATUS]: a run of it in t.qx
does() {
  rm -rf raw t.qx
  mkdir raw
  s=0
  QUINCUNX_OUT="$work/raw/" ./p "$1" >out 2>err || s=$?
  [ $s = "${2:-0}" ] || { echo "status $s"; cat err; return 1; }
  "$quincunx" corpus add t.qx raw/*.qxraw
}
# has FUNCTION CALLS: that many calls, in their bins, and as many entries of its loop
has() {
  read -r calls bins trips cost <<<"$(counted "$1")"
  echo "$1: $calls calls, $bins in bins, $trips entries, cost $cost; wanted $2"
  [ "$calls $bins $trips" = "$2 $2 $2" ]
}
forked() { does fork && has spin 15 && has outer 2 && [ "$(ls raw | wc -l)" = 2 ]; }
same_cost() { # a killed process counted what one that ended did
  does plain && counted spin >one && does kill 137 && counted spin >two && has spin 100 && cmp one two
}
copies() { # of the copy nothing is known; the parent's own are there
  does copy || return 1
  read -r calls bins trips cost <<<"$(counted spin)"
  [ "$calls" -ge 17 ] && has late 16
}
three_returned() { # of six threads, three of which end in the middle: outermost calls that returned
  does left || return 1
  read -r calls bins trips cost <<<"$(counted deep)"
  echo "$calls calls of 3"
  [ "$calls $bins" = "3 3" ]
}
no_memory() { does memory && grep -q 'still here' out && [ "$(grep -c 'no memory' err)" = 1 ]; }
two_vforks() { # what such a child counts in words its parent has is its parent's
  does vfork || return 1
  read -r calls bins trips cost <<<"$(counted late)"
  [ "$calls" = "$bins" ] && [ "$calls" -ge 1 ] && [ "$calls" -le 2 ]
}

for flags in -O0 -O2 '-O2 -no-pie' '-O1 -fno-strict-aliasing'; do
  $clang $flags "$all" -o p p.c -ldl && $clang $flags "$all" -fPIC -shared -o l.so l.c
  check "$flags: 100 calls" eval 'does plain && has spin 100'
  check "$flags: 100 calls before SIGKILL, the same bins" same_cost
  check "$flags: 100 calls before _exit" eval 'does _exit && has spin 100'
  check "$flags: fork in a loop: each process its own" forked
  check "$flags: 64 threads" eval 'does threads && has spin 3200'
  check "$flags: threads that end in a recursion" three_returned
  check "$flags: a copy of the process that nobody told us of" copies
  check "$flags: vfork" two_vforks
  check "$flags: without memory the program goes on" no_memory
  check "$flags: a library opened three times" eval 'does library && has work 12'
done
for flags in -O0 '-O2 -fPIC'; do
  for what in -DCOPY -DLOCK; do
    $clang $flags $what -fno-builtin "$all" -o own own.c -ldl
    for out in "$work/raw/" ''; do
      check "$flags $what, QUINCUNX_OUT=${out:+raw/}: the program ends" env QUINCUNX_OUT="$out" timeout 20 ./own
    done
  done
  $clang $flags "$all" -rdynamic -o dl dl.c -ldl && $clang $flags "$all" -fPIC -shared -o slow.so slow.c
  check "$flags: a callback of the dynamic linker's, while a library is opened" env QUINCUNX_OUT="$work/raw/" timeout 20 ./dl
  $clangxx $flags "$all" -o p thrown.cpp
  check "$flags: calls after an exception from the same place" eval 'does "" && "$quincunx" report --per call --json t.qx | grep -q "\"calls\": *90"'
done
finish
