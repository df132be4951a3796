#!/bin/bash
# quincunx model: its means are those of the counts, what it says of calls is what was measured where independence
# holds, and what its options choose.
. "$(dirname "$0")/common"

"$quincunx" run -q -o p.qx -- ./worker {} ::: $(seq 0 10 990)
gives 0 "model" model p.qx
has "puts measured calls beside the model" 'measured mean' out
cp out out_text
gives 0 "--json" model --json p.qx
cp out j
same "is a document that names its schema" "quincunx/model/1 p.qx 100 bernoulli" "$(json j 'j["schema"], j["corpus"], j["runs"], j["branch"]' | tr -d "(),'")"
same "the composed mean is that of the counts" True "$(json j 'abs(j["composedMean"] / j["observedMean"] - 1) < 1e-9')"
"$quincunx" report --json p.qx >r
same "and that of the report" True "$(python3 -c 'import json; print(abs(json.load(open("j"))["observedMean"] / json.load(open("r"))["program"]["mean"] - 1) < 1e-9)')"
"$quincunx" report --json --per call p.qx >calls
same "the mean of one call is the measured one" "True True" "$(python3 - <<'END'
import json
model = {f["name"]: f for f in json.load(open("j"))["functions"]}
calls = {f["name"]: f for f in json.load(open("calls"))["functions"]}
for name in ("main", "outer"):
    print(abs(model[name]["inclusive"][0] / calls[name]["mean"] - 1) < 1e-9, end=" " if name == "main" else "\n")
END
)"
same "and says how far it is from it" True "$(json j 'all(abs(f["measured"]["contextEffect"]) < 1e-6 * f["measured"]["mean"] for f in j["functions"] if f["name"] in ("main", "outer"))')"
has "as a context effect" 'context effect' out_text
has "marks what independence does not carry" '^ +1 +6436 +0 \? .*[^d] +outer$' out_text
has "says refuted in place of an error" '^ +6436 .* refuted +outer$' out_text
has "says why" '^outer +calls differ more from run to run' out_text
same "in JSON too" "True False" "$(json j '*("refuted" in f for n in ("outer", "rarely") for f in j["functions"] if f["name"] == n)' | tr -d '(),')"
gives 0 "--summary of what was not measured" model --summary --machine unit p.qx
same "leaves it out" "refuted - -" "$(awk '$1 == "outer" { print $4, $7, $10 }' out)"
gives 0 "--pamela" model --pamela p.qx
has "says it in a comment" '^% .*outer.*; independence is refuted: calls differ' out
gives 0 "--function with one function" model --function '^outer$' p.qx
has "says it there" '^independence does not carry it: .*from run to run' out
has "shows the tree with its loop" 'loop line 14, 495 trips|loop line 1[0-9], 4[0-9.]+ trips' out
gives 0 "--function as JSON" model --json --function '^inner$' p.qx
same "says how far counts are from independent draws" True \
  "$(json out 'all(b["phiInterval"][0] <= b["phi"] <= b["phiInterval"][1] for b in j["function"]["branches"])')"
for f in main outer inner rarely; do "$quincunx" model --json --function "^$f\$" p.qx; done 2>/dev/null >all
same "have no verdict, and shares are shares" True "$(python3 - <<'END'
import json
text, decoder, branches = open("all").read(), json.JSONDecoder(), []
while text.strip():
    j, end = decoder.raw_decode(text.lstrip())
    branches += j["function"]["branches"]
    text = text.lstrip()[end:]
print(all(0 <= b["p"] <= 1 and (0 < b["p"] < 1 or "phi" not in b) for b in branches) and len(branches) > 0)
END
)"
gives 0 "--function with several" model --function 'outer|inner' p.qx
has "lists them" 'inner$' out
gives 1 "--function that nobody is" model --function zebra p.qx
has "is named" zebra err

# ---- a triangular nest, and recursion on a shrinking problem ----
cat >shapes.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) void triangle(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      sink += j;
}
__attribute__((noinline)) void every(int n) {
  for (int i = 0; i < n; ++i)
    if (i % 4 == 0)
      sink += i;
}
__attribute__((noinline)) void below(int n, int k) {
  for (int i = 0; i < n; ++i)
    if (i < k)
      sink += i;
}
__attribute__((noinline)) void drawn(int n) {
  for (int i = 0; i < n; ++i)
    if (rand() % 4 == 0)
      sink += i;
}
__attribute__((noinline)) void halve(int n) {
  if (n < 2)
    return;
  for (int i = 0; i < n; ++i)
    sink += i;
  halve(n / 2);
  halve(n - n / 2);
}
int main(int argc, char **argv) {
  triangle(100);
  srand(argc + atoi(argv[1]));
  for (int i = 0; i < 20; ++i)
    every(100), below(100, 37);
  drawn(100);
  halve(64 + atoi(argv[1]) % 4);
  return 0;
}
END
$clang -O2 -g -o shapes shapes.c
"$quincunx" run -q -o s.qx -- ./shapes {} ::: $(seq 20)
for machine in x86-64 unit; do
  gives 0 "shapes, machine $machine" model --json --machine $machine s.qx
  # Calls are measured in the units of x86-64; there main rests on the recursion as it was measured.
  rests=$([ $machine = unit ] && echo True || echo False)
  same "the triangle is exact; the recursion is refuted, and what rests on it" "0.0 False True $rests" \
    "$(python3 -c '
import json
f = {f["name"]: f for f in json.load(open("out"))["functions"]}
print(f["triangle"]["inclusive"][1], *("refuted" in f[n] for n in ("triangle", "halve", "main")))')"
  # By the unit machine the arms cost nothing.
  spread=$([ $machine = unit ] && echo True || echo False)
  same "branches that follow from the index have no spread, others have" "True True True $spread" \
    "$(python3 -c '
import json
f = {f["name"]: f for f in json.load(open("out"))["functions"]}
print(*(f[n]["inclusive"][1] == 0 for n in ("triangle", "every", "below", "drawn")))')"
done

# ---- triangular nests, at all levels at which the compiler knows trips ----
cat >nests.c <<'END'
#include <stdlib.h>
static unsigned x[200], c[200][200];
#define noinline __attribute__((noinline))
noinline unsigned upTo(int n) { unsigned s = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) s += x[j] ^ i; return s; }
noinline unsigned from(int n) { unsigned s = 0; for (int i = 0; i < n; ++i) for (int j = i; j < n; ++j) s += 3 * x[j] + i; return s; }
noinline void half(int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < i / 2; ++j) x[j] += i; }
noinline void capped(int n, int k) { for (int i = 0; i < n; ++i) for (int j = 0; j < (i < k ? i : k); ++j) x[j] += i; }
noinline void deep(int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) for (int k = 0; k < j; ++k) c[i][k] += j; }
noinline void flagged(int n, int flag) { for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) if (flag) x[j] += i; else x[j] ^= j; }
int main(int argc, char **argv) {
  const int n = 50 + argc + atoi(argv[1]) * 0;
  const unsigned s = upTo(n) + from(n);
  half(n), capped(n, 17), deep(n), flagged(n, argc);
  return s == 1;
}
END
for level in 1 2 3; do
  $clang -O$level -g -o nests nests.c
  rm -f n.qx
  "$quincunx" run -q -o n.qx -- ./nests {} ::: 1 2 3
  gives 0 "-O$level: nests of loops" model --json n.qx
  same "-O$level: cost what they cost, with no spread" "7 True" "$(python3 -c '
import json
f = json.load(open("out"))["functions"]
print(len(f), all(g["inclusive"][1] == 0 == g["measured"]["sd"] and "refuted" not in g and
                  abs(g["measured"]["contextEffect"]) < 1e-9 * g["inclusive"][0] for g in f))')"
done

# ---- measured where refuted ----
cat >halves.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) void halve(int n) {
  if (n < 2)
    return;
  for (int i = 0; i < n; ++i)
    sink += i;
  halve(n / 2);
  halve(n - n / 2);
}
__attribute__((noinline)) unsigned power(unsigned b, unsigned e) {
  if (e == 0)
    return 1;
  const unsigned h = power(b, e / 2);
  return e % 2 ? h * h * b : h * h;
}
int main(int argc, char **argv) {
  srand(argc + atoi(argv[1]));
  for (int i = 0; i < 20; ++i)
    halve(16 + rand() % 200), sink += power(3, 1 + (unsigned)rand() % 100000);
  return 0;
}
END
$clang -O2 -g -o halves halves.c
"$quincunx" run -q -o h.qx -- ./halves {} ::: $(seq 60)
gives 0 "recursion on problems that shrink" model --json h.qx
same "is refuted, and its callers are charged what was measured" "True True True True False True" "$(python3 -c '
import json
f = {f["name"]: f for f in json.load(open("out"))["functions"]}
main = f["main"]
print(*(k in f[n] for n in ("halve", "power") for k in ("refuted", "asMeasured")), "refuted" in main,
      abs(main["inclusive"][1] ** 0.5 / main["measured"]["sd"] - 1) < 0.25)')"
gives 0 "the same for people" model h.qx
has "says so" '^halve +it is recursive, .*; charged as measured$' out
gives 0 "and as a model of PAMELA+" model --pamela h.qx
has "says so, too" '^% halve .*: recursive, as measured; independence is refuted' out
gives 0 "branches as observed" model --json --branch observed h.qx
same "are charged to nobody" False "$(json out 'any("asMeasured" in f for f in j["functions"])')"
$clang -O2 -g -fplugin-arg-quincunx-record=counts -o halves halves.c
"$quincunx" run -q -o c.qx -- ./halves {} ::: $(seq 60)
gives 0 "without measured calls" model --json c.qx
same "callers rest on what is refuted" "True False True" "$(python3 -c '
import json
f = {f["name"]: f for f in json.load(open("out"))["functions"]}
print("refuted" in f["halve"], "asMeasured" in f["halve"], "refuted" in f["main"])')"
cat >shared.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) void work(int n) { for (int i = 0; i < n; ++i) sink += i; }
__attribute__((noinline)) void cheap(void) { work(2); }
__attribute__((noinline)) void dear(void) { work(200); }
int main(int argc, char **argv) {
  for (int i = 0; i < 10; ++i)
    cheap(), dear();
  return 0;
}
END
$clang -O2 -g -o shared shared.c
"$quincunx" run -q -o w.qx -- ./shared {} ::: 1 2 3
gives 0 "a callee that costs its callers more or less" model --json w.qx
same "makes their means others" "True True False" "$(python3 -c '
import json
f = {f["name"]: f for f in json.load(open("out"))["functions"]}
print(*("otherMean" in f[n] for n in ("cheap", "dear", "main")))')"
gives 0 "the same for people" model w.qx
has "marks them" '^ +10 +[0-9.]+ \? .* cheap$' out

# ---- threads ----
cat >threads.c <<'END'
#include <pthread.h>
static volatile unsigned sink[4];
static void *work(void *at) {
  for (unsigned i = 0; i < 100; ++i)
    *(volatile unsigned *)at += i;
  return at;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&t[i], 0, work, (void *)&sink[i]);
  for (int i = 0; i < 4; ++i)
    pthread_join(t[i], 0);
  return 0;
}
END
for level in 0 2; do
  $clang -O$level -g -pthread -o threads threads.c
  rm -f t.qx
  "$quincunx" run -q -o t.qx -- ./threads {} ::: 1
  gives 0 "-O$level: a function that starts threads" model --json --branch observed --function '^main$' t.qx
  cp out t
  gives 0 "-O$level: what they run" model --json --branch observed --function '^work$' t.qx
  same "-O$level: is a fork in its tree, as long as one of them" "4 True" "$(python3 - <<'END'
import json
forks = [l for l in json.load(open("t"))["function"]["tree"] if l["kind"] == "fork" and l["callee"] == "work"]
one = json.load(open("out"))["functions"][0]["inclusive"][0]
print(f'{forks[0]["threads"]:g}', abs(forks[0]["cost"][0] - one) < 1e-6 and one > 100)
END
)"
done

gives 0 "--per-run" model --per-run --json p.qx
same "mixes runs: the mean stays" "$(json j '[round(f["inclusive"][0], 6) for f in j["functions"] if f["name"] == "main"]')" \
  "$(json out '[round(f["inclusive"][0], 6) for f in j["functions"] if f["name"] == "main"]')"
gives 2 "--per-run and --pooled" model --per-run --pooled p.qx
gives 1 "--branch renewal without runs" model --branch renewal p.qx
has "names the flag" 'record=counts,calls,runs' err
gives 2 "a branch model that nobody knows" model --branch oracle p.qx
gives 0 "--machine random costs" model --machine unit p.qx
has "says why calls are not beside it" 'note: calls were not measured: .*machine unit' out

$clang -O2 -g -fplugin-arg-quincunx-record=counts,calls,runs -o recorded "$here/worker.c"
"$quincunx" run -q -o q.qx -- ./recorded {} ::: $(seq 0 10 990)
for branch in observed bernoulli renewal empirical; do
  gives 0 "--branch $branch with runs" model --json --branch $branch q.qx
  same "its composed mean is that of the counts" True "$(json out 'abs(j["composedMean"] / j["observedMean"] - 1) < 1e-9')"
done
gives 0 "--published-method" model --published-method --json q.qx
same "is in units of the published method" "published-method unit" "$(json out '" ".join((j["branch"], j["machine"]))')"
finish
