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

cat >arms.cpp <<'END'
#include <cstdlib>
static volatile unsigned a, b;
__attribute__((noinline)) static void left(unsigned n) { a += n; }
__attribute__((noinline)) static void right(unsigned n) { b += n; }
static inline void step(unsigned i) { b -= i; }
int main(int, char **argv) {
  for (unsigned i = 0, n = (unsigned)atoi(argv[1]); i < n; ++i)
    if (i % 5 == 0) left(i); else right(i), step(i), step(i + 1);
}
END
${clang/clang-/clang++-} -O1 -g -fdebug-info-for-profiling -o arms arms.cpp
"$quincunx" run -q -o arms.qx -- ./arms {} ::: 100
gives 0 "sampleprof of a build with discriminators" export sampleprof arms.qx
same "knows arms on one line, and calls there, apart" "1 1 80 80 20 80" "$(python3 - <<'END'
import re
text = open("out").read()
main = text[text.index("main:"):]
main = re.split(r"\n(?=\S)", main)[0]
places = {name: set(re.findall(rf"^ (2[.]\d+): .*{name}", main, re.M)) for name in ("left", "right", "step")}
count = lambda name: int(re.search(rf"{name}j:(\d+)", main).group(1))
steps = [int(n) for n in re.findall(r"^  0: (\d+)", main, re.M)]
print(len(places["left"]), len(places["right"]), *steps, count("left"), count("right"))
END
)"
llvm-profdata-$LLVM show --sample --function=main out >main 2>&1 || true
has "llvm-profdata reads it" '2[.][0-9]+' main
${clang/clang-/clang++-} -O1 -g -o arms arms.cpp
rm arms.qx
"$quincunx" run -q -o arms.qx -- ./arms {} ::: 100
gives 0 "of one without" export sampleprof arms.qx
check "lines have none" test 0 = "$(grep -c '^ *[0-9]*[.]' out)"

gives 0 "pprof" export pprof p.qx
cat >profile.proto <<'END'
syntax = "proto3"; // what pprof reads, as far as it is written
message Profile {
  repeated ValueType sample_type = 1; repeated Sample sample = 2; repeated Mapping mapping = 3;
  repeated Location location = 4; repeated Function function = 5; repeated string string_table = 6; repeated int64 comment = 13; }
message ValueType { int64 type = 1; int64 unit = 2; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; }
message Mapping { uint64 id = 1; int64 filename = 5; bool has_functions = 7; bool has_filenames = 8; bool has_line_numbers = 9; }
message Location { uint64 id = 1; uint64 mapping_id = 2; repeated Line line = 4; }
message Line { uint64 function_id = 1; int64 line = 2; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4; int64 start_line = 5; }
END
cat >pprof.py <<'END'
import collections, re, subprocess
text = subprocess.run(["protoc", "--decode=Profile", "profile.proto"], stdin=open("out", "rb"), capture_output=True, text=True, check=True).stdout
assert not re.search(r"^ *\d+:", text, re.M), "a field that the schema does not have"
strings = [s.encode().decode("unicode_escape").encode("latin-1").decode() for s in re.findall(r'^string_table: "(.*)"$', text, re.M)]
assert strings[0] == "" and len(set(strings)) == len(strings)
def records(name):
    for body in re.findall(rf"^{name} {{\n(.*?)^}}", text, re.M | re.S):
        yield {k: [int(v) for v in re.findall(rf"\b{k}: (-?\d+)", body)] for k in re.findall(r"(\w+):", body)}
functions = {f["id"][0]: f for f in records("function")}
places = {l["id"][0]: l for l in records("location")}
stacks, lines = collections.Counter(), collections.Counter()
for sample in records("sample"):
    stack = [functions[places[l]["function_id"][0]] for l in sample["location_id"]]
    name = [strings[f["name"][0]] for f in stack]
    stacks[";".join(reversed(name))] += sample["value"][0]
    lines[name[0], places[sample["location_id"][0]].get("line", [0])[0]] += sample["value"][0]
END
if command -v protoc >/dev/null; then
  same "protoc reads it, and values add up to the report's mean" "mCost $mean" "$(python3 - <<'END'
from pprof import *
print(strings[next(records("sample_type"))["unit"][0]], sum(stacks.values()))
END
)"
  "$quincunx" export folded p.qx >folded
  same "stacks are those of folded, up to rounding" "" "$(python3 - <<'END'
from pprof import *
folded = {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in open("folded")}
for stack in set(folded) | set(stacks):
    if abs(folded.get(stack, 0) - stacks[stack]) > 30:
        print(stack, folded.get(stack), stacks[stack])
END
)"
  same "lines are those of the source" yes "$(python3 - <<'END'
from pprof import *
line = next(i for i, text in enumerate(open("prog.cpp"), 1) if "// LEAF" in text)
print("yes" if lines["leaf", line] > 0.3 * sum(n for (f, _), n in lines.items() if f == "leaf") else dict(lines))
END
)"
else
  skip "protoc is not here"
fi

gives 1 "a percentile of too few runs" export folded --for p99 p.qx
has "says how many it takes" 'takes 100 runs and more, and there are 4$' err
gives 2 "--for where it means nothing" export csv --for p50 p.qx
gives 0 "counting 150 inputs" run -q -o many.qx -- ./prog {} ::: $(seq 1 150)
gives 0 "explain" explain --json many.qx
p99=$(json out 'round(1000 * j["p99"])')
json out '"\n".join(sorted("%s %.6f" % (f["name"], f["p99"]) for f in j["functions"] if f["name"] == "_ZL4leafj"))' >elastic
for format in callgrind pprof folded; do
  gives 0 "$format for p99" export $format --for p99 many.qx
  cp out p99.$format
done
same "it adds up to what explain says of p99" "$p99" "$(awk '{ s += $NF } END { printf "%d", s }' p99.folded)"
same "with the shares that explain has" "$(cat elastic)" "$(awk '{ s += $NF } /;leaf [0-9]+$/ { l += $NF } END { printf "_ZL4leafj %.6f", l / s }' p99.folded)"
has "callgrind says what it is of" '^desc: Trigger: p99 of 150 runs$' p99.callgrind
same "and has the same total" "totals: $p99" "$(grep ^totals p99.callgrind)"

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
