#!/bin/bash
# quincunx explain: that it names what makes runs differ, with shares that are those of the runs, and what its options
# choose. Whether it names planted causes in many programs is judged by test/judges/explain.py.
. "$(dirname "$0")/common"

cat >prog.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) static unsigned always(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; ++i)
    x = x * 31 + i;
  return x;
}
__attribute__((noinline)) static unsigned seldom(unsigned n) {
  unsigned x = 7;
  for (unsigned i = 0; i < n; ++i)
    x = x * 33 ^ i; // here
  return x;
}
int main(int argc, char **argv) {
  unsigned n = atoi(argv[1]), x = always(100 + n % 7);
  if (n % 20 == 3) // why
    x += seldom(5000 + n);
  return argc > 2 ? x == 1 : 0;
}
END
$clang -O2 -g -fno-vectorize -fno-unroll-loops -o prog prog.c
"$quincunx" run -q -o p.qx -- ./prog {} ::: $(seq 1 100)
line() { grep -n "// $1" prog.c | cut -d: -f1; }

gives 0 "explain" explain p.qx
cp out plain
gives 0 "again" explain p.qx
check "is the same, byte by byte" cmp out plain
has "ends with what to ask next" '^next: quincunx whatif .*cost[(].*[)] [*]= 0[.]5' out
lacks "has no colours when nobody sees them" "$(printf '\033')" plain
has "lists calls of what was not counted" '^ +1  (atoi|strtol) +main$' plain
has "says who makes the variance" '^ *(99|100)\.[0-9] % .* seldom$' plain
has "says which branch" "prog.c:$(line why) main: if, true" plain
has "says how many runs are the tail" 'the tail: the 5 costliest runs against the other 95' plain
has "says who is only in it" 'new  seldom$' plain
has "names the slowest input and what it does" '  83 .* seldom' plain

gives 0 "--json" explain --json p.qx
cp out j
same "is a document that names its schema" "quincunx/explain/1 p.qx 100" "$(json j 'j["schema"], j["corpus"], j["runs"]["used"]' | tr -d "(),'")"
same "shares of the variance add up to one" 1.0 "$(json j 'round(sum(f["variance"] for f in j["functions"]), 9)')"
same "elasticities of p99 add up to one" 1.0 "$(json j 'round(sum(f["p99"] for f in j["functions"]), 9)')"
same "shares of the tail add up to one" 1.0 "$(json j 'round(sum(f["share"] for f in j["tail"]["functions"]), 9)')"
"$quincunx" report --json p.qx >r
same "the program's figures are those of the report" "$(json r 'j["program"]')" "$(json j 'j["program"]')"
same "the variance is that of the costs of the runs" True "$(python3 - j r <<'END'
import json, sys
j, r = (json.load(open(f)) for f in sys.argv[1:])
costs = [run["cost"] for run in r["perRun"]]
mean = sum(costs) / len(costs)
print(abs(sum((c - mean) ** 2 for c in costs) / len(costs) / j["variance"]["value"] - 1) < 1e-12)
END
)"
same "shares of the mean are those of the report" True \
  "$(python3 -c '
import json
j, r = (json.load(open(f)) for f in "jr")
shares = {f["name"]: f["share"] for f in r["functions"]}
print(all(abs(shares[f["name"]] - f["mean"]) < 1e-12 for f in j["functions"]))')"
same "the line is that of the loop" "True" "$(json j "any(l['line'] == $(line here) for l in j['lines'][:2])")"
same "the branch is the condition" "$(line why) if 0" "$(json j '*(j["branches"][0][k] for k in ("line", "kind", "arm"))')"
same "it explains nearly all" True "$(json j 'j["branches"][0]["explains"] > 0.99')"
same "by what it calls" "True False" "$(json j '*(lambda b: (b["itself"] > 0.99, b["goesAlong"]))(j["branches"][0])')"
same "main makes all with what it calls" "1.0 1.0 1.0" "$(json j '*(round(f["total"][k], 9) for f in j["functions"] if f["name"] == "main" for k in ("variance", "tail", "mean"))')"
same "functions that call nothing make what they cost" True "$(json j 'all(abs(f["total"]["variance"] - f["variance"]) < 1e-9 for f in j["functions"] if f["name"] != "main")')"
has "the heaviest way is shown" '^heaviest way: main 100\.0 % > seldom (99|100)\.[0-9] %$' plain
same "the tail runs are those with the cause" True \
  "$(json j 'all(int(x["label"]) % 20 == 3 for x in j["tail"]["runs"]) and len(j["tail"]["runs"]) == 5')"
same "the slowest come first" "83 63 43 23 3" "$(json j '*(x["label"] for x in j["slowest"])')"

gives 0 "--top" explain --top 1 p.qx
has "limits tables and says so" '^\([0-9]+ more of [0-9]+ lines: --top 0 shows all\)$' out
gives 0 "--top with --json" explain --json --top 1 p.qx
same "as well" "1 1" "$(json out 'len(j["functions"]), len(j["tail"]["lines"])' | tr -d '(),')"
same "totals are those that were recorded" False "$(json j 'j["converted"]')"
gives 0 "--machine unit" explain --json --machine unit p.qx
same "they are converted, and it says so" True "$(json out 'j["converted"]')"
same "is named" unit "$(json out 'j["machine"]')"
printf 'load moments(4, 9, 3, 12)\nadd 1\nmultiply moments(3, 40000, 0, 3)\n' >random.machine
gives 0 "a random machine" explain --machine random.machine p.qx
has "what is random in a run is shown" 'of the variance is random given the counts' out
gives 0 "a random machine, --json" explain --json --machine random.machine p.qx
same "its shares add up as well" "1.0 1.0 True" \
  "$(json out '*(round(sum(f[k] for f in j["functions"]), 9) for k in ("variance", "p99")), j["variance"]["within"] > 0')"

# ---- few runs, equal runs, stopped and crashed runs ----
"$quincunx" run -q -o few.qx -- ./prog {} ::: $(seq 1 9)
gives 0 "nine runs" explain few.qx
has "have no tail, and it is said" 'no runs stand out as a tail' out
"$quincunx" run -q -o one.qx -- ./prog {} ::: 5
gives 0 "one run" explain one.qx
has "differs from none" 'all runs cost the same' out
lacks "no figure is no number" 'nan|inf' out
"$quincunx" run -q -o q.qx -- ./worker {} ::: $(seq 0 10 190)
"$quincunx" run -q -o q.qx -- ./worker {} abort ::: 5 2>err || true
"$quincunx" run -q -o q.qx --timeout 0.5 -- ./worker {} sleep 9000 ::: 6 2>err || true
gives 0 "crashes and timeouts" explain q.qx
has "are counted" '21 runs, 1 of them stopped; 1 left out' out
has "and noted" 'note: 1 run was stopped' out
has "the stopped run is shown as at least" '>= .*\(stopped\)' out

# ---- groups ----
cat >modes.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) static unsigned work(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; ++i)
    x = x * 31 + i;
  return x;
}
__attribute__((noinline)) static unsigned parse(unsigned n) { return work(3 * n + 5000); }
int main(int argc, char **argv) {
  unsigned n = atoi(argv[1]);
  return (n % 3 == 0 ? parse(n) : work(100 + n)) == 1 && argc > 2;
}
END
$clang -O2 -g -o modes modes.c
"$quincunx" run -q -o m.qx --feature 'n={}' -- ./modes {} ::: $(seq 1 150)
gives 0 "two humps" explain m.qx
has "are shown" '^2 groups of runs by cost$' out
has "with what is known of their inputs" ' 33\.3 % .* 3, 6, 9, \.\.\. +n 3 \.\. 150 \(median 75\)$' out
gives 0 "--json" explain --json m.qx
same "every run is in the group it belongs to" "2 True 100 50" "$(json out 'len(j["groups"]), all((int(r["label"]) % 3 == 0) == (g == 1) for g in (0, 1) for r in j["groups"][g]["runs"]), *(len(g["runs"]) for g in j["groups"])' | tr -d '(),')"
same "the function that only one has is named" True "$(json out 'any(f["name"] == "parse" and f["apart"] is None and f["calls"] == [1, 0] for f in j["groups"][1]["against"]["functions"])')"
same "one hump has no groups" "[]" "$("$quincunx" explain --json p.qx >one; json one 'j["groups"]')"

# ---- inputs ----
"$quincunx" run -q -o i.qx --feature deep=1 -- ./modes {} ::: $(seq 3 3 60)
"$quincunx" run -q -o i.qx --feature deep=0 -- ./modes {} ::: $(seq 1 3 150)
gives 0 "a flag that decides" explain i.qx
has "is the verdict" '^[0-9] of [0-9] slowest: .*work.*modes\.c:2\).* where deep = 1$' out
has "and in a table" '^how cost follows the inputs: 9[0-9]\.[0-9] % of the variance' out
gives 0 "--json" explain --json i.qx
same "has it as well" "condition deep 1.0 20 work True" "$(json out '*(lambda x: (x["kind"], x["where"][0]["feature"], x["where"][0]["value"], x["runs"], x["by"]["name"], "where deep = 1" in j["verdict"]))(j["inputs"]["effects"][0])')"
same "next to nothing is left" "True []" "$(json out 'j["rest"]["left"] < 0.01, j["rest"]["functions"]' | tr -d '(),')"
gives 0 "as text" explain i.qx
has "it is said how much that is" '^what the inputs leave: 0\.[0-9] % of the variance$' out
has "and no table follows" '^next to nothing$' out
same "without effects there is no rest" None "$(json j 'j["rest"]')"
"$quincunx" run -q -o t.qx --feature mode=deep -- ./modes {} ::: $(seq 3 3 60)
"$quincunx" run -q -o t.qx --feature mode=plain -- ./modes {} ::: $(seq 1 3 150)
gives 0 "a text that decides" explain t.qx
has "is the verdict as well" '^[0-9] of [0-9] slowest: .*work.* where mode = deep$' out
gives 0 "corpus dump" corpus dump t.qx
has "tells it" '^text-feature.*mode.*plain' out
gives 0 "without features" explain p.qx
tr '\n' ' ' <out >joined # it goes on in the next line
has "the verdict is of the tail" ' nothing that differs is recorded of all inputs .*; of what the 5 slowest cost more, .* is in seldom' joined

# ---- requests ----
cat >server.c <<'END'
#include <quincunx/quincunx.h>
#include <stdlib.h>
__attribute__((noinline)) unsigned step(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
__attribute__((noinline)) unsigned retry(unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < 300; ++i)
    x = step(x + i);
  return x;
}
QUINCUNX_REQUEST unsigned handle(unsigned n) { return n % 50 == 9 ? retry(n) : step(n); }
int main(int argc, char **argv) {
  unsigned x = 0;
  for (int i = 1; i <= atoi(argv[1]); ++i)
    x += handle(i);
  return argc > 2 && x == 1;
}
END
$clang -O2 -g -o server server.c
"$quincunx" run -q -o s.qx -- ./server {} ::: 600
gives 0 "--per request" explain --per request s.qx
has "says of which function" 'Why requests of handle differ in cost.* 600 of 600 requests' out
gives 0 "--per request --json" explain --per request --json s.qx
same "the tail is the planted requests" "True handle" \
  "$(json out 'all(int(x["label"].split("#")[1]) % 50 == 9 for x in j["tail"]["runs"]), j["request"]' | tr -d "(),'")"
gives 1 "a name that none has" explain --per request --function zap s.qx
gives 1 "no requests" explain --per request p.qx
has "what to do" 'no requests; mark a function' err

# ---- what was recorded, and what was not ----
cat >lost.c <<'END'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf back;
#define NOINLINE __attribute__((noinline))
NOINLINE void leave(int n) { if (n) longjmp(back, 1); }
NOINLINE int work(int n, int t) { volatile int s = 0; for (int i = 0; i < 20 * n; i++) s += i; leave(t); return s; }
NOINLINE int attempt(int n) { if (setjmp(back)) return 1; return work(n, n % 2); }
NOINLINE int often(int n) { int s = 0; for (int i = 1; i < n; i++) s += attempt(i); return s; }
NOINLINE int alone(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
static NOINLINE int compare(const void *a, const void *b) { int s = alone(20), x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y) + (s < 0); }
NOINLINE int sorted(int n) {
  int *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++) v[i] = i * 7919 % n;
  qsort(v, n, sizeof *v, compare);
  int s = v[0];
  free(v);
  return s;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = argc > 2 ? often(n) : 0;
  printf("%d\n", s + sorted(n));
}
END
$clang -O1 -g -o lost lost.c
$clang -O1 -g -fplugin-arg-quincunx-record=counts -o bare lost.c
"$quincunx" run -q -o lost.qx -- ./lost {} jump ::: $(seq 20 40)
"$quincunx" run -q -o stays.qx -- ./lost {} ::: $(seq 20 40)
"$quincunx" run -q -o bare.qx -- ./bare {} ::: $(seq 20 40)
recorded() { json out "*(f['total']['recorded'] for n in '$*'.split() for f in j['functions'] if f['name'] == n)"; }
gives 0 "frames that a longjmp passed over" explain --json --top 0 lost.qx
same "are in no sum of those above them" "False False True" "$(recorded often attempt sorted)"
gives 0 "as text" explain lost.qx
has "which says so" '^ *~[0-9.]+ %.* often$' out
gives 0 "report --per call" report --per call lost.qx
has "marks them" 'cut: [0-9]+.*often|often.*cut: [0-9]+' out
gives 0 "a corpus without" explain --json --top 0 stays.qx
same "has callbacks in what was recorded" "True True" "$(recorded sorted) $(json out '[f["total"]["mean"] for f in j["functions"] if f["name"] == "sorted"][0] > 0.98')"
gives 0 "counts alone" explain --json --top 0 bare.qx
same "do not tell whom a library calls back" "False" "$(recorded sorted)"

cat >nested.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
static unsigned often;
__attribute__((noinline)) static void work(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    sink += i;
}
__attribute__((noinline)) static void tree(unsigned n, unsigned x) {
  if (n == 0)
    return;
  if (x % 8 < often) {
    tree(n - 1, x / 3 + 1);
    sink += x;
  }
  work(10);
}
int main(int argc, char **argv) {
  unsigned x = (unsigned)atoi(argv[1]);
  often = 4 + x % 5;
  for (unsigned i = 0; i < 20; i++)
    tree(12, x * 7919 + i * 31);
  return 0;
}
END
$clang -O2 -g -o nested nested.c
"$quincunx" run -q -o nested.qx -- ./nested {} ::: $(seq 3 60)
gives 0 "arms that call their function again" explain --json --top 0 nested.qx
# Calls within calls were added up: 828 % of the mean.
same "hold each other: what they cost is not known" "(None, None)" \
  "$(json out '[(b["itself"], b["cost"]) for b in j["branches"] if b["function"] == "tree"][0]')"
gives 0 "as text" explain nested.qx
lacks "and they do not go along" 'goes along' out

gives 1 "a corpus that is not there" explain none.qx
same "is one line" 1 "$(wc -l <err)"
gives 1 "a machine nobody knows" explain --machine abacus p.qx
gives 2 "no corpus" explain
gives 2 "--per call" explain --per call p.qx
# ---- code of headers, which everybody calls ----
mkdir -p system
cat >system/grind.h <<'END'
static volatile unsigned sink;
__attribute__((noinline)) static void grind(unsigned n) { for (unsigned i = 0; i < n; ++i) sink = i; }
END
cat >user.c <<'END'
#include <grind.h>
#include <stdlib.h>
__attribute__((noinline)) static void square(unsigned n) { grind(n * n); }
__attribute__((noinline)) static void often(unsigned n) { for (unsigned i = 0; i < 20 * n; ++i) grind(2); }
int main(int argc, char **argv) { (void)argc; square((unsigned)atoi(argv[1])); often((unsigned)atoi(argv[1])); return 0; }
END
$clang -O1 -g -isystem system -o user user.c
"$quincunx" run -q -o user.qx --feature 'n={}' -- ./user {} ::: $(seq 100 20 900)
gives 0 "an effect in code of headers" explain --unit counts user.qx
has "is of the function whose calls cost that, not of who calls it most" 'by grind \(grind.h:2\), called from square' out

finish
