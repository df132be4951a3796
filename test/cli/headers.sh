#!/bin/bash
# Code from headers of others: it is told of as part of the lines that call it, in report, explain, annotate and whatif;
# --headers shows it where it stands, and --foreign takes more files for such headers.
. "$(dirname "$0")/common"

cat >mine.h <<'END'
inline unsigned mixed(unsigned x, unsigned n) {
  for (unsigned i = 0; i < n % 16; ++i)
    x = x * 31 + (x >> 3);
  return x;
}
END
cat >p.cpp <<'END'
#include "mine.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
static bool before(unsigned a, unsigned b) {
  return a % 1024 < b % 1024; // compared
}
int main(int, char **argv) {
  const unsigned n = std::atoi(argv[1]);
  std::vector<unsigned> all;
  for (unsigned i = 0; i < n; ++i)
    all.push_back(mixed(i, n)); // pushed
  std::sort(all.begin(), all.end(), before); // sorted
  std::string text;
  for (const unsigned x : all)
    text += static_cast<char>('a' + x % 26); // appended
  const auto sevens = std::count(all.begin(), all.end(), 7u); // counted
  std::printf("%zu %zu\n", text.size(), static_cast<size_t>(sevens));
}
END
cat >told.py <<'END'
import json, sys

def load(name):
    return json.load(open(name))

def inlined(j, what):
    """Places in headers of the system that are not in a function of its own."""
    compiled = {f["demangled"] for f in load("report")["functions"]}
    return [x for x in j[what] if x["file"].startswith("/usr/") and x["function"] not in compiled]

def total(j, share):
    return sum(x[share] for x in j["lines"])

def of(name, line, what):
    """A figure of a line that annotate shows; 0 where it shows none."""
    return sum(l[what] for l in load(name)["files"][0]["lines"] if l["line"] == line)

print(*eval(f"[{sys.argv[1]}]"))
END
tell() { python3 told.py "$1"; }
$clangxx -std=c++20 -O2 -g -o p p.cpp
"$quincunx" run -q -o p.qx -- ./p {} ::: $(seq 20 20 600)
line() { grep -n "// $1" p.cpp | cut -d: -f1; }

# ---- explain ----
gives 0 "explain" explain --json p.qx
cp out folded
gives 0 "explain --headers" explain --json --headers p.qx
cp out unfolded
gives 0 "report" report --json p.qx
cp out report
for what in lines loops branches; do
  same "no row of $what is inlined code of a header" "0" "$(tell "len(inlined(load('folded'), '$what'))")"
done
same "--headers has such rows" True "$(tell "len(inlined(load('unfolded'), 'lines')) > 5")"
for share in mean variance; do
  same "nothing of the $share is lost" True "$(tell "abs(total(load('folded'), '$share') - total(load('unfolded'), '$share')) < 1e-9")"
done
same "what stands for code of headers says so" "True False" "$(tell "*[any(x['called'] for x in load(name)['loops']) for name in ('folded', 'unfolded')]")"
same "once for each place" 1 "$(tell "sum(x['called'] and x['line'] == $(line counted) for x in load('folded')['loops'])")"
gives 0 "explain --top 0" explain --top 0 p.qx
has "loops in headers are those of the line" "p.cpp:$(line counted) main, in what it calls" out
gives 0 "explain --foreign" explain --json --foreign 'mine[.]h$' p.qx
cp out foreign
same "takes more files for headers of others" "True False" "$(tell "*[any(x['file'].endswith('/mine.h') for x in load(name)['lines']) for name in ('folded', 'foreign')]")"
gives 1 "--foreign with no expression" explain --foreign '(' p.qx
same "is one line" 1 "$(wc -l <err)"
gives 2 "--foreign with --headers" explain --headers --foreign x p.qx

# ---- report ----
total="abs(1 - sum(f['cost']['mean'] for f in load('out')['functions']) / load('out')['program']['mean']) < 1e-12"
gives 0 "report" report --json p.qx
same "rows add up to the program" True "$(tell "$total")"
row="next((f['cost']['mean'] > 0, f['calls']['mean'], f['inlined']) for f in load('out')['functions'] if f['demangled']"
same "what was inlined everywhere has a row" "(True, 0.0, True)" "$(tell "$row == 'mixed(unsigned int, unsigned int)')")"
same "inlined code of headers has none" False "$(tell "any('std::count<' in f['demangled'] or '__count_if' in f['demangled'] for f in load('out')['functions'])")"
group="load('out')['groups'][0]"
members="[f for f in load('out')['functions'] if 'group' in f]"
same "what was compiled of headers is a group" "True True" "$(tell "any('__introsort_loop' in f['demangled'] for f in $members), all(f['file'].startswith('/usr/') for f in $members)")"
same "and costs what its functions do" True "$(tell "len($members) > 1 and abs(sum(f['cost']['mean'] for f in $members) / $group['cost']['mean'] - 1) < 1e-12")"
gives 0 "report" report --top 0 p.qx
has "code of headers is one row" ' \(header code\)$' out
lacks "and no row is a function of headers" '__introsort|_M_|::' out
has "says what unfolds it" '^\(header code\): [0-9]+ functions .*--headers shows' out
gives 0 "report --function" report --function '^main|__introsort_loop<' p.qx
has "shows functions of headers that are asked for" ' __introsort_loop<' out
gives 0 "report --headers" report --top 0 --headers p.qx
has "--headers shows them all" ' __introsort_loop<' out
lacks "and no row of them" 'header code' out
gives 0 "report --headers" report --json --headers p.qx
same "--headers has no group" "[]" "$(json out "[g for g in j['groups'] if g['foreign']]")"
same "rows add up to the program" True "$(tell "$total")"
same "--headers has one" True "$(tell "any('__count_if' in f['demangled'] for f in load('out')['functions'])")"

# ---- totals of what was inlined ----
cat >helper.cpp <<'END'
#include <cstdio>
#include <cstdlib>
__attribute__((noinline)) unsigned leaf(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; ++i)
    x = x * 31 + (x >> 3);
  return x;
}
HOW unsigned helper(unsigned n) {
  unsigned x = 0;
  for (unsigned i = 0; i < n; ++i)
    x = x * 7 ^ leaf(i);
  return x;
}
HOW unsigned small(unsigned n) {
  unsigned x = 0;
  for (unsigned i = 0; i < n; ++i)
    x ^= x * 7 + i;
  return x;
}
HOW unsigned descend(unsigned n);
__attribute__((noinline)) unsigned step(unsigned n) { return n == 0 ? 1 : descend(n - 1) + small(n); }
HOW unsigned descend(unsigned n) { return step(n) * 7 ^ small(n); }
int main(int, char **argv) {
  const unsigned n = std::atoi(argv[1]);
  std::printf("%u\n", helper(n) + small(n) + descend(n));
}
END
cat >totals.py <<'END'
import json, sys

def rows(name):
    j = json.load(open(name))
    return j["program"]["mean"], {f["demangled"].split("(")[0]: f for f in j["functions"]}

(all_out, out), (all_in, inlined) = rows("noinline.json"), rows("always_inline.json")
for name in ("leaf", "helper", "small", "main", "step", "descend"):
    a, b = out[name]["total"]["mean"], inlined[name]["total"]["mean"]
    if abs(a / b - 1) > 0.01:  # a block with lines of both is divided evenly among these
        print(f"{name}: {a} compiled, {b} inlined")
for what, whole, program in ("compiled", all_out, out), ("inlined", all_in, inlined):
    for name, f in program.items():
        for p in "p50", "p90", "p99", "mean", "min", "max":
            value = lambda x: x[p]["value"] if isinstance(x[p], dict) else x[p]
            if value(f["total"]) < value(f["cost"]) * (1 - 1e-12):
                print(f"{what} {name}: the {p} of the total is below that of the self")
    if abs(program["main"]["total"]["mean"] / whole - 1) > 1e-9:
        print(f"{what}: main is not all")
    if abs(sum(f["cost"]["mean"] for f in program.values()) / whole - 1) > 1e-9:
        print(f"{what}: selfs are not all")
if inlined["small"]["total"] != inlined["small"]["cost"] or not inlined["small"]["totalRecorded"]:
    print("what calls nothing has its self as total")
if inlined["helper"]["totalRecorded"] or not inlined["helper"]["inlined"] or out["helper"]["inlined"]:
    print("calls from inlined code are an estimate")
END
echo 'multiply 1' >products.machine # which both builds make as many of: calls themselves cost something
for how in noinline always_inline; do
  $clangxx -O1 -g "-DHOW=__attribute__((weak, $how))" -o $how helper.cpp
  "$quincunx" run -q -o $how.qx -- ./$how {} ::: 40 50 60
  "$quincunx" report --json --machine products.machine $how.qx >$how.json
done
same "total and self are the same where a function was inlined and where it was not" "" "$(python3 totals.py 2>&1)"
"$quincunx" report --unit counts always_inline.qx >out
has "totals with calls of inlined code are marked" '^ *~.* helper' out
has "a note says what the mark means" 'note: totals marked ~' out

# ---- annotate ----
header=$(tell "next(l['file'] for l in load('unfolded')['lines'] if l['file'].endswith('/stl_algo.h'))")
gives 0 "annotate" annotate --json p.qx p.cpp
cp out folded
gives 0 "annotate --headers" annotate --json --headers p.qx p.cpp
cp out unfolded
for at in pushed sorted appended; do
  same "the line that is $at has what it calls" True "$(tell "of('folded', $(line $at), 'share') > 1.5 * of('unfolded', $(line $at), 'share')")"
done
same "which does not execute it more often" "310.0 1.0" "$(tell "*[of('folded', l, 'mean') for l in ($(line pushed), $(line sorted))]")"
gives 0 "annotate of a header" annotate --json p.qx "$header"
same "shows it: who names a file wants to see it" True "$(json out 'sum(l["share"] for l in j["files"][0]["lines"]) > 0.1')"

# ---- whatif ----
gives 0 "whatif" whatif --json p.qx "cost(lines p.cpp:$(line sorted)) *= 0"
cp out without
same "a line costs what annotate says" True "$(tell "abs(1 - load('without')['after']['mean']['value'] / load('without')['before']['mean']['value'] - of('folded', $(line sorted), 'share')) < 1e-9")"
gives 0 "whatif of lines of a header" whatif p.qx 'cost(lines stl_algo.h:1-9999) *= 0.5'
gives 1 "whatif of a loop in a header" whatif p.qx "trips(loop p.cpp:$(line counted)) *= 2"
has "is no loop of the line" 'no loop on p.cpp' err
finish
