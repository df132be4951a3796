#!/bin/bash
# quincunx compare: small programs that differ by one change each. What has an effect is found at its function, to the last
# digit; what has none is not reported; noise is told from effects by repetitions. bench/compare.py does it with real programs.
. "$(dirname "$0")/common"

cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile unsigned sink;
/* above */
__attribute__((noinline)) static unsigned step(unsigned x) {
  return x * 31 + 7;
}
__attribute__((noinline)) unsigned TABLE(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n % 50 + ROUNDS; ++i)
    x = x * 33 ^ i; // rounds
  return x;
}
__attribute__((noinline)) static unsigned walk(unsigned n) {
  unsigned x = 7;
  for (unsigned i = 0; i < 10 * n; ++i)
    x = step(x) ^ i;
  return x;
}
__attribute__((noinline)) static void keep(const char *text) {
  char *copy = strdup(text);
  MORE
  sink += copy[0];
  free(copy);
}
__attribute__((noinline)) static unsigned choose(unsigned n) {
  if (n % 10 == 0)
    return SELDOM;
  return n + 2;
}
int main(int argc, char **argv) {
  unsigned n = (unsigned)atoi(argv[1]);
  sink += TABLE(n) + walk(n) + choose(n);
  keep(argv[argc - 1]);
  return 0;
}
END
# build NAME SOURCE TABLE ROUNDS MORE SELDOM: a corpus of its runs
build() {
  $clang -O1 -g -fno-unroll-loops -DTABLE="$3" -DROUNDS="$4" -DMORE="$5" -DSELDOM="$6" -o "$1" "$2"
  "$quincunx" run -q -o "$1.qx" --repeat 2 -- "./$1" {} ::: $(seq 1 20)
}
build before prog.c table 100 "" 1
names() { json out '" ".join(sorted(f["shown"] + ":" + f["state"] for f in j["functions"]))'; }

# ---- nothing changed ----
build again prog.c table 100 "" 1
gives 0 "the same sources" compare before.qx again.qx
has "are the same" '^same: mean 0 %, no function costs more or less$' out
lacks "and no function is listed" 'Functions that cost' out
has "repetitions are known" 'repetitions count the same' out
has "ends with what to ask next" '^next: quincunx report again.qx$' out
{ sed 's|/\* above \*/|// one\n// two\n// three|' prog.c; echo '// more'; } >comment.c
build comment comment.c table 100 "" 1
gives 0 "a comment" compare --json before.qx comment.qx
same "has no effect" "same  0" "$(json out 'j["verdict"]') $(names) $(json out 'j["doubtful"]')"
build renamed prog.c hashed 100 "" 1
gives 0 "a rename" compare --json before.qx renamed.qx
same "has no effect, either" "same " "$(json out 'j["verdict"]') $(names)"
sed 's/__attribute__((noinline)) static unsigned choose/static inline unsigned choose/' prog.c >within.c
build within within.c table 100 "" 1
sed -i 's/choose/decide/' within.c
build others within.c table 100 "" 1
"$quincunx" report --json --all within.qx >within.js
same "a function without code of its own" True "$(json within.js 'next(f["inlined"] for f in j["functions"] if f["name"] == "choose")')"
gives 0 "is renamed" compare --json within.qx others.qx
same "without effect" "same " "$(json out 'j["verdict"]') $(names)"

# ---- changes with an effect ----
build rounds prog.c table 103 "" 1
gives 1 "a larger constant is slower" compare before.qx rounds.qx
cp out text
has "which the first line says" '^slower: mean \+[0-9.]+ % \(.*\), p50 \+[0-9.]+ %, from table \(\+[0-9.]+ %\)$' text
has "with the line" "\+[0-9.]+ cost units at prog.c:$(grep -n '// rounds' prog.c | cut -d: -f1)  table$" text
has "and what to look at" '^next: quincunx annotate rounds.qx prog.c$' text
lacks "tables fit 100 columns" '^[^n].{100}' text
gives 1 "in JSON" compare --json before.qx rounds.qx
same "it is that function alone" table "$(json out '" ".join(f["shown"] for f in j["functions"])')"
for build in before rounds; do "$quincunx" report --json $build.qx >$build.json; done
same "with a difference that is exact" True "$(python3 -c '
import json
out, before, after = (json.load(open(f)) for f in ("out", "before.json", "rounds.json"))
mean = lambda j: next(f["cost"]["mean"] for f in j["functions"] if f["name"] == "table")
cost = out["functions"][0]["cost"]
print(abs(cost["before"] - mean(before)) < 1e-6 and abs(cost["after"] - mean(after)) < 1e-6)')"
gives 0 "the other way it is faster" compare --json rounds.qx before.qx
same "as said" faster "$(json out 'j["verdict"]')"
sed 's/((noinline)) static unsigned step/((always_inline)) static inline unsigned step/' prog.c >inlined.c
build inlined inlined.c table 100 "" 1
"$quincunx" compare --json before.qx inlined.qx >out || true
same "an inlined callee is told from one that is gone" "step:inlined walk:changed" "$(names)"
build more prog.c table 100 'sink += *(char *)memset(malloc(64), 1, 64);' 1
gives 1 "a new allocation" compare --json before.qx more.qx
same "is found where it is" "keep:changed" "$(names)"
build moved prog.c table 100 "" 'sink + sink % 7 + sink % 11'
"$quincunx" compare --json before.qx moved.qx >out || true
same "work in a rare branch is found" "choose:changed" "$(names)"
sed 's/n % 50 + ROUNDS/(n == 20 ? 400 : n % 50 + 60)/' prog.c >most.c
build most most.c table 100 "" 1
gives 0 "faster on the whole" compare before.qx most.qx
has "names inputs that got slower" '^Inputs that got slower although the mean went down$' out
has "which they are" '^ *\+.* 20$' out

# ---- noise ----
cat >noisy.c <<'END'
#include <stdlib.h>
#include <sys/random.h>
static volatile unsigned sink;
__attribute__((noinline)) static void probe(unsigned n) {
  unsigned seed;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
    abort();
  for (unsigned i = 0; i < n + seed % (n / 10 + 1); ++i)
    sink += i;
}
__attribute__((noinline)) static void steady(unsigned n) {
  for (unsigned i = 0; i < n + STEADY; ++i)
    sink ^= i;
}
int main(int argc, char **argv) {
  unsigned n = 1000 * (unsigned)atoi(argv[1]);
  probe(n);
  steady(n);
  return argc > 9;
}
END
# noisy NAME STEADY REPETITIONS
noisy() {
  $clang -O1 -g -fno-unroll-loops -DSTEADY="$2" -o "$1" noisy.c
  "$quincunx" run -q -o "$1.qx" --repeat "$3" -- "./$1" {} ::: $(seq 1 20)
}
noisy a 1000 3
noisy b 1000 3
gives 0 "a random seed" compare a.qx b.qx
has "is no effect" '^same: .* no function differs by more than repetitions do$' out
has "and its noise is said" 'repetitions differ: the mean is known to [0-9.]+ %' out
noisy c 1002 3
gives 2 "beside it a small effect" compare --json a.qx c.qx
same "is found" steady "$(json out '" ".join(f["shown"] for f in j["functions"])')"
noisy d 1000 1
noisy e 1000 1
gives 2 "without repetitions" compare d.qx e.qx
has "it cannot tell" '^cannot tell: mean .* which may be noise$' out
has "and says what to do" 'quincunx run --resume --repeat 2 adds' out

# ---- functions whose parameters change ----
signature() { # signature NAME PARAMETERS ARGUMENTS STEP
  cat >twice.cpp <<END
#include <cstdlib>
namespace app {
__attribute__((noinline)) static int twice(int n) { return n * 2; }
__attribute__((noinline)) static int twice($2) { int s = 0; for (int i = 0; i < n; ++i) s += $4; return s; }
}
int main(int, char **argv) { const int n = atoi(argv[1]); return app::twice(n) + app::twice($3) == 1; }
END
  clang++-22 --config="$BUILD/lib/quincunx/quincunx.cfg" -O1 -g -o "$1" twice.cpp
  "$quincunx" run -q -o "$1.qx" --repeat 2 -- "./$1" {} ::: 10 20 30
}
signature was "long n" "(long)n" "i ^ s"
signature now "unsigned n, int more = 3" "(unsigned)n, 3" "i ^ s ^ more >> i"
gives 1 "another signature" compare --json was.qx now.qx
same "is a change of the same function" "twice:changed" "$(json out '" ".join(f["shown"].split("(")[0].split("::")[-1] + ":" + f["state"] for f in j["functions"] if "twice" in f["shown"])')"

# ---- functions that both builds have, of which each runs another one ----
either() { # either NAME CONDITION
  cat >either.c <<END
#include <stdlib.h>
static volatile int isNew = $2;
static volatile unsigned sink;
__attribute__((noinline)) void slow(unsigned n) { for (unsigned i = 0; i < n * n; ++i) sink = i; }
__attribute__((noinline)) void quick(unsigned n) { for (unsigned i = 0; i < n; ++i) sink = i; }
int main(int argc, char **argv) { (void)argc; isNew ? quick(atoi(argv[1])) : slow(atoi(argv[1])); return 0; }
END
  $clang -O1 -g -o "$1" either.c
  "$quincunx" run -q -o "$1.qx" --repeat 2 -- "./$1" {} ::: 10 20 30
}
either old 0
either new 1
gives 0 "another function is called" compare --json old.qx new.qx
same "which is none that was renamed" "quick:runs now slow:runs no more" "$(json out '" ".join(sorted(f["shown"] + ":" + f["state"] for f in j["functions"] if f["shown"] in ("quick", "slow")))')"

# ---- which runs, which builds ----
"$quincunx" run -q -o few.qx -- ./before {} ::: 1 2 3 99
gives 0 "other inputs" compare before.qx few.qx
has "are left out and named" 'note: 17 inputs left out, run before only: ' out
has "on both sides" 'note: 1 input left out, run after only: 99' out
"$quincunx" run -q -o none.qx -- ./before {} ::: 99
gives 2 "no input in common" compare before.qx none.qx
has "is an error" 'no input was run by both: before .*; after 99' err
gives 2 "no such file" compare before.qx nowhere.qx
cp before prog && "$quincunx" run -q -o one.qx --tag old -- ./prog {} ::: 1 2 3 4
gives 2 "one build" compare one.qx
has "is too few" 'has no two builds of a program' err
cp rounds prog && "$quincunx" run -q -o one.qx --tag new -- ./prog {} ::: 1 2 3 4
gives 1 "two builds in one corpus" compare one.qx
has "are those two" '^before: one.qx \(prog [0-9a-f]{12} old\), 4 runs$' out
gives 0 "the other way" compare one.qx --against new --build old
has "is faster" '^faster: ' out
gives 2 "a build that is none" compare one.qx --against zzz

# What differs in one input and not in another may be noise, though it is nearly all of the difference.
cat >erratic.c <<'END'
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) static void erratic(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) static void steady(unsigned n) { for (unsigned i = 0; i < n; i++) sink ^= i; }
int main(int argc, char **argv) {
  unsigned n = (unsigned)atoi(argv[1]);
  erratic(MORE != 0 && n * 7 % 10 > 4 ? 20000 : 10000);
  steady(1000 + 30 * MORE);
  return argc < 0;
}
END
for more in 0 1; do
  clang-"$LLVM" --config="$BUILD/lib/quincunx/quincunx.cfg" -O1 -g -DMORE=$more -o erratic erratic.c
  "$quincunx" run -q -o erratic$more.qx -- ./erratic {} ::: $(seq 1 12)
done
"$quincunx" compare --unit counts erratic0.qx erratic1.qx >out || true
has "most of a difference that may be noise is named" '^[a-z ]*: mean .*, from .*steady.*; most of it is from what may be noise, as erratic ' out
finish
