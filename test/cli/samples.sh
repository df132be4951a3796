#!/bin/bash
# Samples of the plain program: taken where it is, named by its lines, kept in the corpus, and followed by prices. How good
# these are is asked by bench/functions.py. Where nothing names places, that this is said.
# Alone: it samples programs, and holds shares against clocks.
. "$(dirname "$0")/common"

export QUINCUNX_MACHINE=none
cat >parts.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char from[65536], to[65536];
unsigned sink;

__attribute__((noinline)) void copy(unsigned times) {
  for (unsigned i = 0; i < times; ++i) {
    from[i % sizeof from] = (char)i;
    memcpy(to, from, sizeof from - i % 7); /* COPY */
    sink += (unsigned char)to[i % 256];
  }
}

static inline unsigned step(unsigned x) {
  return x / (sink | 3) + 2147483647u; /* STEP */
}

__attribute__((noinline)) unsigned divide(unsigned times) {
  unsigned x = 1;
  for (unsigned i = 0; i < times; ++i)
    x = step(x);
  return x;
}

int main(int argc, char **argv) {
  unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  copy(n * (argc > 2 ? 3 : 1));
  sink += divide(n * 300 * (n % 2 ? 4 : 1));
  printf("%u\n", sink);
}
END
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --clang "$LLVM") -O2 -g -o parts parts.c
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --plain) -O2 -o plain parts.c
clang-"$LLVM" -O2 -o bare parts.c
inputs="1500 1801 2300 2801 3400 4001 5000 6001 7000 8001"
# shellcheck disable=SC2086
gives 0 "counting" run -q -o p.qx -- ./parts {} ::: $inputs
gives 2 "--samples of what is not timed" run -o p.qx --samples 100 -- ./plain 1500
has "asks for --timed" 'samples requires --timed' err

# shellcheck disable=SC2086
"$quincunx" run -o p.qx --timed --repeat 3 --samples 2000 -- ./plain {} ::: $inputs >out 2>err && granted=1 || granted=
if [ -z "$granted" ]; then
  has "says what is missing, and what to do" 'error: llvm-symbolizer is not installed' err
  # shellcheck disable=SC2086
  gives 0 "profile without samples" profile -o q.qx --plain ./plain -- ./parts {} ::: $inputs
  has "says what that costs" 'note: times of single functions will be less certain' err
  finish
fi
has "says how many samples were taken" '[0-9]+ samples taken of the plain program$' err
# sampled FUNCTION LINE OBJECT: samples there, of all
sampled() {
  "$quincunx" corpus dump p.qx | awk -F'\t' -v f="$1" -v l="$2" -v o="$3" '$1 == "sample" { if ($3 == f && (l == "" || $5 == l) && $6 ~ o) n += $7 } END { print n + 0 }'
}
all=$("$quincunx" corpus dump p.qx | awk -F'\t' '$1 == "sample" { n += $7 } END { print n }')
same "as many as were asked for" yes "$([ "$all" -ge 2000 ] && [ "$all" -lt 4000 ] && echo yes)"
same "they are of all inputs" 10 "$("$quincunx" corpus dump p.qx | awk -F'\t' '$1 == "sampled" { print $3 }' | sort -u | wc -l)"
same "the step that was inlined is named" yes "$([ "$(sampled step "$(grep -n STEP parts.c | cut -d: -f1)" '^-$')" -gt 500 ] && echo yes)"
same "library code is of the line that called it" yes "$([ "$(sampled copy "$(grep -n COPY parts.c | cut -d: -f1)" libc)" -gt 200 ] && echo yes)"
# shellcheck disable=SC2086
gives 0 "asked again" run -o p.qx --timed --repeat 3 --resume --samples 2000 -- ./plain {} ::: $inputs
lacks "takes no more" 'samples taken' err

# A program that ends well as long as it is timed only.
printf '#!/bin/sh\n[ ! -e broken ] || kill -SEGV $$\nexec ./bare "$@"\n' >breaks && chmod +x breaks
# shellcheck disable=SC2086
gives 0 "times of a program" run -q -o x.qx --timed --repeat 2 -- ./breaks {} ::: $inputs
touch broken
# shellcheck disable=SC2086
gives 1 "that has no executions to sample" run -o x.qx --timed --repeat 2 --resume --samples 2000 -- ./breaks {} ::: $inputs
has "says so" 'error: no execution that was sampled ended well: does .*breaks do what was counted' err

# What another program does, started by this one, is none of its functions, whatever they are called.
cat >starts.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv) { return argc > 1 ? system(argv[1]) : 1; }
END
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --plain) -O2 -o starts starts.c
gives 0 "a program that starts another" run -q -o s.qx --timed --repeat 1 --samples 200 -- ./starts {} ::: "./bare 4001 >/dev/null"
same "is sampled with it" yes "$("$quincunx" corpus dump s.qx | awk -F'\t' '$1 == "sample" && $6 == "bare" { n += $7 } END { if (n > 100) print "yes" }')"
same "and has none of its functions" "" "$("$quincunx" corpus dump s.qx | awk -F'\t' '$1 == "sample" && $3 == "divide"')"

# Prices follow: of the same runs, the shares of what was sampled.
gives 0 "calibrate" calibrate p.qx
gives 0 "report" report --json --all p.qx
near() { python3 -c 'import sys; a, b, within = map(float, sys.argv[1:]); print(abs(a / b - 1) < within)' "$1" "$2" "${3-0.25}"; }
share() { json out "sum(f['share'] or 0 for f in j['functions'] + j['library'] if f['name'].startswith('$1'))"; }
part() { python3 -c 'import sys; print(int(sys.argv[1]) / int(sys.argv[2]))' "$1" "$all"; }
same "step takes what was sampled" True "$(near "$(share step)" "$(part "$(sampled step "" '^-$')")")"
# What the kernel does is not sampled, so memcpy is seen beside step. Its bytes have a price by the times of these ten inputs
# alone, which tell it within a third on a busy machine.
ratio() { python3 -c 'import sys; print(float(sys.argv[1]) / float(sys.argv[2]))' "$1" "$2"; }
same "memcpy as well" True "$(near "$(ratio "$(share memcpy)" "$(share step)")" "$(ratio "$(sampled copy "" libc)" "$(sampled step "" '^-$')")" 0.4)"

# A program of a millisecond is sampled at all of its places, though it does the same each time (all samples were of
# `second` and `third` when the clock of samples began with the program).
cat >short.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define PART(name)                                                                                                     \
  __attribute__((noinline)) unsigned name(unsigned n, unsigned x) {                                                    \
    for (unsigned i = 0; i < n; ++i)                                                                                   \
      x = x / (i | 3) + 2147483647u;                                                                                   \
    return x;                                                                                                          \
  }
PART(first) PART(second) PART(third)
int main(int argc, char **argv) {
  unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  printf("%u\n", third(n, second(3 * n, first(n, 7))));
}
END
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --clang "$LLVM") -O2 -g -o short short.c
# shellcheck disable=SC2046
clang-"$LLVM" $("$quincunx" flags --plain) -O2 -o shortplain short.c
gives 0 "counting it" run -q -o short.qx -- ./short {} ::: 20000 23000 26000 29000 32000
gives 0 "sampling it" run -q -o short.qx --timed --repeat 1 --samples 1500 -- ./shortplain {} ::: 20000 23000 26000 29000 32000
same "parts that take 1, 3 and 1 fifths of what they take together are sampled so" "yes yes yes" \
  "$("$quincunx" corpus dump short.qx | awk -F'\t' '$1 == "sample" { n[$3] += $7 } function near(f, share) {
    return (n[f] / all > 0.7 * share && n[f] / all < 1.35 * share) ? "yes" : n[f] / all }
    END { all = n["first"] + n["second"] + n["third"]; print near("first", 0.2), near("second", 0.6), near("third", 0.2) }')"

# Without lines functions are told apart by their symbols.
# shellcheck disable=SC2086
gives 0 "a program without lines" run -o b.qx --timed --repeat 1 --samples 1000 -- ./bare {} ::: $inputs
has "is told how to have them" 'it has no lines, .*flags --plain' err
same "functions have their names" yes "$("$quincunx" corpus dump b.qx | awk -F'\t' '$1 == "sample" && $3 == "divide" { n += $7 } END { if (n > 200) print "yes" }')"
finish
