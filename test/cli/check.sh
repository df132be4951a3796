#!/bin/bash
# quincunx check: budgets that hold, are broken or cannot be told, by exit status and in every format; a regression of 3 %;
# names that are misspelt; and that the answer is the same again and again on a busy machine. The grammar and the rules
# are judged by test/unit/estimate/Budget*Test.cpp. REPETITIONS: jobs on a busy machine (10; bench/check.sh: 200).
. "$(dirname "$0")/common"
data=$here/../data/check

cat >sums.c <<'END'
#include <stdlib.h>
#include <string.h>
#ifndef TRIPS
#define TRIPS 100
#endif
__attribute__((noinline)) static unsigned scan(unsigned x) {
  for (unsigned i = 0; i < TRIPS; ++i)
    x = x * 5 + (x >> 3);
  return x;
}
__attribute__((noinline)) static unsigned pairs(unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < i; ++j)
      x ^= x * i + j;
  return x;
}
int main(int argc, char **argv) {
  const unsigned n = (unsigned)atoi(argv[1]);
  unsigned x = 0;
  for (unsigned i = 0; i < n; ++i) {
    unsigned *volatile p = malloc(8);
    *p = x;
    x += scan(*p);
    free(p);
  }
  return (x + pairs(n)) == 1;
}
END
$clang -O2 -g -o sums sums.c
$clang -O2 -g -DTRIPS=103 -o slower sums.c
inputs=$(seq 10 10 400)
record() { rm -f "$1"; "$quincunx" run -q -o "$1" --feature 'size={}' "${@:3}" -- ./"$2" {} ::: $inputs; }
record before.qx sums
record now.qx sums
record slower.qx slower

gives 2 "no budgets" check now.qx
has "says where they are written" 'no budgets: write them in quincunx.budget' err
gives 0 "budgets that hold" check now.qx 'mean calls(scan) <= 205' 'max calls(malloc) <= 400' 'mean calls(malloc) per size <= 1' \
  'growth(program) <= n^2' 'growth(scan) <= n'
has "says so" '^5 budgets: 5 hold$' out
gives 1 "one that is broken" check now.qx 'mean calls(scan) <= 205' 'mean calls(scan) < 205'
has "says which and by how much" 'mean calls\(scan\) < 205 is broken: 205, which is 205' out
has "counts both" '^2 budgets: 1 is broken, 1 holds$' out
gives 1 "growth that is faster" check now.qx 'growth(pairs) <= n log n'
gives 2 "a misspelt function" check now.qx 'p99(scam) < 3'
has "is one that may be meant" "budget 'p99\\(scam\\) < 3': there is no function 'scam'; did you mean 'scan'\\?" err
gives 2 "a misspelt library" check now.qx 'mean calls(maloc) < 3'
has "is one that may be meant" "did you mean 'malloc'\\?" err
gives 2 "a misspelt feature" check now.qx 'p99(program) per sise < 3'
has "is one that may be meant" "no run has a feature 'sise' above 0; did you mean 'size'\\?" err
gives 2 "time without prices" check now.qx 'p99(program) < 3 ms'
has "says how to get them" 'is not calibrated' err
gives 2 "a baseline that is not there" check now.qx 'p99(program) <= baseline'
has "says how to name one" '\-\-baseline' err

cat >quincunx.budget <<'END'
# What must not get slower.
self mean(scan) <= 1.02 * baseline   # counts of these inputs
p99(program) <= 1.02 * baseline

max calls(malloc) <= 400
END
gives 0 "the file of the folder, nothing changed" check now.qx --baseline before.qx
gives 1 "3 % more in one function" check slower.qx --baseline before.qx --junit j.xml --sarif s.json --markdown m.md --github
has "is told with its line" '^quincunx.budget:2: self mean\(scan\) <= 1.02 \* baseline is broken: ' out
has "as an annotation where the function is" '^::error file=sums.c,line=[0-9]+,title=Budget broken::self mean' out
has "and in Markdown" '^\| :x: broken \| self mean\\?\(scan\\?\)' m.md
xmllint --noout --schema "$data/junit.xsd" j.xml 2>err && ok "JUnit is valid" || bad "JUnit is valid: $(cat err)"
valid() { python3 -W ignore -c 'import json, jsonschema, sys; jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))' "$data/sarif.schema.json" "$1"; }
valid s.json && ok "SARIF is valid" || bad "SARIF is valid"
same "with the line of the function" "budget-broken error sums.c True" \
  "$(json s.json '*(lambda r: (r["ruleId"], r["level"], r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], r["locations"][0]["physicalLocation"]["region"]["startLine"] > 1))(j["runs"][0]["results"][0])')"
gives 2 "a line that is none" check now.qx --budget <(printf 'p99(program) < 3\np99(program) <\n')
has "is told with its number" ':2: error: budget .*, column 15: expected a number' err
rm quincunx.budget

# Prices of a file are times whose interval decides: of 40 inputs p99 has no upper end.
{ echo 'name small'; echo 'unit ns'; sed -n '/^add/,$p' "$root/machines/x86-64.machine" | grep -v '^unit\|^name'; } >small.machine
gives 0 "time that cannot be told" check --machine small.machine now.qx 'p99(program) < 1 s' --junit j.xml --sarif s.json
has "says how many runs would" 'cannot tell: .* at least 259 more runs would tell' out
xmllint --noout --schema "$data/junit.xsd" j.xml 2>err && ok "JUnit is valid" || bad "JUnit is valid: $(cat err)"
has "as skipped" '<skipped message=' j.xml
valid s.json && ok "SARIF is valid" || bad "SARIF is valid"
gives 1 "--strict" check --strict --machine small.machine now.qx 'p99(program) < 1 s' --junit j.xml --sarif s.json
has "fails" '<failure type="cannot tell"' j.xml
valid s.json && ok "SARIF is valid" || bad "SARIF is valid"
gives 0 "time that holds" check --machine small.machine now.qx 'p50(program) < 1 s' 'mean(scan) < 1 s'
gives 1 "time that does not" check --machine small.machine now.qx 'p50(program) < 1 ns'
gives 0 "another machine" check now.qx "whatif 'machine = small.machine': p50 < 1 s"
gives 1 "that is too slow" check now.qx "whatif 'machine = small.machine' 'cost(scan) *= 10': mean < 1 us"

# A table whose seed differs from run to run never counts the same; nobody may be told one thing now and another then.
# Seeds are drawn from the number of the run, so that a test that fails fails again.
cat >hashed.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static unsigned table[8192], seed;
__attribute__((noinline)) static unsigned put(unsigned key) {
  unsigned at = (key * 2654435761u ^ seed) * 2246822519u >> 19, probes = 0;
  while (table[at] != 0 && table[at] != key) {
    at = (at + 1) & 8191;
    ++probes;
  }
  table[at] = key;
  return probes;
}
int main(int argc, char **argv) {
  const unsigned n = (unsigned)atoi(argv[1]) * 8;
  unsigned x = 0;
  const int log = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (log < 0 || write(log, "x", 1) != 1)
    return 2;
  seed = (unsigned)lseek(log, 0, SEEK_CUR) * 2654435769u;
  seed = (seed ^ seed >> 15) * 2246822519u;
  seed ^= seed >> 13;
  for (unsigned i = 1; i <= n; ++i)
    x += put(i * 7919u);
  return x == 1;
}
END
$clang -O2 -g -o hashed hashed.c
record_hashed() { rm -f "$1"; "$quincunx" run -q -j 1 -o "$1" --feature 'size={}' --repeat "$2" -- ./hashed {} runs ::: $inputs; }
record_hashed hashed.qx 10
"$quincunx" report --json hashed.qx >r
bound=$(json r '*(round(next(f for f in j["functions"] if f["name"] == "put")["cost"]["mean"] * x) for x in (0.5, 1, 2))')
read -r below about above <<<"$bound"
gives 1 "a random seed" check hashed.qx "mean(put) <= $below" "mean(put) <= $about" "mean(put) <= $above"
has "what it cannot tell is said" "mean\(put\) <= $about: cannot tell: .* runs of one input differ by chance" out
answers() {
  for _ in $(seq "${REPETITIONS:-10}"); do
    record again.qx sums
    "$quincunx" check again.qx 'self mean(scan) <= baseline' --baseline before.qx 'max calls(malloc) < 400' | grep -E '^ *(holds|broken|cannot)'
    record_hashed again.qx 2
    "$quincunx" check again.qx "mean(put) <= $below" "mean(put) <= $about" "mean(put) <= $above" | grep -Eo '^ *(holds|broken|cannot tell)' | sed 's/^ *//'
  done
}
cat >pair.cpp <<'END'
#include <cstdlib>
template <class T> __attribute__((noinline)) T sum(T n) {
  T s = 0;
  for (T i = 0; i < n; ++i)
    s += i * s;
  return s;
}
struct Set { int bits; };
__attribute__((noinline)) Set operator|(Set a, Set b) { return {a.bits | b.bits}; }
__attribute__((noinline)) Set operator&(Set a, Set b) { return {a.bits & b.bits}; }
int main(int argc, char **argv) { return (Set{argc} | Set{2} & Set{3}).bits + sum<int>(atoi(argv[1])) + static_cast<int>(sum<long>(atoi(argv[1]))) == 1; }
END
clang++-22 --config="$BUILD/lib/quincunx/quincunx.cfg" -O1 -g -o pair pair.cpp
record pair.qx pair
gives 0 "instances of a template are one, as in report" check pair.qx 'mean calls(sum) <= 2' 'mean calls(sum) >= 2'
set -- 'mean calls(operator|) <= 0' 'mean  calls(operator&) <= 1' 'mean calls(sum<int>) <= 1' 'mean(sum<int>) < 1e9'
gives 1 "names that Markdown could misread" check pair.qx "$@" --markdown m.md
# What a reader of GitHub's Markdown sees: a row for each budget, with its text as it is.
cells() { cmark-gfm -e table --to xml m.md | python3 -c 'import sys, xml.etree.ElementTree as e
for row in (r for r in e.parse(sys.stdin).iter() if r.tag.endswith("table_row")):
    print(["".join(c.itertext()).strip() for c in row][1])'; }
same "are texts of cells" "$(printf '%s\n' "$@" | tr -s ' ')" "$(cells | tr -s ' ')"
gives 2 "calls of a baseline that there is none of" check pair.qx 'mean calls(sum) <= baseline'
has "is said" 'there is no baseline' err

# A total that ends in a jump to what was not counted, and calls back, is a guess: bounds decide.
cat >sorted.c <<'END'
#include <stdlib.h>
static volatile long sink;
static int less(const void *a, const void *b) {
  sink++;
  return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) static void sortit(int *of, int n) { qsort(of, n, sizeof *of, less); }
int main(int argc, char **argv) {
  static int all[1000];
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++)
    all[i] = i * 7919 % 1000;
  sortit(all, n);
  return argc < 0;
}
END
clang-"$LLVM" --config="$BUILD/lib/quincunx/quincunx.cfg" -O2 -g -o sorted sorted.c
"$quincunx" run -q -o sorted.qx -- ./sorted {} ::: 100 200 300 400
gives 0 "what a guess cannot decide" check --unit counts sorted.qx 'mean(sortit) <= 100'
has "is said" '^cannot tell .*~.*mean\(sortit\) <= 100$' out
has "and why" 'not all of it was recorded' out
gives 0 "but its own cost is known, and what it may be at most" check --unit counts sorted.qx 'mean self(sortit) <= 100' 'mean(sortit) <= 1e9'
busy=()
for _ in $(seq "$(nproc)"); do (while :; do :; done) & busy+=($!); done
answers >answered
kill "${busy[@]}"
same "jobs on a busy machine answer alike" "1 1 1 1 1" "$(for i in 1 2 3 4 5; do awk -v i=$i 'NR % 5 == i % 5' answered | sort -u | wc -l; done | xargs)"
finish
