#!/bin/bash
# Jobs that threads take from counters, locks, queues and pools, and shares that they have: wall time with a processor for
# each is told as it must be if who is free takes the next job, at -O0 and -O2, whoever took which job in the run. And what
# locks, condition variables and counters are made into (barriers, rounds, semaphores, buffers), whoever signalled in the run.
. "$(dirname "$0")/common.sh"
libomp=$($plainxx -print-file-name=libomp.so)
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0
build() { # build NAME OPTION...: what is called like that, up to the options
  $clangxx -std=c++20 -g -fopenmp -Wl,-rpath,"$(dirname "$libomp")" -fplugin-arg-quincunx-record=counts,calls,strands "${@:2}" "$here/${1%%-*}.cpp" -o "$1"
}
told() { # told PROGRAM FORM SHARE
  for attempt in 1 2 3; do # a thread may sleep for ever in acquire() of libstdc++ 12, while there is one to have (GCC's PR 104928)
    rm -f told.qx
    $quincunx run -q -o told.qx --timeout 30 --threads 3,8 -- "./$1" "$2" {threads} {} ::: 20 40 && break
    echo "stopped: attempt $attempt"
  done
  $quincunx scale --json --unit counts told.qx >told.json
  python3 - "$@" <<'PYTHON'
import json, subprocess, sys
program, form, most = sys.argv[1], sys.argv[2], float(sys.argv[3])
runs = json.load(open("told.json"))["runs"]
bad = len(runs) != 4
for r in runs:
    jobs, threads = r["label"].split()[0], str(r["threads"])
    known = subprocess.run(["./" + program, "--known", form, threads, jobs], env={"QUINCUNX_OUT": ""}, capture_output=True, text=True, check=True).stdout.split()
    off = r["alone"] / r["time"] / (int(known[0]) / int(known[1])) - 1
    if abs(off) > most:
        print(form, jobs, "jobs,", threads, "threads: told", r["alone"] / r["time"], "known", int(known[0]) / int(known[1]))
        bad = True
sys.exit(bad)
PYTHON
}
for level in -O0 -O2; do
  check "$level: built" build jobs$level $level
  for form in counter chunks source down exchange pieces swap flags marks phases looks-first singles team critical locked results queue buffer pool batches stopped shares progress slots last sums rounds; do
    share=0.01
    case $form in pool | batches | queue | buffer | stopped) share=0.02 ;; esac
    check "$level: $form" told jobs$level $form $share
  done
done
says() { # critical says that jobs are as they were taken
  rm -f said.qx
  $quincunx run -q -o said.qx --repeat 1 -- ./jobs-O2 counter 3 40 >said
  $quincunx critical said.qx | grep -q "^note: jobs from counters"
}
check "-O2: critical says who had jobs" says
check "-O2: conditions built" build conditions-O2 -O2
for form in barrier rounds permits room keeps layer turns stages merge parts bits onward nodes meet tickets; do
  check "-O2: $form" told conditions-O2 $form 0.02
done
spins() { # spins FORM: is that noted?
  rm -f spun.qx
  $quincunx run -q -o spun.qx --repeat 1 -- ./conditions-O2 "$1" 3 40
  $quincunx scale --unit counts spun.qx | grep -q "^note: threads look again and again at a variable"
}
check "-O2: spins" spins spins
check "-O2: until" spins until
check "-O2: asked" spins asked
check "-O2: stages do not" test ! "$(spins stages && echo yes)"
check "-O0: conditions built" build conditions-O0 -O0
for form in layer merge nodes meet; do
  check "-O0: $form" told conditions-O0 $form 0.02
done
finish
