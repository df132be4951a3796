#!/bin/bash
# record=runs: random programs in C and C++ know their own run lengths and trips, and what was recorded of them equals that bin by
# bin, at -O0 to -O2 and in threads (see runs.py); counters are the same with and without it, for these programs and those of
# test/passes. runs.sh [N [FIRST-SEED [truth]]]; with `truth`, without the comparison of counters. It does not judge what is made of the lengths (lib/cost).
. "$(dirname "$0")/common.sh"
n=${1:-4} seed=${2:-1}
judge="python3 $here/runs.py"
runs=-fplugin-arg-quincunx-record=counts,runs

# truth SOURCE LEVEL PROGRAM [ARGUMENT]: the histograms equal those that the program counts itself
truth() {
  rm -rf raw c.qx* && mkdir raw
  "./$3.true" ${4:-} >"$3.txt" && QUINCUNX_OUT=raw/ "./$3" ${4:-} >/dev/null && "$quincunx" corpus add c.qx raw/*.qxraw || return 1
  "$quincunx" corpus dump c.qx >c.dump && $judge compare "$1.json" "$3.txt" c.dump
}
for s in $(seq "$seed" $((seed + n - 1))); do
  rm -rf "$s" && mkdir "$s" && cd "$s"
  $judge write . "$s"
  $plainxx -O2 -c -o world.o world.cpp
  for source in program.c program.cpp; do
    case $source in *.c) cc=$clang plaincc=$plain ;; *) cc=$clangxx plaincc=$plainxx ;; esac
    $plaincc -O1 -w -DTRUTH -c -o true.o $source && $plainxx -o p.true true.o world.o -lpthread
    for level in -O0 -O1 -O2; do
      check "seed $s, $source, $level builds" eval "$cc -w $level $runs -c -o p.o $source && $clangxx -o p p.o world.o -lpthread"
      [ -e p ] || continue
      check "seed $s, $source, $level" truth $source $level p
      ok "  $(tail -n 1 "$work/.output")"
    done
    check "seed $s, $source, -O2, in threads" truth $source -O2 p threads
  done
  cd "$work"
done

[ "${3:-}" != truth ] || { finish; exit; }

# equal SOURCE COMPILER FLAG...: two builds, of which one records runs, print the same and have the same map and counters
equal() {
  local source=$1 cc=$2 tier
  shift 2
  for tier in counts counts,runs; do
    # shellcheck disable=SC2086
    $cc -w "$@" -fplugin-arg-quincunx-record=$tier -o e "$source" ${objects:-} -lpthread || return 1
    rm -rf raw e.qx* && mkdir raw
    QUINCUNX_OUT=raw/ timeout 60 ./e >$tier.out || true
    "$quincunx" corpus add e.qx raw/*.qxraw && "$quincunx" corpus dump e.qx >$tier.dump || return 1
  done
  cmp counts.out counts,runs.out && $judge same counts.dump counts,runs.dump
}
for source in "$root"/test/passes/*.c "$root"/test/passes/*.cpp; do
  case $source in *.c) cc=$clang ;; *) cc="$clangxx -std=c++20" ;; esac
  case $source in */templates.cpp | */tails.c | */request_marks.cpp | */frames.cpp) continue ;; esac # two files; needs -O2 to end; no program; prints sizes of frames
  for level in -O0 -O2; do
    check "$(basename "$source"), $level: counters as without runs" equal "$source" "$cc" $level
  done
done
for source in "$seed"/program.c "$seed"/program.cpp; do
  case $source in *.c) cc=$clang ;; *) cc=$clangxx ;; esac
  for level in -O0 -O2 '-O2 -fPIC'; do
    # shellcheck disable=SC2086
    objects="$seed/world.o -lstdc++" check "$source, $level: counters as without runs" equal "$source" "$cc" $level
  done
done
finish
