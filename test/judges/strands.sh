#!/bin/bash
# Strands: programs that know their work, their span and the way that their locks made, as they carry the longest way with them
# through each wait (strands_known.c, which is not instrumented and reads the clock alone); with and without optimisation and
# with 64 threads. What quincunx critical says of a run has to be equal to the last digit where it does not depend on timing who
# waits for whom. Outputs and results of calls are those of the plain program, and a killed program is told from one that ended.
. "$(dirname "$0")/common.sh"
strands=-fplugin-arg-quincunx-record=counts,calls,strands

cp "$here"/strands_known.[ch] "$here"/strands_way.h "$here"/strands_programs.c "$here"/strands_cxx.cpp .
$plain -O2 -g -c strands_known.c -o known.o
$plain -O2 -DPLAIN -pthread strands_programs.c -o plain
$plainxx -std=c++20 -O2 -DPLAIN -pthread strands_cxx.cpp -o plain_cxx

say() { # say CORPUS: work, span and span with locks of its only run
  $quincunx critical --json "$1" | python3 -c 'import json, sys
run, = json.load(sys.stdin)["runs"]
print(run["work"], run["span"], run["spanWithLocks"])'
}
as_plain() { # as_plain BINARY PROGRAM THREADS PLAIN: recorded, its record's figures said, output that of the plain program
  rm -f run.qx
  $quincunx run -q -o run.qx --repeat 1 -- "$1" "$2" "$3" >/dev/null
  mv known.txt expected.txt
  QUINCUNX_OUT= "$1" "$2" "$3" >own.out 2>/dev/null && "$4" "$2" "$3" >plain.out && cmp own.out plain.out || return 1
  say run.qx >said
}
agrees() { as_plain "$@" ./plain && diff expected.txt said; } # agrees BINARY PROGRAM THREADS
for level in -O0 -O2; do
  $clang $level -g -pthread $strands strands_programs.c known.o -o prog$level
  for program in tree chain pipeline barrier rendezvous readers recursive; do
    for threads in 2 7 64; do
      [ $threads != 64 ] || [ $level = -O2 ] || continue
      check "$level: $program, $threads threads: work, span and span with locks" agrees ./prog$level $program $threads
    done
  done
done

# C++20's waits, and futures. The library's own code around a wait is not told apart to the last digit: 1 in 1,000.
near() { # near BINARY PROGRAM THREADS
  as_plain "$@" ./plain_cxx && paste expected.txt said | awk '{ for (i = 1; i <= 3; ++i) if (($i - $(i + 3)) ^ 2 > ($i / 1000) ^ 2) bad = 1 } bad { print; exit 1 }'
}
for level in -O0 -O2; do
  $clangxx -std=c++20 $level -g -pthread $strands strands_cxx.cpp known.o -o cxx$level
  for program in latches barriers semaphores futures countdowns atomics once; do
    check "$level: $program, 5 threads: work, span and span with locks" near ./cxx$level $program 5
  done
done

total() { rm -f known.txt; QUINCUNX_OUT= "$1" "$2" 7 2>/dev/null >/dev/null && cut -d' ' -f1 known.txt; }
$clang -O2 -g -pthread strands_programs.c known.o -o counted
for program in tree chain barrier; do
  check "$program: the work is that of record=counts,calls" test "$(total ./counted $program)" = "$(total ./prog-O2 $program)"
done
results() { ./plain results 1 >plain.out; ./prog-O2 results 1 >own.out; cmp plain.out own.out; }
check "results and errno of locks, timed waits and semaphores" results

leaves() { # who ends by _exit behind its threads is told, and not where it worked on by itself
  cat >leaves.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile unsigned x = 1;
static void *work(void *n) {
  for (size_t i = 0; i < (size_t)n; ++i)
    x = x * 5 + 1;
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, NULL, work, (void *)100000);
  pthread_join(t, NULL);
  work((void *)(size_t)atoi(argv[1]));
  _exit(argc == 1);
}
C
  $clang -O2 -g -pthread $strands leaves.c -o leaves || return 1
  for behind in 0 100000; do
    rm -f run.qx
    $quincunx run -q -o run.qx --repeat 1 -- ./leaves $behind && $quincunx scale --unit counts run.qx >said 2>&1
    echo $?
    grep -o 'a part of its work is of threads of which the end is not known' said
  done
}
check "who ends by _exit" test "$(leaves)" = "0
1
a part of its work is of threads of which the end is not known"

killed() {
  rm -f run.qx
  $quincunx run -q -o run.qx --repeat 1 -- ./prog-O2 killed 4 >/dev/null 2>&1
  ! $quincunx critical run.qx >said 2>&1 && grep -q "no run has finished" said
}
check "a killed run has no critical path" killed
none() {
  rm -f run.qx
  $quincunx run -q -o run.qx --repeat 1 -- ./counted tree 2 >/dev/null
  ! $quincunx critical run.qx >said 2>&1 && grep -q "no strands were recorded" said && ! nm ./counted | grep -q 'W pthread_mutex_lock'
}
check "without the word nothing is in place of libc's functions" none
finish
