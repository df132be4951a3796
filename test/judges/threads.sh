#!/bin/bash
# Threads lose no count: programs with 2 to 64 POSIX, C11 and C++ threads (or threads.sh [posix] [c11] [std]), run three times;
# calls are exactly as many as the program makes, three runs are identical in every block, and derived counts equal the
# counters of all blocks. It does not test speed, nor threads that still run when the process ends (their last counts may be
# missing).
. "$(dirname "$0")/common.sh"

cat >posix.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum;
static void *work(void *argument) {
  unsigned x = (unsigned)(size_t)argument;
  for (int i = 0; i < 200000; ++i)
    x = tick(x + i);
  pthread_mutex_lock(&lock);
  sum += x;
  pthread_mutex_unlock(&lock);
  return NULL;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t t[64];
  for (int round = 0; round < 3; ++round) { /* threads come and go: their counters are handed on */
    for (int i = 0; i < n; ++i)
      pthread_create(&t[i], NULL, work, (void *)(size_t)i);
    for (int i = 0; i < n; ++i)
      pthread_join(t[i], NULL);
  }
  printf("%u\n", sum);
}
END
cat >c11.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static _Thread_local unsigned mine;
static int work(void *argument) {
  for (int i = 0; i < 200000; ++i)
    mine = tick(mine + i);
  return (int)(mine & 7);
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2, sum = 0;
  for (int round = 0; round < 3; ++round) {
    thrd_t t[64];
    for (int i = 0; i < n; ++i)
      thrd_create(&t[i], work, NULL);
    for (int i = 0, r = 0; i < n; ++i, sum += r)
      thrd_join(t[i], &r);
  }
  printf("%d\n", sum);
}
END
cat >std.cpp <<'END'
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>
extern "C" __attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static std::atomic<unsigned> sum;
static void work(unsigned x) {
  for (int i = 0; i < 200000; ++i) {
    try {
      x = tick(x + i);
      if (i % 50000 == 7)
        throw std::runtime_error("now and then");
    } catch (const std::exception &) {
      x ^= 1;
    }
  }
  sum += x;
}
int main(int argc, char **argv) {
  const unsigned n = argc > 1 ? atoi(argv[1]) : 2;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < n; ++i)
      threads.emplace_back(work, i);
    for (std::thread &t : threads)
      t.join();
  }
  std::printf("%u\n", sum.load());
}
END

for kind in ${*:-posix c11 std}; do
  if [ $kind = std ]; then cc=$clangxx pc=$plainxx src=std.cpp; else cc=$clang pc=$plain src=$kind.c; fi
  $pc -O2 -pthread -o $kind.plain $src
  if ! $cc -O2 -pthread $all -o $kind $src >build.log 2>&1; then
    bad "$kind: built with the flag"; sed 's/^/     | /' build.log; continue
  fi
  for n in 2 3 8 16 64; do
    good=yes
    for k in 1 2 3; do
      rm -f "$kind.$k.qx"*
      "$quincunx" run -o $kind.$k.qx -- ./$kind {} ::: $n >run.log 2>&1 || { good=; break; }
      $judge blocks --quincunx "$quincunx" $kind.$k.qx >$kind.$k.blocks || good=
    done
    if [ -z "$good" ]; then bad "$kind: $n threads, recorded"; sed 's/^/     | /' run.log; continue; fi
    if [ "$(./$kind.plain $n)" = "$(QUINCUNX_OUT='' ./$kind $n)" ]; then ok "$kind: $n threads, the same output"
    else bad "$kind: $n threads, the same output"; fi
    is=$(entries $kind.1.qx tick) should=$((3 * n * 200000))
    if [ "$is" = "$should" ]; then ok "$kind: $n threads, $should calls counted exactly"
    else bad "$kind: $n threads, $should calls, counted $is"; fi
    if cmp -s $kind.1.blocks $kind.2.blocks && cmp -s $kind.1.blocks $kind.3.blocks; then ok "$kind: $n threads, three runs identical"
    else bad "$kind: $n threads, three runs differ: $(cmp $kind.1.blocks $kind.2.blocks 2>&1 | head -1)"; fi
    check "$kind: $n threads, derived counts equal all block counters" judged $kind.1.qx
  done
done
finish
