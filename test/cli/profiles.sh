#!/bin/bash
# quincunx export: profiles that other tools read, with the totals of the report. What stacks are is asked by unit tests.
. "$(dirname "$0")/common"

export QUINCUNX_MACHINE=none
cat >prog.cpp <<'END'
#include <cstdlib>
#include <map>
#include <string>
static volatile unsigned sink;
__attribute__((noinline)) static void leaf(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink += i; // LEAF
}
__attribute__((noinline)) static void parse(unsigned n) {
  leaf(3 * n);
  leaf(n);
}
__attribute__((noinline)) static unsigned walk(unsigned n) { return n < 2 ? n : walk(n - 1) + walk(n - 2); }
static unsigned odd(unsigned n);
__attribute__((noinline)) static unsigned even(unsigned n) { return sink += n, n == 0 || odd(n - 1) * odd(n / 2); }
__attribute__((noinline)) static unsigned odd(unsigned n) { return sink += n, n != 0 && even(n - 1) + even(n / 2); }
int main(int, char **argv) {
  unsigned n = (unsigned)atoi(argv[1]);
  std::map<std::string, unsigned> words;
  for (unsigned i = 0; i < n; ++i)
    words[std::to_string(i % 7)] += i;
  parse(n);
  leaf(2 * n);
  sink += walk(n % 10) + even(n % 10) + words.size();
}
END
${clang/clang-/clang++-} -O1 -g -o prog prog.cpp
gives 0 "counting" run -q -o p.qx --feature n={} -- ./prog {} ::: 10 25 40 55
gives 0 "report" report --json --all p.qx
mean=$(json out 'round(1000 * j["program"]["mean"])')
cp out report.json

gives 0 "callgrind" export callgrind p.qx
cp out callgrind.out
if command -v callgrind_annotate >/dev/null; then
  callgrind_annotate --threshold=100 callgrind.out >annotated 2>callgrind.err || true
  same "callgrind_annotate has nothing to say against it" "" "$(cat callgrind.err)"
  same "its total is the report's" "$mean" "$(sed -n 's/ *(.*PROGRAM TOTALS$//p' annotated | tr -d ', ')"
  has "functions have their files" 'prog.cpp:leaf' annotated
  has "lines stand beside the source" "^ *[0-9,]+ \\([ 0-9.]+%\\) +sink \\+= i; // LEAF" annotated
  callgrind_annotate --inclusive=yes --threshold=100 callgrind.out >tree 2>&1
  same "main has all but what is outside of it" yes "$(awk '/:main( |$)/ && !m { gsub(",", "", $1); m = $1 } END { print (m > 0.99 * t && m <= t ? "yes" : m " of " t) }' t="$mean" tree)"
  inclusive() { awk '$0 ~ ":" f "( |$)" { gsub(",", "", $1); print $1; exit }' f="$1" tree; }
  total() { json report.json "round(1000 * next(f['total']['mean'] for f in j['functions'] if f['demangled'].startswith('$1(')))"; }
  same "recursion is counted once" "$(total walk)" "$(inclusive walk)"
  same "and functions that call each other have no more than what they cost with it" yes "$(awk -v e="$(inclusive even)" -v o="$(inclusive odd)" -v t="$(total even)" -v u="$(total odd)" 'BEGIN { print (e > 0 && o > 0 && e <= t + 1 && o <= u + 1 ? "yes" : e " of " t ", " o " of " u) }')"
else
  skip "callgrind_annotate is not here"
fi

gives 0 "folded" export folded p.qx
same "stacks add up to the report's mean" "$mean" "$(awk '{ s += $NF } END { printf "%d", s }' out)"
has "who calls whom is seen" '^main;parse;leaf [0-9]+$' out
has "recursion is one frame" '^main;walk [0-9]+$' out
lacks "and no more" 'walk;walk' out
same "a function is divided by its calls: 4 n rounds in two calls, 2 n in one" 2.0 "$(awk '$1 == "main;parse;leaf" { a = $2 } $1 == "main;leaf" { b = $2 } END { printf "%.1f", a / b }' out)"

gives 0 "speedscope" export speedscope p.qx
cat >schema.json <<'END'
{"type": "object", "required": ["$schema", "shared", "profiles"], "properties": {
  "$schema": {"const": "https://www.speedscope.app/file-format-schema.json"},
  "exporter": {"type": "string"}, "name": {"type": "string"},
  "shared": {"type": "object", "required": ["frames"], "properties": {"frames": {"type": "array", "items": {
    "type": "object", "required": ["name"], "additionalProperties": false, "properties": {
      "name": {"type": "string"}, "file": {"type": "string"}, "line": {"type": "integer"}, "col": {"type": "integer"}}}}}},
  "profiles": {"type": "array", "minItems": 1, "items": {"type": "object", "additionalProperties": false,
    "required": ["type", "name", "unit", "startValue", "endValue", "samples", "weights"], "properties": {
      "type": {"const": "sampled"}, "name": {"type": "string"},
      "unit": {"enum": ["bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"]},
      "startValue": {"type": "number"}, "endValue": {"type": "number"},
      "samples": {"type": "array", "items": {"type": "array", "items": {"type": "integer", "minimum": 0}}},
      "weights": {"type": "array", "items": {"type": "number", "minimum": 0}}}}}}}
END
same "is what its viewer's published schema asks for, frames exist, and weights add up" "valid $mean" "$(python3 - <<'END'
import json
import jsonschema
document = json.load(open("out"))
jsonschema.validate(document, json.load(open("schema.json")))
profile, frames = document["profiles"][0], document["shared"]["frames"]
assert len(profile["samples"]) == len(profile["weights"])
assert all(frame < len(frames) for stack in profile["samples"] for frame in stack)
assert profile["endValue"] == sum(profile["weights"])
print("valid", sum(profile["weights"]))
END
)"

gives 0 "sampleprof" export sampleprof p.qx
cp out prog.prof
llvm-profdata-$LLVM show --sample --function=_ZL4leafj prog.prof >leaf 2>&1 || true
# Three calls in each of four runs; 3 n + n + 2 n rounds for n of 10, 25, 40 and 55.
has "llvm-profdata reads it: calls of a function" '_ZL4leafj: [0-9]+, 12, ' leaf
same "and rounds of its loop, two lines below its beginning" 780 "$(sed -n 's/^ *2: //p' leaf)"
llvm-profdata-$LLVM show --sample --function=main prog.prof >main 2>&1 || true
has "calls have their callee" 'calls:( [^ ]*)* _ZL5parsej:4' main
has "what was inlined is inside, with its own lines" 'inlined callee: _ZNSt' main
check "clang optimises by it" ${clang/clang-/clang++-} -O2 -g -fprofile-sample-use=prog.prof -Werror=backend-plugin -o fast prog.cpp
same "to a program that does the same" "$(./prog 40; echo $?)" "$(./fast 40; echo $?)"

gives 0 "csv" export csv p.qx
same "has a row for each run, with its feature, and their mean" "4 10,25,40,55 $mean" "$(python3 - <<'END'
import csv
rows = list(csv.DictReader(open("out", newline="")))
cost = next(name for name in rows[0] if name.startswith("cost ("))
print(len(rows), ",".join(sorted(row["n"] for row in rows)), round(1000 * sum(float(row[cost]) for row in rows) / len(rows)))
END
)"
gives 2 "a format that there is not" export gprof p.qx
has "says which there are" 'callgrind' err
gives 1 "no corpus" export folded nothing.qx
finish
