#!/bin/bash
# quincunx export lcov: counts of lines, functions and branches, as lcov, genhtml, clang's own coverage and annotate have them.
. "$(dirname "$0")/common"

cat >shapes.h <<'EOF'
#pragma once
template <class T>
T twice(T x) {
  if (x > 3)
    return x + x;
  return 2 * x;
}
EOF
cat >prog.cpp <<'EOF'
#include "shapes.h"
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
static int odd(int n) {
  if (n % 2)
    return 1;
  return 0;
}
static int never(int n) {
  return n + 1;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  std::map<std::string, int> words;
  int s = 0;
  for (int i = 0; i < n; ++i) {
    s += odd(i);
    words[std::to_string(i % 3)] += i;
  }
  switch (n % 3) {
  case 0:
    s += 1;
    break;
  default:
    s += 2;
  }
  auto add = [&](int by) {
    s += by;
  };
  add(3);
  s += twice(n);
  s += (int)twice(1.5);
  while (s > 7)
    s /= 2;
  if (n > 4 && (s > 5 || argc > 5))
    s += 7;
  if (argc > 5)
    s += never(s);
  printf("%d\n", s + (int)words.size());
}
EOF
${clang/clang-/clang++-} -O0 -g -o prog prog.cpp
gives 0 "counting" run -q -o p.qx -- ./prog {} ::: 2 5 9
gives 0 "lcov" export lcov p.qx
cp out ours.info
"$plainxx" -O0 -fprofile-instr-generate -fcoverage-mapping -o covered prog.cpp
for n in 2 5 9; do LLVM_PROFILE_FILE=$n.raw ./covered $n >/dev/null; done
"llvm-profdata-$LLVM" merge ./*.raw -o covered.data
"llvm-cov-$LLVM" export -format=lcov covered -instr-profile=covered.data >theirs.info
gives 0 "annotate" annotate --json p.qx prog.cpp shapes.h
cat >compare.py <<'EOF'
import collections, json, re, sys
def read(path):
    files = {}
    for text in open(path).read().split("SF:")[1:]:
        find = lambda pattern: re.findall(pattern, text, re.M)
        branches = collections.defaultdict(list)
        for line, block, arm, taken in find(r"^BRDA:(\d+),(\d+),(\d+),(\d+|-)$"):
            branches[int(line)].append(0 if taken == "-" else int(taken))
        files[text.split("\n")[0].split("/")[-1]] = {
            "lines": {int(a): int(b) for a, b in find(r"^DA:(\d+),(\d+)$")},
            "calls": {name.split(":")[-1]: int(n) for n, name in find(r"^FNDA:(\d+),(.*)$")},
            "begins": {name.split(":")[-1]: int(n) for n, name in find(r"^FN:(\d+),(.*)$")},
            "branches": branches}
    return files
ours, theirs = read("ours.info"), read("theirs.info")
if sys.argv[1] == "files":
    print(*sorted(ours))
elif sys.argv[1] in ("calls", "begins"):
    for name in sorted(theirs):
        for f in sorted(set(ours[name][sys.argv[1]]) | set(theirs[name][sys.argv[1]])):
            a, b = (x[name][sys.argv[1]].get(f) for x in (ours, theirs))
            if a != b:
                print(f, a, b)
elif sys.argv[1] == "lines": # of one statement each
    n = 0
    for name in sorted(theirs):
        text = open(name).read().split("\n")
        for line, count in theirs[name]["lines"].items():
            if re.search(r";$", text[line - 1].strip()) and not re.search(r"\bfor\b|^};$", text[line - 1]):
                n += 1
                if ours[name]["lines"].get(line) != count:
                    print(name, line, ours[name]["lines"].get(line), count)
    print(n > 20)
elif sys.argv[1] == "branches": # clang's coverage has a condition for each case
    n = 0
    for name in sorted(theirs):
        for line, counts in theirs[name]["branches"].items():
            if not re.search(r"\b(switch|case|default)\b", open(name).read().split("\n")[line - 1]):
                n += len(counts)
                # instances of a template are one branch here, and one each there
                each = len(counts) // len(ours[name]["branches"][line])
                total = [sum(counts[i::len(ours[name]["branches"][line])]) for i in range(len(counts) // each)]
                if total != ours[name]["branches"][line]:
                    print(name, line, ours[name]["branches"][line], counts)
    print(n)
elif sys.argv[1] == "annotate":
    j = json.load(open("out"))
    for f in j["files"]:
        said = {l["line"]: round(l["mean"] * j["runs"]["used"]) for l in f["lines"] if l["mean"] or l["allKnown"]}
        if said != ours[f["file"]]["lines"]:
            print(f["file"], said, ours[f["file"]]["lines"])
EOF
same "of the user's files alone" "prog.cpp shapes.h" "$(python3 compare.py files)"
same "lines are executed as often as annotate says" "" "$(python3 compare.py annotate)"
same "and as clang's own coverage counts" True "$(python3 compare.py lines)"
same "functions begin where it says" "" "$(python3 compare.py begins)"
same "functions are called as often" "" "$(python3 compare.py calls)"
same "branches go each way as often" 16 "$(python3 compare.py branches)"

if command -v lcov >/dev/null; then
  check "lcov reads it" lcov --rc lcov_branch_coverage=1 --summary ours.info
  # "  lines......: 97.1% (33 of 34 lines)"
  same "and sums up what it holds" "$(grep -cE '^DA:[0-9]+,[1-9]' ours.info) $(grep -c ^DA: ours.info) $(grep -cE '^FNDA:[1-9]' ours.info) $(grep -c ^FNDA: ours.info) $(grep -cE '^BRDA:.*,[1-9][0-9]*$' ours.info) $(grep -c ^BRDA: ours.info)" \
    "$(sed -nE 's/.*\(([0-9]+) of ([0-9]+) .*/\1 \2/p' .output | xargs)"
  check "genhtml reads it" genhtml --branch-coverage --demangle-cpp -o html ours.info
  lacks "and has nothing to say against it" '[Ww]arning|WARNING|[Ee]rror|ERROR' .output
  find html -name prog.cpp.gcov.html -exec sed 's/<[^>]*>//g' {} + >page.txt
  has "its page has counts beside the source" '^ +19 +: +16 :     s \+= odd\(i\);$' page.txt
else
  skip "lcov is not here"
fi

${clang/clang-/clang++-} -O2 -g -o prog prog.cpp
gives 0 "counting optimised code" run -q -o optimised.qx -- ./prog {} ::: 2 5 9
gives 0 "its lcov" export lcov optimised.qx
cp out ours.info
same "what was inlined and executed was called" 1 "$(sed -nE 's/^FNDA:([0-9]+),_ZL3oddi$/\1/p' out)"
gives 0 "annotate" annotate --json optimised.qx prog.cpp shapes.h
same "lines are executed as often as annotate says" "" "$(python3 compare.py annotate)"

echo '// another version' >>prog.cpp
${clang/clang-/clang++-} -O0 -g -o prog prog.cpp
gives 0 "counting another version" run -q -o p.qx -- ./prog {} ::: 2
gives 1 "two versions of a file" export lcov --build all p.qx
has "says so, and what to do" 'prog.cpp: error: was compiled in several versions.*--build' err
gives 0 "the newest" export lcov p.qx
finish
