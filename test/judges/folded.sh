#!/bin/bash
# Sections of locks that are folded while the program runs, as it has too many to keep each: what it does in all is exact, and
# wall times grow with the number of sections as they do where each is kept, whether one lock is full, several are had at
# random or one behind another, or jobs are taken, from a counter, too.
. "$(dirname "$0")/common.sh"
few=16000 many=160000
check "built" $clangxx -std=c++20 -g -O2 -pthread -fplugin-arg-quincunx-record=counts,calls,strands "$here/folded.cpp" -o folded
told() { # told FORM SHARE
  rm -f few.qx many.qx
  $quincunx run -q -o few.qx --repeat 1 -- ./folded "$1" 8 $few
  $quincunx run -q -o many.qx --repeat 1 -- ./folded "$1" 8 $many
  for size in few many; do
    $quincunx scale --json --unit counts $size.qx >$size.json
    $quincunx critical --json $size.qx >$size-path.json
    $quincunx report --json --unit counts $size.qx >$size-cost.json
  done
  python3 - "$1" "$2" $((many / few)) <<'PYTHON'
import json, sys
form, most, factor = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
few, many, short, path, cost = (json.load(open(f"{name}.json")) for name in ("few", "many", "few-path", "many-path", "many-cost"))
folded = [any(note["kind"] == "folded" for note in j["notes"]) for j in (few, many)]
(a,), (b,) = few["runs"], many["runs"]
off = b["time"] / (factor * a["time"]) - 1
counted = cost["program"]["mean"]
strands = [j["runs"][0]["strands"] for j in (short, path)]
print(f"{form}: {100 * off:+.1f} %, folded {folded}, strands {strands}")
sys.exit(folded != [False, True] or abs(off) > most or abs(b["alone"] / counted - 1) > 1e-9 or abs(strands[1] / (factor * strands[0]) - 1) > 1e-3)
PYTHON
}
for form in many signals two jobs counter one; do
  check "$form" told $form 0.04
done
lock=$(grep -n 'lock(mutexes\[which\])' "$here/folded.cpp" | cut -d: -f1)
check "a change says how many locks there were" grep -q "had there ($((8 * many)) a run)" <($quincunx whatif many.qx "lock(folded.cpp:$lock) = none")
check "a run is small" test "$(stat -c %s many.qx)" -lt 3000000
finish
