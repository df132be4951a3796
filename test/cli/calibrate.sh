#!/bin/bash
# quincunx calibrate: that a measured machine is a file which reports can use, and that noise is told
# and errors are one line. What the measurements mean is left to test/unit/probe.
# Alone: it measures the machine.
. "$(dirname "$0")/common"

gives 0 "calibrate --machine" calibrate --machine -o x.machine
same "prints nothing" "" "$(cat out)"
lacks "and draws nothing when nobody sees it" 'rounds of measurements' err
same "but notes" "" "$(grep -v '^quincunx: note: batches of .* spread by .* %; repeat on a quiet machine$' err || true)"
same "the same notes are in the file" "$(sed 's/^quincunx: //' err)" "$(sed -n 's/^# note: /note: /p' x.machine)"
same "the machine has the name of the file" x "$(sed -n 's/^name //p' x.machine)"
same "and is in nanoseconds" ns "$(sed -n 's/^unit //p' x.machine)"
has "the processor is told" '^# processor: .' x.machine
has "a cost shows latency and throughput" '^load .*# [0-9.e+-]+ / [0-9.e+-]+, [0-9.]+ %; ' x.machine
has "an event one figure" '^l3Hit .*# [0-9.e+-]+, [0-9.]+ %; ' x.machine
lacks "no date" '20[0-9][0-9]-[0-9]' x.machine
same "every class has a line" "$(sed -n 's/^| `\([a-z]*\)`  *|.*|.*|.*|$/\1/p' "$root/docs/13-machines.md" | sort)" \
  "$(grep -oE '^[A-Za-z0-9]+' x.machine | grep -vE '^(name|unit|callee|mispredict|l2Hit|l3Hit|memoryAccess|prefetchedLine|pageWalk|fault|start|programSpread)$' | sort)"

"$quincunx" run -q -o p.qx -- ./worker {} ::: $(seq 0 10 190)
gives 0 "a report with it" report --json --machine x.machine p.qx
same "names it" "x" "$(json out 'j["machine"]')"
same "costs something" True "$(json out 'j["program"]["mean"] > 0')"

# ---- errors ----
gives 1 "a folder that is not there" calibrate --machine -o nowhere/x.machine
same "is told at once, in one line" "quincunx: nowhere/x.machine: error: there is no folder for it; make one first" "$(cat err)"
gives 2 "nothing to do" calibrate
finish
