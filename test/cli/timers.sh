#!/bin/bash
# Sampling without rights: timers in a preloaded library, where perf_event_open is denied (denied.c). That they find what a
# clock and the kernel's own sampler find, in threads and children, and that programs do not notice (sampled.c).
# Alone: it samples programs, and holds shares against clocks.
. "$(dirname "$0")/common"

export QUINCUNX_MACHINE=none
command -v llvm-symbolizer-22 llvm-symbolizer llvm-symbolizer-19 >symbolizers || { skip "no llvm-symbolizer"; finish; exit; }
cc -O2 -o denied "$here/denied.c"
./denied true || { skip "no seccomp"; finish; exit; }
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --plain) -O2 -pthread -o sampled "$here/sampled.c"
with_perf=$quincunx
printf '#!/bin/sh\nexec %s %s "$@"\n' "$work/denied" "$quincunx" >without_perf
chmod +x without_perf
quincunx=$work/without_perf

# samples CORPUS SAMPLES WORDS...: of a run of ./sampled, in a new corpus
samples() {
  corpus=$1 number=$2
  shift 2
  gives 0 "$* is sampled" run -o "$corpus" --timed --repeat 1 --samples "$number" -- ./sampled "$@"
}
# part CORPUS FUNCTION: its part of the samples
part() {
  "$with_perf" corpus dump "$1" | awk -F'\t' -v f="$2" '$1 == "sample" { all += $7; if ($3 == f) n += $7 } END { printf "%.4f\n", all ? n / all : 0 }'
}
near() { python3 -c 'import sys; a, b, by = map(float, sys.argv[1:]); print(abs(a - b) < by or f"{a} is not {b}")' "$@"; }

# ---- the same parts as by a clock, and by the kernel's sampler ----
samples t.qx 500 parts 30000
has "says how, and why" 'sampled by timers, [0-9]+ samples a second \(perf_event_open: Permission denied\)' err
has "says how many" '[0-9]+ samples taken of the plain program$' err
lacks "nothing is missing" 'samples know only' err
same "a function has its part of the time" True "$(near "$(part t.qx long_one)" "$(./sampled parts 30000)" 0.12)"
line=$(grep -n 'COPY' "$here/sampled.c" | cut -d: -f1)
same "library code is of the line that called it" yes \
  "$("$with_perf" corpus dump t.qx | awk -F'\t' -v l="$line" '$1 == "sample" && $3 == "copies" && $6 ~ /^libc/ { if ($5 == l) n += $7; else other += $7 } END { if (n > 20 && other == 0) print "yes" }')"
if "$with_perf" run -q -o k.qx --timed --repeat 1 --samples 500 -- ./sampled parts 30000 2>perf.err; then
  same "the same as by the kernel's clock" True "$(near "$(part t.qx long_one)" "$(part k.qx long_one)" 0.12)"
  same "in libraries as well" True "$(near "$(part t.qx copies)" "$(part k.qx copies)" 0.12)"
else
  skip "the same as by the kernel's clock: it is denied here"
fi

# ---- threads and children ----
samples n.qx 300 threads 20000
lacks "nothing is missing" 'samples know only' err
for f in in_first in_second in_c11; do
  same "$f, a thread, has a third" True "$(near "$(part n.qx $f)" 0.333 0.12)"
done
samples c.qx 300 children 20000
lacks "nothing is missing" 'samples know only' err
same "a child has its half" True "$(near "$(part c.qx in_child)" 0.5 0.12)"
same "and one that executes another program" True "$(near "$(part c.qx short_one)" 0.5 0.12)"

# ---- programs do not notice ----
env --default-signal ./sampled notice 100000 alone # as run starts it, whatever ignores signals here
samples o.qx 60 notice 100000 "$work/watched"
same "signals, masks, errno, waiting and files are as without" "$(cat alone)" "$(cat watched)"
same "own profiles work" "own profile works" "$(head -n 1 watched)"
env --default-signal ./sampled take 20000 alone
samples s.qx 10 take 20000 "$work/watched"
same "a program that handles the signal works as without" "$(cat alone)" "$(cat watched)"
has "is left alone, which is said" 'note: the program handles signal 63, which samples others' err
same "from then on" True "$(near "$(part s.qx in_first)" 1 0.2)" # of a dozen samples

# ---- what cannot be sampled ----
clang-"$LLVM" -O2 -g -static -pthread -o static "$here/sampled.c" -w
gives 1 "a program that is linked statically" run -o f.qx --timed --repeat 1 --samples 10 -- ./static parts 100
has "is refused in a clear line" 'error: ./?.*static is linked statically and cannot be sampled here \(perf_event_open: Permission denied\)' err
printf '#!/bin/sh\n%s parts 2000\nexec env -i %s parts 20000\n' "$work/sampled" "$work/sampled" >clean && chmod +x clean
gives 0 "a program that empties the environment of another" run -o e.qx --timed --repeat 1 --samples 10 --timeout 20 -- ./clean 1
has "is said to be seen in part" 'note: samples know only [0-9]+ % of the time in user mode' err
gives 0 "doctor" doctor
has "says how programs are sampled" 'note +sampling +by timers, [0-9]+ samples a second' out
finish
