#!/bin/bash
# quincunx model without runs: where trip counts are known, guesses are what really happens; what is not known is named;
# and summaries become remarks of the compiler.
. "$(dirname "$0")/common"

cat >shapes.c <<'END'
#include <stdlib.h>
volatile unsigned sink;
__attribute__((noinline)) void line(unsigned n) {
  for (unsigned i = 0; i != n; ++i)
    sink += i;
}
__attribute__((noinline)) void triangle(unsigned n) {
  for (unsigned i = 0; i != n; ++i)
    for (unsigned j = 0; j < i; ++j)
      sink += j;
}
__attribute__((noinline)) void both(unsigned n) {
  line(n);
  triangle(n);
  sink += 1; /* a call in tail position would end this frame before it */
}
__attribute__((noinline)) unsigned collatz(unsigned x) {
  unsigned steps = 0;
  for (; x != 1; ++steps)
    x = x % 2 ? 3 * x + 1 : x / 2;
  return steps;
}
__attribute__((noinline)) void forever(void) {
  for (;;)
    sink += 1;
}
int main(int argc, char **argv) {
  both(argc > 1 ? (unsigned)atoi(argv[1]) : 40);
  sink += collatz(argc > 2 ? 27 : 7);
  if (argc > 3)
    forever();
  return 0;
}
END
$clang -O1 -g -c -o shapes.o shapes.c
$clang -o shapes shapes.o
"$quincunx" run -q -o p.qx -- ./shapes {} ::: 40
"$quincunx" report --json --per call p.qx >calls
gives 0 "an object file" model --json --set line.n=40 --set triangle.n=40 shapes.o
cp out j
same "is a document that says it is guessed" "quincunx/model/1 True" "$(json j 'j["schema"], all(f["guessed"] for f in j["functions"])' | tr -d "(),'")"
same "loops of known trips cost what they cost when they run" "True True True" "$(python3 - <<'END'
import json
guessed = {f["name"]: f for f in json.load(open("j"))["functions"]}
calls = {f["name"]: f for f in json.load(open("calls"))["functions"]}
print(*(abs(guessed[name]["inclusive"][0] / calls[name]["mean"] - 1) < 1e-3 for name in ("line", "triangle", "both")))
END
)"
same "and do not vary" True "$(json j 'all(f["inclusive"][1] < 1e-6 * f["inclusive"][0] ** 2 for f in j["functions"] if f["name"] == "line")')"
gives 0 "the linked program" model --json --set n=40 shapes
same "says the same" "$(json j '[round(f["inclusive"][0], 6) for f in j["functions"] if f["name"] == "both"]')" \
  "$(json out '[round(f["inclusive"][0], 6) for f in j["functions"] if f["name"] == "both"]')"
gives 0 "without values" model shapes.o
has "figures are headed as guesses" 'guessed mean +guessed sd +guessed p50 +guessed p99' out
has "the unknowns of loops are listed" ' n +line$' out
has "and how to set them" 'note: 3 loops run as often as arguments say .* --set (line|triangle)\.n=100' out
has "what never ends is left out" 'note: 1 function never ends' out
lacks "and no run is spoken of" 'calls/run' out
gives 0 "one function" model --function '^triangle$' --set n=10 shapes.o
has "is a tree of guesses" 'guessed per call .*each time' out
gives 1 "a parameter that no loop has" model --set width=3 shapes.o
has "is named" "width: no trip count has it" err
gives 2 "a parameter that is none" model --set n shapes.o
has "says what it should be" 'is not NAME=NUMBER' err
gives 1 "a parameter for a corpus" model --set n=3 p.qx
has "is refused" 'a corpus knows the trips' err
$plain -O1 -c -o plain.o shapes.c
gives 1 "an object without the flag" model plain.o
has "says how to build it" 'not built with the quincunx flag' err

gives 0 "--summary" model --summary p.qx
cp out p.summary
has "has what was measured" "^both	shapes.c	[0-9]+	measured	1	" p.summary
$clang -O1 -c -o used.o shapes.c -fplugin-arg-quincunx-use=p.summary -Rpass-analysis=quincunx 2>remarks
has "is a remark at the function" '^shapes.c:12:.*remark: measured cost of one call in cost units: mean [0-9.]+, sd [0-9.]+, p50 .*; 1 calls per run' remarks
same "once for each" "$(grep -c remark: remarks)" "$(grep remark: remarks | sort -u | wc -l)"
same "and what is used is not recorded" 0 "$(nm used.o | grep -c __quincunx_)"
$clang -O1 -c -o both.o shapes.c -fplugin-arg-quincunx-use=p.summary -fplugin-arg-quincunx-record=counts
nm both.o >symbols
has "unless that is asked for" __quincunx_counters_both symbols
$clang -O1 -c -o yaml.o shapes.c -fplugin-arg-quincunx-use=p.summary -fsave-optimization-record
has "YAML has it as well" 'Pass: +quincunx' yaml.opt.yaml
gives 0 "--summary of guesses" model --summary --set n=40 shapes.o
has "says so" "^both	shapes.c	[0-9]+	guessed	-	" out
! $clang -c -o none.o shapes.c -fplugin-arg-quincunx-use=nowhere 2>err
same "a summary that is not there is one line" 1 "$(grep -c error: err)"
has "that says so" 'error: quincunx: nowhere: cannot read the summary' err
echo something >wrong
! $clang -c -o none.o shapes.c -fplugin-arg-quincunx-use=wrong 2>err
has "and so is a file that is none" 'wrong: not a summary; write it with quincunx model --summary' err
finish
