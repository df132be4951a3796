#!/bin/bash
# Loops that teams of OpenMP share: the same program with schedule(static), (static,3), (dynamic,2), (guided) and
# (monotonic:dynamic,5), at -O0 and -O2. Outputs and counts do not change by recording; asked for the schedule of another
# program, each is told the time that scale tells of that one. Of static schedules that is who did what; nothing is simulated.
. "$(dirname "$0")/common.sh"
libomp=$($plain -print-file-name=libomp.so)
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0
cp "$here"/loops.c .
link="-fopenmp -Wl,-rpath,$(dirname "$libomp")"
build() { # build NAME LEVEL SCHEDULE [RECORD]
  $clang $2 -g $link -fplugin-arg-quincunx-record=${4:-counts,calls,strands} -D"SCHEDULE=$3" loops.c -o "$1"
}
runs() { # runs NAME: with 2, 3 and 7 threads, 100 and 1500 rows; outputs are those of the plain program
  rm -f "$1.qx"
  $quincunx run -q -o "$1.qx" --threads 2,3,7 -- "./$1" {} ::: 104 1504
  for rows in 104 1504; do
    [ "$(./plain $rows)" = "$(QUINCUNX_OUT= OMP_NUM_THREADS=3 "./$1" $rows 2>/dev/null)" ] || return 1
  done
}
$plain -O2 $link loops.c -o plain

times() { # times CORPUS [CHANGE...]: of each run, in its order, after the changes or as it is
  local corpus=$1
  shift
  { [ $# = 0 ] && $quincunx scale --json --unit counts "$corpus" || $quincunx whatif --json --unit counts "$corpus" "$@"; } | runs_of
}
runs_of() {
  python3 -c 'import json, sys
for r in sorted(json.load(sys.stdin)["runs"], key=lambda r: (r["threads"], r["label"])):
    print(r["threads"], r["label"].split()[0], r.get("after", r)["time"])'
}
# near FILE FILE SHARE [RUNS]: times of the same runs
near() { paste -d' ' "$1" "$2" | awk -v most="$3" -v runs="${4:-6}" '{ off = $3 / $6 - 1; if ($1 != $4 || $2 != $5 || off > most || off < -most) { print; bad = 1 } } END { exit bad || NR != runs }'; }

lines=$(grep -n 'omp.* for' loops.c | cut -d: -f1)
changes() { # changes SCHEDULE: of all loops
  for line in $lines; do echo "schedule(loops.c:$line) = $1"; done
}
asked() { # asked FROM TO SCHEDULE SHARE
  mapfile -t all < <(changes "$3")
  times "$1.qx" "${all[@]}" >said && times "$2.qx" >truth && near said truth "$4"
}
for level in -O0 -O2; do
  for of in shares:static chunks:static,3 steals:dynamic,2 guided:guided queue:monotonic:dynamic,5; do
    name=${of%%:*}$level schedule=${of#*:}
    check "$level: schedule($schedule): built, outputs as without" eval "build $name $level '$schedule' && runs $name"
  done
  for from in shares chunks steals guided queue; do
    check "$level: from $from to static" asked $from$level shares$level static 0.002
    check "$level: from $from to static,3" asked $from$level chunks$level static,3 0.002
  done
  check "$level: from static to dynamic" asked shares$level steals$level dynamic,2 0.002
  check "$level: from dynamic to guided" asked steals$level guided$level guided 0.002
  check "$level: from guided to a queue" asked guided$level queue$level monotonic:dynamic,5 0.002
done

# Numbers of threads with which nothing ran, from runs with 3.
told() { # told FROM SCHEDULE: the times of runs with 2, 3 and 7
  rm -f some.qx
  $quincunx run -q -o some.qx --threads 3 -- "./$1" {} ::: 104 1504
  $quincunx scale --json --unit counts --threads 2,3,7 some.qx | runs_of >said && times "$1.qx" >truth && near said truth 0.002
}
for of in shares chunks steals guided queue; do
  check "-O2: $of: 2 and 7 threads, told from 3" told $of-O2
done
changed() { # from 3 threads to 7
  $quincunx whatif --json --unit counts some.qx 'threads = 7' | runs_of | sed 's/^3/7/' >said && grep ^7 truth >seven && near said seven 0.002 2
}
told chunks-O2 >/dev/null
check "threads = 7 is what scale tells of 7" changed
tested() { $quincunx scale --unit counts --threads 5 shares-O2.qx | grep -q 'differ from those of their own runs by 0 % in the median, and 0 % in nine'; }
check "what 7 threads tell of 2 and 3 is compared with these" tested

# Counts are the same without the word, but for the library's own code around chunks.
counts() {
  build calls -O2 static counts,calls && rm -f calls.qx && $quincunx run -q -o calls.qx --threads 2,3,7 -- ./calls {} ::: 104 1504
  for corpus in calls shares-O2; do
    $quincunx export csv --unit counts $corpus.qx | tail -n +2 | sort >$corpus.csv
  done
  python3 - <<'PYTHON'
import csv
rows = [[row for row in csv.reader(open(name))] for name in ("calls.csv", "shares-O2.csv")]
assert len(rows[0]) == len(rows[1]) == 6
PYTHON
}
check "counts are those without strands" counts
finish
