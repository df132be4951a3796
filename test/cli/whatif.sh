#!/bin/bash
# quincunx whatif: that an answer is the report of what really changed, what changes look like on the command line, and
# what is said about those that mean nothing. Kinds of changes are judged one by one in test/unit/estimate.
. "$(dirname "$0")/common"

"$quincunx" run -q -o p.qx -- ./worker {} ::: $(seq 0 10 990)
figures() { json "$1" "*(round(j['$2'][k]['value'], 6) for k in ('p50', 'p90', 'p99', 'mean', 'sd'))"; }
report() { "$quincunx" report --json "$@" p.qx >r; json r '*(round(v["value"] if isinstance(v, dict) else v, 6) for v in (j["program"][k] for k in ("p50", "p90", "p99", "mean", "sd")))'; }

gives 0 "a machine" whatif --json p.qx 'machine = unit'
same "before is the report" "$(report)" "$(figures out before)"
same "after is the report by that machine" "$(report --machine unit)" "$(figures out after)"
same "is a document that names its schema" "quincunx/whatif/1 p.qx run unit 100" \
  "$(json out 'j["schema"], j["corpus"], j["per"], j["machineAfter"], j["runs"]["used"]' | tr -d "(),'")"
gives 0 "--machine" whatif --json --machine unit p.qx 'machine = x86-64'
same "is the one before" "$(report --machine unit)" "$(figures out before)"
same "and the change the one after" "$(report)" "$(figures out after)"

gives 0 "a function that costs nothing" whatif --json p.qx 'cost(inner) *= 0'
same "takes its share with it" True "$("$quincunx" report --json p.qx >r; python3 -c '
import json
r, w = json.load(open("r")), json.load(open("out"))
inner = [f for f in r["functions"] if f["name"] == "inner"][0]
print(abs(w["difference"]["mean"]["value"] + inner["cost"]["mean"]) < 1e-6 * inner["cost"]["mean"])')"
gives 0 "a function with a cost per call" whatif --json p.qx 'calls(inner) := moments(40,900,2,9)' 'cost(outer) *= 0' 'cost(main) = 0' 'cost(rarely) = 0'
same "calls are the arguments" 19800.0 "$(json out 'round(j["after"]["mean"]["value"], 6)')"
gives 0 "what is not instrumented" whatif --json p.qx 'calls(printf) = 1000'
same "costs what it is said to" 1000.0 "$(json out 'round(j["difference"]["mean"]["value"], 6)')"
{ cat "$root/machines/x86-64.machine"; echo 'callee printf 500'; } >priced.machine
gives 0 "with a price" whatif --json --machine priced.machine p.qx 'calls(printf) = 0'
same "it can be taken out" "$(report --machine priced.machine)
$(report)" "$(figures out before; figures out after)"
gives 0 "half as dear" whatif --json --machine priced.machine p.qx 'cost(printf) *= 0.5'
same "it costs half" -250.0 "$(json out 'round(j["difference"]["mean"]["value"], 6)')"
for change in 'calls(printf) = 0' 'calls(printf) *= 2' 'cost(printf) *= 0.5'; do
  gives 1 "$change without a price" whatif p.qx "$change"
  has "says what gives it one" "has no price for calls of 'printf'; a line 'callee printf COST' gives it one" err
  same "in one line" 1 "$(wc -l <err)"
done
gives 1 "another name" whatif p.qx 'calls(printg) = 0'
has "is one that may be meant" "there is no function 'printg'; did you mean 'printf'\\?" err
at=$(grep -n 'x = inner(x)' "$here/worker.c" | cut -d: -f1)
gives 0 "a line" whatif --json p.qx "cost(lines worker.c:$at) = 7" 'cost(inner) = 0' 'cost(main) *= 0' 'cost(rarely) *= 0'
same "is executed as often as the arguments say" True "$(json out 'j["after"]["sd"]["value"] > 6 * j["before"]["sd"]["value"] / 30 and "495 times per run" in j["changes"][0]["effect"]')"

printf '0\t1\n990\t1\n' >ends.tsv
gives 0 "a mix by label" whatif --json p.qx 'mix(label) = ends.tsv'
same "is those runs" True "$("$quincunx" report --json p.qx >r; python3 -c '
import json
r, w = json.load(open("r")), json.load(open("out"))
ends = [x["cost"] for x in r["perRun"] if x["label"] in ("0", "990")]
print(len(ends) == 2 and abs(w["after"]["mean"]["value"] - sum(ends) / 2) < 1e-6 and w["runs"]["equalAfter"] == 2)')"

gives 0 "text" whatif p.qx 'cost(inner) *= 0.5' 'machine = unit' --show p50,p99.9
has "names what was changed" '^  cost\(inner\) \*= 0.5$' out
has "what it means and what carries it" 'inner: 495 times per run, .* % of the mean cost; exact on the counts' out
has "shows the percentiles that were asked for" '^ *p99.9 ' out
lacks "and no others" '^ *p90 ' out
has "warns of other units" 'note: before is in cost units, after in constructs' out
cp out first
gives 0 "again" whatif p.qx 'cost(inner) *= 0.5' 'machine = unit' --show p50,p99.9
check "is the same, byte by byte" cmp out first
has "ends with what to do next" '^next: quincunx run -o .* --tag changed' out

# ---- callbacks of a library ----
cat >sorts.c <<'END'
#include <stdlib.h>
static volatile int sink;
#define NOINLINE __attribute__((noinline))
NOINLINE int work(int n) { for (int i = 0; i < n; i++) sink += i; return n; }
static int large(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; work(3); return (x > y) - (x < y); }
static int small(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
NOINLINE int sorts(int n, unsigned share) {
  int *v = malloc(n * sizeof *v), s = 0;
  unsigned state = n * 2654435761u;
  for (int i = 0; i < n; i++)
    v[i] = (state = state * 1664525u + 1013904223u) >> 8;
  qsort(v, n, sizeof *v, LESS);
  for (int i = 0; i < n; i++)
    if ((state = state * 1664525u + 1013904223u) >> 16 < share) /* sometimes */
      s += work(20);
  free(v);
  return s;
}
int main(int argc, char **argv) { return sorts(atoi(argv[1]), atoi(argv[2])) + work(500) < 0; }
END
for less in large small; do
  $clang -O1 -g -DLESS=$less -o sorts sorts.c
  for share in 13107 32768; do "$quincunx" run -q -o sorts$share.qx -- ./sorts {} $share ::: $(seq 100 4 400); done
  gives 0 "a share beside a sort with a $less comparison" whatif --json sorts13107.qx "p(branch sorts.c:$(grep -n sometimes sorts.c | cut -d: -f1)) = 0.5"
  same "is about what was really made, and its interval holds it" True "$("$quincunx" report --json sorts32768.qx >r; python3 -c '
import json
told, made = json.load(open("out"))["after"]["mean"], json.load(open("r"))["program"]["mean"]
print(abs(told["value"] / made - 1) < 0.1 and told["interval"][0] < made < told["interval"][1])')"
  rm sorts*.qx
done
"$quincunx" run -q -o one.qx -- ./sorts {} 32768 ::: 300
gives 0 "one run is asked for another share" whatif one.qx "p(branch sorts.c:$(grep -n sometimes sorts.c | cut -d: -f1)) = 0.7"
has "and bounds nothing" 'open .. open' out

# ---- loops that are left elsewhere ----
cat >ways.c <<'END'
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf back;
volatile int sink;
#ifdef APART
void quiet(int);
#else
__attribute__((noinline)) void quiet(int n) { for (int i = 0; i < n; i++) sink += i; }
#endif
__attribute__((noinline)) void leave(void) { longjmp(back, 1); }
__attribute__((noinline)) int loops(int n) {
  for (int i = 0; i < n; i++) /* ways */
    quiet(2);
  leave();
  return 0;
}
int main(int argc, char **argv) {
  for (volatile int k = 0; k < 10; k++)
    if (!setjmp(back))
      loops(atoi(argv[1]));
}
END
printf 'extern volatile int sink;\nvoid quiet(int n) { for (int i = 0; i < n; i++) sink += i; }\n' >quiet.c
$clang -O1 -g -o ways ways.c
$clang -O1 -g -DAPART -o apart ways.c quiet.c
for p in ways apart; do
  "$quincunx" run -q -o $p.qx -- ./$p {} ::: $(seq 100 140)
  gives 0 "a loop that ended before its function was left" whatif --json $p.qx "trips(loop ways.c:$(grep -n '/\* ways' ways.c | cut -d: -f1)) *= 2"
  same "goes on" True "$(json out '1.9 < j["after"]["mean"]["value"] / j["before"]["mean"]["value"] < 2')"
done

"$quincunx" run -q -o sized.qx --feature 'n={}' -- ./worker {} ::: $(seq 10 10 990)
loop=$(grep -n 'i < n; ++i' "$here/worker.c" | cut -d: -f1)
gives 0 "a size" whatif sized.qx 'size(n) = 2 * n'
lacks "holds what is not known of it" 'ask these by themselves' out
gives 0 "a size beside trips" whatif sized.qx "trips(loop worker.c:$loop) *= 2" 'size(n) = 2 * n'
has "holds no more, and says so" '^note: intervals hold what is not known of the size, and not .*: ask these by themselves' out

gives 0 "--sweep" whatif --json p.qx 'cost(inner) *= x' --sweep x=0..2..0.5
same "has a point for each value" "[0, 0.5, 1, 1.5, 2]" "$(json out '[int(p["x"]) if p["x"] % 1 == 0 else p["x"] for p in j["points"]]')"
same "at 1 nothing changes" True "$(json out 'abs(j["points"][2]["mean"] - j["before"]["mean"]["value"]) < 1e-6')"
same "is linear in the mean" True "$(json out 'abs(j["points"][4]["mean"] - 2 * j["points"][2]["mean"] + j["points"][0]["mean"]) < 1e-6')"
gives 0 "--sweep as text" whatif p.qx 'cost(inner) *= x' --sweep x=1..64
same "has a line per point" 64 "$(awk '/^ *x /{on=1; next} /^ *before/{next} on && /^ *[0-9]/{n++} END{print n}' out)"

gives 0 "two sweeps" whatif --json p.qx 'calls(inner) *= x' 'total(outer) *= y' --sweep x=0..2 --sweep y=1,3
cp out table
gives 0 "one of them" whatif --json p.qx 'calls(inner) *= x' 'total(outer) *= 3' --sweep x=0..2
same "is a row of the table" True "$(python3 -c '
import json
t, r = json.load(open("table")), json.load(open("out"))
row = [{k: v for k, v in p.items() if k != "y"} for p in t["points"] if p["y"] == 3]
print(row == r["points"] and len(t["points"]) == 6 and t["otherVariable"] == "y")')"
gives 0 "two sweeps as text" whatif p.qx 'cost(inner) *= x*y' --sweep x=1..4 --sweep y=0.5,1,2 --show p90
has "are a table for each figure" '^p90, before' out
has "with a column for each value" '^x +y = 0.5 +y = 1 +y = 2$' out
gives 0 "all under main" whatif --json p.qx 'total(main) *= 2'
same "is all" True "$(json out 'all(abs(j["after"][k]["value"] - 2 * v["value"]) < 1e-9 * v["value"] for k, v in j["before"].items())')"

loop=$(grep -n 'for (unsigned i = 0; i < n; ++i)' "$here/worker.c" | cut -d: -f1)
rest="cost(main)*=0 cost(rarely)*=0 cost(outer)*=0"
# shellcheck disable=SC2086
gives 0 "trips that are as they were" whatif --json p.qx "trips(loop worker.c:$loop) *= 1" 'calls(inner) = 100' $rest
same "change nothing more" 49500.0 "$(json out 'round(j["after"]["mean"]["value"], 6)')"
# shellcheck disable=SC2086
gives 0 "twice the trips" whatif --json p.qx "trips(loop worker.c:$loop) *= 2" 'calls(inner) = 100' $rest
same "call twice as often" 99000.0 "$(json out 'round(j["after"]["mean"]["value"], 6)')"
refused() { # refused STATUS TEXT PATTERN WORDS...
  want=$1 text=$2 pattern=$3
  shift 3
  gives "$want" "$text" "$@"
  has "is told" "$pattern" err
  same "in one line" 1 "$(wc -l <err)"
}
refused 2 "a change that is none" "column 11: expected '\)'" whatif p.qx 'cost(inner '
refused 2 "a sweep that is none" 'is not NAME=FROM..TO' whatif p.qx 'cost(inner) *= x' --sweep x=1-3
refused 2 "a percentile that is none" "'q50' is no percentile" whatif p.qx 'cost(inner) *= 2' --show q50
refused 1 "a variable without a value" 'give it some with --sweep' whatif p.qx 'cost(inner) *= x'
refused 1 "a sweep of nothing" "no change depends on 'x'" whatif p.qx 'cost(inner) *= 2' --sweep x=1..3
refused 2 "three sweeps" 'takes one variable or two' whatif p.qx 'cost(inner) *= x' --sweep x=1 --sweep y=1 --sweep z=1
refused 2 "a variable swept twice" "two sweeps of 'x'" whatif p.qx 'cost(inner) *= x' --sweep x=1 --sweep x=2
refused 2 "a total that is set" "column 14: expected '\*='" whatif p.qx 'total(inner) = 5'
refused 1 "calls and trips" 'does not go with changes of p or trips' whatif p.qx 'calls(inner) *= 2' "trips(loop worker.c:$loop) *= 2"
refused 1 "a name that nothing has" "did you mean 'inner'" whatif p.qx 'cost(iner) *= 2'
refused 1 "a file that is not there" 'cannot read the mix' whatif p.qx 'mix(size) = none.tsv'
refused 1 "a feature that no run has" "no run has a feature 'size'" whatif p.qx 'mix(size) = ends.tsv'
refused 1 "a branch where none is" "no branch of two arms on worker.c:1 in what ran; the nearest" whatif p.qx 'p(branch worker.c:1) = 0.5'
refused 1 "a size that nobody has" "no run has a feature 'n'" whatif p.qx 'size(n) = 5'
refused 1 "a corpus that is not there" 'none.qx' whatif none.qx 'cost(inner) *= 2'
gives 2 "no change" whatif p.qx

# ---- what is done under a function: shared with others, made and asked ----
cat >shared.c <<'END'
#include <stdlib.h>
volatile unsigned sink;
__attribute__((noinline)) void work(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink += i * 3;
}
__attribute__((noinline)) unsigned f(unsigned n) {
  for (unsigned i = 0; i < 4; ++i)
    work(n * 10);
  return sink;
}
int main(int argc, char **argv) {
  const unsigned n = (unsigned)atoi(argv[1]);
  for (unsigned i = 0; i < n; ++i)
    work(i);
  for (int i = 0; i < TIMES; ++i)
    f(n);
  return 0;
}
END
for times in 1 3; do
  $clang -O1 -g -DTIMES=$times -o "shared$times" shared.c
  "$quincunx" run -q -o "shared$times.qx" -- ./shared$times {} ::: $(seq 10 10 400)
done
"$quincunx" report --json shared3.qx >three
for how in "calls" "total"; do
  gives 0 "$how of a function that shares its callee" whatif --json shared1.qx "$how(f) *= 3"
  same "is what was really made" True "$(python3 -c '
import json
told, truth = json.load(open("out"))["after"], json.load(open("three"))["program"]
print(all(abs(told[k]["value"] / (truth[k] if k == "mean" else truth[k]["value"]) - 1) < 0.01 for k in ("mean", "p50", "p90")))')"
  has "and says why it is" 'was recorded' out
done
$clang -fplugin-arg-quincunx-record=counts -O1 -g -DTIMES=1 -o bare shared.c
"$quincunx" run -q -o bare.qx -- ./bare {} ::: $(seq 10 10 400)
gives 0 "without records" whatif --json bare.qx "calls(f) *= 3"
same "the interval holds it" True "$(python3 -c '
import json
told, truth = json.load(open("out"))["after"]["mean"], json.load(open("three"))["program"]["mean"]
print(told["interval"][0] <= truth <= told["interval"][1])')"
has "and a note names who is shared" 'most of all work' out

cat >server.c <<'END'
#include <quincunx/quincunx.h>
#include <stdlib.h>
__attribute__((noinline)) unsigned step(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
QUINCUNX_REQUEST unsigned handle(unsigned n) {
  unsigned x = n;
  quincunx_feature("n", n);
  for (unsigned i = 0; i < n; ++i)
    x = step(x + i);
  return x;
}
int main(int argc, char **argv) {
  unsigned x = 0;
  for (int i = 1; i <= atoi(argv[1]); ++i)
    x += handle((unsigned)i % 1000);
  return x == 1 + (argc > 3);
}
END
$clang -O2 -g -o server server.c
"$quincunx" run -q -o s.qx -- ./server {} ::: 100
gives 0 "--per request" whatif --json --per request s.qx 'calls(step) := 10' 'cost(handle) *= 0'
same "asks of requests" "handle 100 505.0" "$(json out 'j["request"], j["runs"]["used"], round(j["after"]["mean"]["value"], 6)' | tr -d "(),'")"
printf '10..19\t1\n90..100\t1\n' >n.tsv
gives 0 "a mix by a feature" whatif --json --per request s.qx 'mix(n) = n.tsv' 'calls(step) := 10' 'cost(handle) *= 0'
same "is those requests" 547.5 "$(json out 'round(j["after"]["mean"]["value"], 6)')"
gives 1 "--per request without requests" whatif --per request p.qx 'cost(inner) *= 2'

# ---- trips: what ends in the loop ends there, and what follows it is told ----
cat >loops.c <<'END'
#include <stdlib.h>
volatile unsigned sink;
__attribute__((noinline)) void step(unsigned i, unsigned last) {
  sink += i;
  if (i == last)
    exit(0);
}
__attribute__((noinline)) void read(unsigned n, unsigned last) {
  for (unsigned i = 0; i < n; ++i)
    step(i, last);
}
__attribute__((noinline)) void compute(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink += 3 * i;
}
int main(int argc, char **argv) {
  read(atoi(argv[1]), atoi(argv[2]));
  if (argc > 3)
    compute(atoi(argv[1]));
  return 0;
}
END
$clang -O1 -g -o loops loops.c
loop=$(grep -n 'step(i, last);' loops.c | cut -d: -f1)
for n in $(seq 100 10 290); do printf '%s-ends\t-\t%s 50\t\n%s\t-\t%s 1000\t\n' $n $n $n $n; done >ends.cases
"$quincunx" run -q -o e.qx --cases ends.cases -- ./loops
gives 0 "a loop in which half of the runs end" whatif --json e.qx "trips(loop loops.c:$((loop - 1))) *= 2"
same "which twice the trips do not change" "True" "$("$quincunx" report --json e.qx >r; python3 -c '
import json
r, w = json.load(open("r")), json.load(open("out"))
going = [x["cost"] for x in r["perRun"] if "ends" not in x["label"]]
print(abs(w["difference"]["mean"]["value"] / (sum(going) / 2 / len(going)) - 1) < 0.05)')"
for n in $(seq 100 10 490); do printf '%s\t-\t%s 1000 x\t\n' $n $n; done >follow.cases
"$quincunx" run -q -o f.qx --cases follow.cases -- ./loops
gives 0 "a loop that other work follows" whatif --json f.qx "trips(loop loops.c:$((loop - 1))) *= 2"
same "shows both, and its intervals hold both" "True True" "$(python3 - <<'END'
import json
j = json.load(open("out"))
before, after = j["before"]["mean"]["value"], j["after"]["mean"]
low, high = after["interval"]
print(abs(after["along"] / before - 2) < 0.02 and 1.2 < after["value"] / before < 1.9,
      low <= after["value"] <= high and low <= after["along"] <= high)
END
)"
gives 0 "where that work costs nothing" whatif --json f.qx 'cost(compute) *= 0' "trips(loop loops.c:$((loop - 1))) *= 2"
same "there is nothing to follow" False "$(json out '"along" in j["after"]["mean"]')"
gives 0 "as text" whatif f.qx "trips(loop loops.c:$((loop - 1))) *= 2"
has "has a column for it" 'after, if the rest follows' out
has "and says why" 'note: from run to run the work outside of these loops to the power (1|0.99[0-9]*) grows with their trips per entry' out
gives 0 "a sweep of it" whatif f.qx "trips(loop loops.c:$((loop - 1))) *= x" --sweep x=1..4
has "says so of its ends" '^note: at x = 4: from run to run the work outside of these loops' out

cat >sides.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) static void work(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    sink += i;
}
int main(int argc, char **argv) {
  unsigned n = (unsigned)atoi(argv[1]);
  for (unsigned i = 0; i < 10; i++)
    if (n < 200) // small
      work(5 * n);
    else
      work(n);
  return argc == 3;
}
END
$clang -O1 -g -o sides sides.c
"$quincunx" run -q -o sides.qx --feature 'n={}' -- ./sides {} ::: $(seq 3 5 900)
small="p(branch sides.c:$(grep -n '// small' sides.c | cut -d: -f1))"
gives 0 "a side that small inputs alone have" whatif sides.qx "$small = 0.9"
has "is said" '^note: the runs that become more frequent' out
sed 's/^note: //' out | grep '^the runs that' >said
gives 0 "a sweep" whatif sides.qx "$small = x" --sweep x=0.1..0.9..0.4
same "says it of the end where it is so" "at x = 0.9: $(cat said)" "$(sed -n 's/^note: \(at x = 0.9: the runs that\)/\1/p' out)"

# ---- runs that were stopped in a function ----
cat >stopped.c <<'END'
#include <stdlib.h>
volatile unsigned sink;
__attribute__((noinline)) void work(unsigned n) { for (unsigned i = 0; i < n; ++i) sink += i; }
__attribute__((noinline)) void between(unsigned n) { for (unsigned j = 0; j < n; ++j) work(1000); sink = 1; }
int main(int argc, char **argv) { (void)argc; between(atoi(argv[1])); return 0; }
END
$clang -O2 -g -o stopped stopped.c
gives 3 "a run that is stopped" run -q -o stopped.qx --timeout 0.3 -- ./stopped {} ::: 1 2 3 4 5 6 7 8 9 1000000000
gives 0 "where a run was stopped" whatif --unit counts --json stopped.qx 'calls(main) *= 0'
same "nothing is left without main" True "$(json out 'j["after"]["mean"]["value"] < 1e-6 * j["before"]["mean"]["value"]')"
gives 0 "below main" whatif --unit counts stopped.qx 'total(between) *= 0.5'
tr -s '\n ' ' ' <out >sentence
has "it is said that nobody knows" 'in runs that were stopped all that it did may be under it' sentence

# ---- what is not known of calls is open: each change is really made ----
cat >open.cpp <<'END'
#include <csetjmp>
#include <cstdlib>
#ifndef TIMES
#define TIMES 1
#endif
static volatile int times = TIMES;
static volatile long sink;
static std::jmp_buf out;
__attribute__((noinline)) static void spin(int n) { for (int i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) static void guarded(int n) {
  if (setjmp(out)) return;
  for (int i = 0; i < times; i++) spin(n); // cheap calls of what others call dearly
}
struct Shape {
  virtual ~Shape() = default;
  virtual void open() { sink = 1; }
  virtual void draw(int n) { spin(n); }
  virtual void close(int) { sink = 2; }
};
__attribute__((noinline)) static void show(Shape *s, int n) {
  s->close(1);
  for (int i = 0; i < times; i++) s->draw(n); // as often as the other one is called
}
static bool isZero(const char *s, int n) { // inlined in one, and a call elsewhere
  while (n-- > 0)
    if (*s++ != 0) return false;
  return true;
}
static bool (*volatile far)(const char *, int) = isZero;
int main(int argc, char **argv) {
  static char bytes[1000];
  int n = std::atoi(argv[1]);
  Shape *volatile s = new Shape;
  for (int i = 0; i < n; i++) guarded(3);
  for (int i = 0; i < n; i++) spin(200);
  show(s, n);
  for (int i = 0; i < n; i++) sink += isZero(bytes, n);
  sink += far(bytes, n);
  return argc < 0;
}
END
for times in 1 3; do
  ${clang/clang-/clang++-} -O2 -g -DTIMES=$times -o open open.cpp
  "$quincunx" run -q -o open$times.qx -- ./open {} ::: $(seq 10 10 200)
done
"$quincunx" report --json --unit counts open1.qx >one.json
truth=$("$quincunx" report --json --unit counts open3.qx | python3 -c 'import json, sys; print(json.load(sys.stdin)["program"]["mean"])')
for line in cheap often; do
  loop=$(grep -n "$line" open.cpp | cut -d: -f1)
  gives 0 "trips where $line" whatif --unit counts open1.qx "trips(loop open.cpp:$loop) *= 3"
  has "are open, and it is said" '^note: (a function is called there and at other|.* calls through pointers)' out
  "$quincunx" whatif --json --unit counts open1.qx "trips(loop open.cpp:$loop) *= 3" >$line.json
done
same "intervals hold both changes, really made" True "$(python3 -c "
import json
one, both = json.load(open('one.json'))['program']['mean'], [json.load(open(f + '.json'))['difference']['mean']['interval'] for f in ('cheap', 'often')]
print(sum(i[0] for i in both) <= $truth - one <= sum(i[1] for i in both))")"
rows() { python3 -c "import json; r = next(f for f in json.load(open('one.json'))['functions'] if 'isZero' in f['name']); print($1)"; }
for what in cost total; do
  gives 0 "$what(isZero)" whatif --json --unit counts open1.qx "$what(isZero) *= 0"
  same "is all of it, wherever it was inlined" True "$(json out "abs(j['before']['mean']['value'] - j['after']['mean']['value'] - $(rows "r['cost']['mean']")) < 1")"
done
cat >tree.c <<'END'
#include <setjmp.h>
#include <stdlib.h>
typedef struct Node { int kind, value; struct Node *left, *right; } Node;
static jmp_buf back;
static int errors;
__attribute__((noinline)) static int evaluate(const Node *n);
__attribute__((noinline)) static int sum(const Node *n) { return evaluate(n->left) + evaluate(n->right); }
__attribute__((noinline)) static int less(const Node *n) { return evaluate(n->left) < evaluate(n->right); } // of leaves alone
__attribute__((noinline)) static void leave(int n) {
  if (n > 0) longjmp(back, 1);
}
__attribute__((noinline)) static int fail(int n) { leave(n); return n; }
__attribute__((noinline)) static int spin(int n) {
  volatile int s = 0;
  for (int i = 0; i < n; i++) s += i;
  return s;
}
__attribute__((noinline)) static int apart(int n) { return n < 0 ? fail(n) : spin(n) + spin(2 * n); }
__attribute__((noinline)) static int evaluate(const Node *n) {
  return n->kind == 2 ? sum(n) : n->kind == 1 ? less(n) : n->value;
}
static Node *make(int depth) {
  Node *n = calloc(1, sizeof *n);
  n->kind = depth > 1 ? 2 : depth;
  n->value = rand() % 9;
  if (depth > 0) n->left = make(depth - 1), n->right = make(depth - 1);
  return n;
}
int main(int argc, char **argv) {
  int sink = argc;
  for (int i = 0; i < 20; i++) sink += evaluate(make(1 + atoi(argv[1]) % 8)) + apart(i) + spin(50);
  if (setjmp(back)) errors++;
  else fail(argc);
  return sink == errors;
}
END
$clang -O2 -g -o tree tree.c
"$quincunx" run -q -o tree.qx -- ./tree {} ::: $(seq 1 30)
"$quincunx" report --json --unit counts tree.qx >tree.json
for f in less sum evaluate apart; do
  gives 0 "total($f)" whatif --json --unit counts tree.qx "total($f) *= 0"
  same "is what was recorded of it, under others and after an error" True "$(python3 -c "
import json
r, w = json.load(open('tree.json')), json.load(open('out'))
f = next(f for f in r['functions'] if f['name'] == '$f')
print(f['totalRecorded'] and abs(w['difference']['mean']['value'] + f['total']['mean']) < 1e-6 * f['total']['mean'])")"
done
finish
