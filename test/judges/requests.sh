#!/bin/bash
# Requests: a program that handles N of them in 1, 4 and 16 threads, N below and above what is kept, and knows what each
# counts; optimised and not, position-independent and not; killed; forking. test/judges/requests.py judges.
. "$(dirname "$0")/common.sh"

cat >requests.c <<'END'
#include <pthread.h>
#include <quincunx/quincunx.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
__attribute__((noinline)) unsigned tock(unsigned x) { return x + 2; }
__attribute__((noinline)) unsigned outside(unsigned x) { return x * 5; }
QUINCUNX_REQUEST unsigned handle(unsigned id, unsigned x) {
  quincunx_feature("id", id);
  quincunx_feature("ticks", -1);
  quincunx_feature("ticks", id * 7919u % 13);
  for (unsigned i = 0; i < id * 7919u % 13; ++i)
    x = tick(x + i);
  if (id % 5 != 0)
    for (unsigned i = id % 5; i-- > 0;)
      x = tock(x);
  return x;
}
static atomic_uint next, sum;
static unsigned number;
static int die;
static void *work(void *argument) {
  unsigned x = 1;
  for (unsigned id; (id = atomic_fetch_add(&next, 1)) < number;) {
    x = outside(tick(x));
    x = handle(id, x);
    if (die && id + 1 == number) {
      sleep(1); /* the others end theirs */
      kill(getpid(), SIGKILL);
    }
  }
  atomic_fetch_add(&sum, x & 1);
  (void)argument;
  return NULL;
}
int main(int argc, char **argv) {
  unsigned threads = argc > 1 ? atoi(argv[1]) : 1;
  number = argc > 2 ? atoi(argv[2]) : 10;
  die = argc > 3;
  quincunx_feature("threads", threads);
  pthread_t t[64];
  for (unsigned i = 1; i < threads; ++i)
    pthread_create(&t[i], NULL, work, NULL);
  work(NULL);
  for (unsigned i = 1; i < threads; ++i)
    pthread_join(t[i], NULL);
  printf("%u\n", atomic_load(&next) - threads);
  return 0;
}
END
$plain -O2 -pthread -I"$root/include" -o plain requests.c
requests() { # requests TEXT PROGRAM THREADS N OPTIONS...
  what="$1, $3 threads, $4 requests" program=$2 threads=$3 n=$4
  shift 4
  rm -rf raw r.qx
  mkdir raw
  out=$(QUINCUNX_OUT=raw/ ./"$program" "$threads" "$n" 2>err) || true
  check "$what: the same output" test "$out" = "$(./plain "$threads" "$n")" -a ! -s err
  check "$what: recorded" "$quincunx" corpus add r.qx raw/*.qxraw
  "$quincunx" corpus dump r.qx >dump
  check "$what: counts, sums, sample and features" \
    bash -c "python3 '$here/requests.py' --threads $threads --ended $n --begun $n $* <dump"
}
for how in "-O0" "-O2" "-O2 -fPIC" "-O3 -fplugin-arg-quincunx-record=calls,runs"; do
  if ! $clang $how -pthread -fplugin-arg-quincunx-record=blocks -o prog requests.c 2>build.log; then
    bad "$how: built with the flag"; sed 's/^/     | /' build.log; continue
  fi
  for threads in 1 4 16; do
    requests "$how" prog $threads 700
    requests "$how" prog $threads 20000
  done
  rm -rf raw r.qx
  mkdir raw
  (QUINCUNX_OUT=raw/ ./prog 4 6000 die || true) >/dev/null 2>&1
  check "$how, killed: one live file is left" test "$(ls raw)" = "$(ls raw | grep live)" -a "$(ls raw | wc -l)" = 1
  check "$how, killed: recorded" "$quincunx" corpus add r.qx raw/*.qxraw
  "$quincunx" corpus dump r.qx >dump
  check "$how, killed: its log is whole" bash -c "python3 '$here/requests.py' --killed --ended 6000 --begun 6000 <dump"
  check "$how, killed: its requests are read" bash -c "'$quincunx' report --per request r.qx | grep -q '1024 of 6000 requests'"
done
QUINCUNX_OUT='' ./prog 2 100 >/dev/null
check "an empty QUINCUNX_OUT records nothing" bash -c '! ls *.qxraw 2>/dev/null'
finish
