#!/bin/bash
# Random programs: csmith.sh [N [FIRST-SEED]]. For each, the instrumented program prints what the plain one prints, at -O0 and
# -O2, and derived counts equal the counters of all blocks at both. Programs that run for more than some seconds are
# passed over for the next seed. Needs csmith and libcsmith-dev. It does not vary csmith's own options much.
. "$(dirname "$0")/common.sh"
n=${1:-6} seed=${2:-1}
command -v csmith >/dev/null && [ -e /usr/include/csmith/csmith.h ] || { echo "csmith.sh: error: csmith and libcsmith-dev are missing (scripts/deps test)" >&2; exit 2; }

total=0 done=0
while [ $done -lt "$n" ]; do
  s=$seed
  seed=$((seed + 1))
  case $((s % 3)) in 0) more="--max-funcs 5 --no-volatiles" ;; 1) more="--max-block-depth 3" ;; *) more=--jumps ;; esac
  # shellcheck disable=SC2086
  csmith --seed $s $more >p.c
  # Programs that do not end soon at either level are passed over: they show nothing.
  for level in O0 O2; do
    $plain -w -$level -I/usr/include/csmith -o plain p.c
    timeout 5 ./plain >plain.out 2>&1 || continue 2
  done
  done=$((done + 1))
  for level in O0 O2; do
    name="seed $s -$level"
    $plain -w -$level -I/usr/include/csmith -o plain p.c
    timeout 60 ./plain >plain.out 2>&1 || true
    if ! $clang -w -$level $all -I/usr/include/csmith -o inst p.c >build.log 2>&1; then
      bad "$name: builds with the flag"; tail -n 5 build.log | sed 's/^/     | /'; cp p.c "${TMPDIR:-/tmp}/quincunx-csmith-$s.c"; continue
    fi
    QUINCUNX_OUT='' timeout 60 ./inst >inst.out 2>&1 || true
    if ! cmp -s plain.out inst.out; then bad "$name: the same output"; continue; fi
    rm -f p.qx*
    if ! "$quincunx" run -o p.qx --timeout 60 -- ./inst {} ::: x >run.log 2>&1; then bad "$name: recorded"; tail -n 5 run.log | sed 's/^/     | /'; continue; fi
    if judged p.qx >judge.log 2>&1; then
      ok "$name: the same output; $(tail -n 1 judge.log)"
      total=$((total + $(sed -n 's/.* \([0-9]*\) blocks compared.*/\1/p' judge.log)))
    else bad "$name: derived counts equal all block counters"; tail -n 5 judge.log | sed 's/^/     | /'; fi
  done
done
echo "csmith.sh: $n programs, $total blocks compared"
finish
