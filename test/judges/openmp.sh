#!/bin/bash
# Strands of OpenMP: programs that know their work, their span and the way that their locks made (strands_tasks.c, which is not
# instrumented): teams, barriers, tasks that are waited for, left, grouped and dependent, teams in teams; with 1 to 64 threads.
# What quincunx critical says of a run has to be equal to the last digit, outputs those of the plain program, and the span of
# tasks the same however many threads ran them.
. "$(dirname "$0")/common.sh"
strands=-fplugin-arg-quincunx-record=counts,calls,strands
libomp=$($plain -print-file-name=libomp.so)
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0

cp "$here"/strands_tasks.[ch] "$here"/strands_way.h "$here"/strands_openmp.c .
link="-fopenmp -Wl,-rpath,$(dirname "$libomp")"
$plain -O2 -g -fopenmp -c strands_tasks.c -o known.o
$plain -O2 -DPLAIN $link strands_openmp.c -o plain

say() { # say CORPUS: work, span and span with locks of its only run
  $quincunx critical --json "$1" | python3 -c 'import json, sys
document = json.load(sys.stdin)
run, = document["runs"]
print(run["work"], run["span"], run["spanWithLocks"])
sys.exit(any(note["kind"] != "one-thread" for note in document["notes"]))'
}
record() { # record BINARY PROGRAM THREADS
  rm -f run.qx
  $quincunx run -q -o run.qx --repeat 1 -- "$@" >/dev/null && mv known.txt expected.txt
}
agrees() { # agrees BINARY PROGRAM THREADS
  record "$@" && QUINCUNX_OUT= "$@" >own.out 2>/dev/null && ./plain "$2" "$3" >plain.out && cmp own.out plain.out || return 1
  say run.qx >said && diff expected.txt said
}
for level in -O0 -O2; do
  $clang $level -g $link $strands strands_openmp.c known.o -o prog$level
  for program in barriers locks tree groups dependences nested; do
    for threads in 1 2 7 64; do
      [ $threads -lt 7 ] || [ $level = -O2 ] || continue
      case $program.$threads in nested.64 | tree.1 | groups.1 | dependences.1) continue ;; esac
      check "$level: $program, $threads threads: work, span and span with locks" agrees ./prog$level $program $threads
    done
  done
done

# A team of one thread executes tasks where they are made: they are in a row, which is said.
in_a_row() {
  record ./prog-O2 tree 1 && say run.qx >said
  [ "$(cut -d' ' -f1 said)" = "$(cut -d' ' -f2 said)" ] && $quincunx critical run.qx | grep -q "in teams of one thread"
}
check "one thread: tasks in a row, and a note says so" in_a_row

# What a region does last would be a jump, and seem to be of OpenMP's library: 16 threads share a lock for a third of their work.
cat >last.cpp <<'EOF'
#include <mutex>
static std::mutex mutex;
static unsigned results[17];
__attribute__((noinline)) static unsigned grind(unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < n; ++i)
    x = x % 7 == 3 ? x * 3 + i : x ^ (x >> 3) ^ i;
  return x;
}
extern "C" int omp_get_thread_num();
int main() {
#pragma omp parallel num_threads(16)
  {
    results[omp_get_thread_num()] = grind(2000);
    std::lock_guard lock(mutex);
    results[16] += grind(1000);
  }
}
EOF
last() {
  rm -f run.qx
  $clangxx -O2 -g -std=c++20 $link $strands last.cpp -o last && $quincunx run -q -o run.qx --repeat 1 -- ./last && say run.qx | awk '{ print; exit !($1 > 47 * $2 / 3.1 && $3 > 5.5 * $2 && $3 < 6.1 * $2) }'
}
check "a lock that is given up as the last thing in a region" last

# Directives in the program itself: tasks have the same span with any number of threads.
outputs() { [ "$(./plain own "$1")" = "$(QUINCUNX_OUT= ./prog-O2 own "$1" 2>/dev/null)" ]; }
spans() {
  for threads in 2 8; do
    record ./prog-O2 own $threads && say run.qx
  done | python3 -c 'import sys
few, many = ([int(x) for x in line.split()] for line in sys.stdin)
sys.exit(not (0.98 < many[0] / few[0] < 1.02 and few[0] > 1.9 * few[1] * 0.9 and many[1] < 0.45 * few[1]))'
}
check "directives of its own: outputs with 1 and 8 threads" eval 'outputs 1 && outputs 8'
check "directives of its own: the same work, and a shorter span with more threads" spans
# Another tool of OpenMP goes first: nothing is known of teams, and that is said.
other() {
  echo 'void *ompt_start_tool(unsigned v, const char *n) { return 0; }' >tool.c
  $clang -O2 $link $strands strands_openmp.c tool.c known.o -o other && record ./other own 2 || return 1
  ! say run.qx >said && $quincunx critical run.qx | grep -q "libomp reported nothing"
}
check "another OMPT tool goes first, and a note says what is missing" other
finish
