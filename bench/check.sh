#!/bin/bash
# Does a job answer the same again and again? test/cli/check.sh with 200 jobs on a busy machine (a loop per processor), a
# program with a random hash seed among them; appends to bench/log whether all of its checks passed.
#
#   bench/check.sh [REPETITIONS]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
n=${1:-200}
out=$(REPETITIONS=$n "$root/test/cli/check.sh") && passed=yes || passed=no
printf '%s\n' "$out"
log=$root/bench/log/$(date -u +%F)-check.tsv
[ -e "$log" ] || printf 'date\tcommit\tjobs\tall answers alike, and the other checks\n' >"$log"
printf '%s\t%s\t%s\t%s\n' "$(date -u +%FT%TZ)" "$(git -C "$root" rev-parse --short HEAD)" "$n" "$passed" >>"$log"
[ $passed = yes ]
