#!/bin/bash
# The simulated predictor and caches (record=predictor) by themselves: sequences of which the share of misses is known, and
# what they take and give back. Programs that are built with the flag: test/passes/predictor.c, predictor.sh.
. "$(dirname "$0")/../judges/common.sh"
$plain -O2 -I"$root/include" -I"$root/runtime" -o cases "$root/test/runtime/simulated.c" "$(dirname "$cfg")/libquincunx_rt.a"
for case in $(./cases); do
  check "$case" ./cases "$case"
done
same() { # the last one leaves the second level: the third draws which line goes
  for case in even within-1M cycle-of-24M; do
    ./cases $case >one && ./cases $case >two && [ -s one ] && cmp one two || return 1
  done
}
check "the same in every process" same
check "an unknown case is not one that passed" bash -c '! ./cases none'
finish
