#!/bin/bash
# Does a job answer the same again and again? test/cli/check.sh with 200 jobs on a busy machine (a loop per processor), a
# program with a random hash seed among them; appends how many answers changed to bench/log.
#
#   bench/check.sh [REPETITIONS]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
n=${1:-200}
out=$(REPETITIONS=$n "$root/test/cli/check.sh") && changed=0 || changed=some
printf '%s\n' "$out"
{
  printf 'date\tcommit\tjobs\tchanged answers\n'
  printf '%s\t%s\t%s\t%s\n' "$(date -u +%FT%TZ)" "$(git -C "$root" rev-parse --short HEAD)" "$n" "$changed"
} >"$root/bench/log/$(date -u +%F)-check.tsv"
[ $changed = 0 ]
