#!/bin/bash
# Loops that one thread goes through, asked as if a team shared them: speedups are those of the iterations' work as the
# schedule deals it, at -O0 and -O2; with one thread nothing changes; and a team that really shares the loop is told the same.
. "$(dirname "$0")/common.sh"
libomp=$($plain -print-file-name=libomp.so)
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0
linesOf() { grep -n "// loop $1$" "$here/serial_loops.cpp" | cut -d: -f1; }
loops=$(linesOf '.*')
first=$(linesOf counted)
cp "$here/serial_loops.cpp" .
record=-fplugin-arg-quincunx-record=counts,calls,strands
build() { # build NAME OPTION...
  $clangxx -std=c++20 -g -pthread $record "${@:2}" serial_loops.cpp -o "$1"
}
$plainxx -std=c++20 -O2 -pthread serial_loops.cpp -o plain
# told PROGRAM FORM SCHEDULE [SHARE]: for 1, 4 and 7 threads
told() {
  rm -f told.qx
  $quincunx run -q -o told.qx -- "./$1" "$2" {} ::: 40 200
  [ "$(./plain "$2" 40)" = "$(QUINCUNX_OUT= "./$1" "$2" 40)" ] || return 1
  for threads in 1 4 7; do
    changes=("threads = $threads")
    for line in $(linesOf "$2"); do
      changes+=("schedule(loop serial_loops.cpp:$line) = $3")
    done
    $quincunx whatif --json --unit counts told.qx "${changes[@]}" >told.json && python3 - "$2" "$3" "$threads" "${4:-0.01}" <<'PYTHON' || return 1
import json, sys
form, schedule, threads, most = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
def dealt(work): # the longest of the threads
    shares = [0] * threads
    if schedule == "static":
        least, more = divmod(len(work), threads)
        at = 0
        for t in range(threads):
            size = least + (t < more)
            shares[t] = sum(work[at:at + size])
            at += size
    elif schedule == "static,3":
        for i, w in enumerate(work):
            shares[i // 3 % threads] += w
    else:
        for w in work: # who is free
            shares[shares.index(min(shares))] += w
    return max(shares)
bad = False
runs = json.load(open("told.json"))["runs"]
for r in runs:
    n = int(r["label"])
    work = [10 + 7 * (i * 5 % 11) for i in range(n)]
    if form == "skips":
        work = [work[i // 2] if i % 2 == 0 else 0 for i in range(2 * n)]
    if form == "many":
        work = [1] * 1000 * n
    if form in ("small", "smallSkips"):
        work = [1] * 20000 * n
    if form == "parts":
        known = sum(dealt(work[p * n // 4:(p + 1) * n // 4]) for p in range(4))
    else:
        known = dealt(work)
    told = r["after"]["alone"] / r["after"]["time"]
    known = sum(work) / known
    if abs(told / known - 1) > most or (threads == 1 and r["after"] != r["before"]):
        print(form, schedule, "of", n, "iterations,", threads, "threads: told", told, "known", known)
        bad = True
sys.exit(bad or len(runs) != 2)
PYTHON
  done
}
for level in -O0 -O2; do
  check "$level: built" build loops$level $level $(printf -- '-fplugin-arg-quincunx-loop=serial_loops.cpp:%s ' $loops)
  forms="whiles breaks topExit nested throws small"
  [ "$level${QUINCUNX_FULL-}" = -O0 ] || forms="$forms counted skips doWhile ranged returns catches parts templates many smallSkips"
  share=0.01
  [ $level = -O2 ] || share=0.02 # what is done beside the loop is more
  for form in $forms; do
    check "$level: $form, static" told loops$level $form static $share
  done
  check "$level: in chunks" told loops$level counted static,3
  check "$level: who is free takes the next one" told loops$level counted monotonic:dynamic
done

# Iterations that hold a lock for a fifth of them: no more than five times as fast, whoever has it first.
locked() {
  rm -f told.qx
  $quincunx run -q -o told.qx -- ./loops-O2 locked {} ::: 200
  for threads in 4 16; do
    $quincunx whatif --json --unit counts told.qx "schedule(loop serial_loops.cpp:$(linesOf locked)) = dynamic" "threads = $threads" |
      python3 -c 'import json, sys
r = json.load(sys.stdin)["runs"][0]["after"]
speedup, most = r["alone"] / r["time"], min(int(sys.argv[1]), 5)
sys.exit(not 0.8 * most < speedup <= most * 1.01)' $threads || return 1
  done
}
check "iterations that hold a lock" locked

# A loop that a team really shares.
sed 's,^  for (int i = 0; i < n; ++i) // loop,#pragma omp parallel for schedule(SCHEDULE)\n&,' serial_loops.cpp >shared.cpp
shared() { # shared SCHEDULE
  $clangxx -std=c++20 -g -O2 -fopenmp "-Wl,-rpath,$(dirname "$libomp")" $record "-DSCHEDULE=$1" shared.cpp -o shared || return 1
  rm -f shared.qx told.qx
  OMP_NUM_THREADS=6 $quincunx run -q -o shared.qx -- ./shared counted {} ::: 40 200
  $quincunx run -q -o told.qx -- ./loops-O2 counted {} ::: 40 200
  $quincunx scale --json --unit counts shared.qx >truth.json
  $quincunx whatif --json --unit counts told.qx "schedule(loop serial_loops.cpp:$first) = $1" 'threads = 6' >told.json
  python3 -c 'import json
truth, told = ({r["label"]: r.get("after", r)["time"] for r in json.load(open(f))["runs"]} for f in ("truth.json", "told.json"))
assert len(told) == 2 and all(abs(told[l] / truth[l] - 1) < 0.01 for l in told), (told, truth)'
}
for schedule in static static,3 dynamic guided; do
  check "the same as a team that shares it: schedule($schedule)" shared $schedule
done

# What cannot be asked is said, with what would help.
says() { # says TEXT COMMAND...
  "${@:2}" >said 2>&1
  grep -qF -- "$1" said || { cat said; return 1; }
}
check "without a number of threads" says "Add 'threads = 8'" $quincunx whatif told.qx "schedule(loop serial_loops.cpp:$first) = static"
check "another line" says "no loop whose iterations were recorded begins there; they are at serial_loops.cpp:" $quincunx whatif told.qx 'schedule(loop serial_loops.cpp:3) = static' 'threads = 8'
plainly() { $clangxx -std=c++20 -O2 -pthread $record serial_loops.cpp -o unasked && rm -f unasked.qx && $quincunx run -q -o unasked.qx -- ./unasked counted {} ::: 9; }
check "built without" plainly
check "a loop that no build asked for" says "-fplugin-arg-quincunx-loop=serial_loops.cpp:$first" $quincunx whatif unasked.qx "schedule(loop serial_loops.cpp:$first) = static" 'threads = 8'
check "a line where no loop begins" says "error: quincunx: no loop begins at serial_loops.cpp:3; they begin at lines 21, $first," $clangxx -std=c++20 -c $record -fplugin-arg-quincunx-loop=serial_loops.cpp:3 serial_loops.cpp
cat >again.c <<'END'
#include <setjmp.h>
static jmp_buf back;
int main(int argc, char **argv) {
  if (setjmp(back) == 0)
    for (int i = 0; i < argc; ++i)
      if (argv[i][0] == 0)
        longjmp(back, 1);
}
END
check "where no clock is kept" says "again.c:5:5: warning: quincunx records no iterations here" $clang -c $record -fplugin-arg-quincunx-loop=again.c:5 again.c
check "without strands" says "add -fplugin-arg-quincunx-record=counts,calls,strands" $clangxx -std=c++20 -c -fplugin-arg-quincunx-loop=serial_loops.cpp:$first serial_loops.cpp
check "no place" says "write FILE:LINE, as in loop=main.c:30" $clangxx -std=c++20 -c $record -fplugin-arg-quincunx-loop=serial_loops.cpp serial_loops.cpp
finish
