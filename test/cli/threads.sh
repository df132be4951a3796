#!/bin/bash
# What would be if threads did other things: the change is made, and the program is asked again.
. "$(dirname "$0")/common"

cat >lines.cpp <<'END'
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
static volatile unsigned sink;
__attribute__((noinline)) static void grind(unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    sink = i;
}
static std::mutex mutex;
static void add(unsigned n) {
#ifndef FREE
  std::lock_guard<std::mutex> lock(mutex);
#endif
  grind(n);
}
int main(int argc, char **argv) {
  const unsigned n = static_cast<unsigned>(std::atoi(argv[argc - 1])) * FACTOR;
  std::vector<std::thread> threads;
  for (int t = 0; t < std::atoi(argv[1]); ++t)
    threads.emplace_back([n] {
      for (int i = 0; i < 5; ++i) {
        grind(1000 * n);
        add(500 * n);
      }
    });
  for (std::thread &t : threads)
    t.join();
}
END
build="$clang -fplugin-arg-quincunx-record=counts,calls,strands -g -std=c++20 -pthread"
lock=$(grep -n lock_guard lines.cpp | cut -d: -f1) begun=$(grep -n emplace_back lines.cpp | cut -d: -f1)
record() { # record NAME OPTION...: a corpus of the program built so
  ${build/clang-/clang++-} "${@:2}" -o "$1" lines.cpp && "$quincunx" run -q -o "$1.qx" --threads 1,3,6 -- "./$1" {threads} {} ::: 40 60
}
# asked CHANGE...: what the corpus `before` says of it
asked() { gives 0 "whatif $*" whatif --unit counts --json before.qx "$@"; }
# made NAME: what that corpus takes is what was said
made() {
  if "$quincunx" scale --unit counts --json "$1.qx" | python3 -c '
import json, sys
truths = {r["label"]: r["time"] for r in json.load(sys.stdin)["runs"]}
said = {r["label"]: r["after"]["time"] for r in json.load(open("out"))["runs"]}
sys.exit(len(said) != 6 or any(abs(said[label] / truths[label] - 1) > 0.002 for label in truths))'; then ok "and so it is"
  else bad "and so it is not"; fi
}
for level in O0 O2; do # lambdas in functions of the library, or of their own
  rm -f ./*.qx
  record before -$level -DFACTOR=1
  record free -$level -DFACTOR=1 -DFREE
  record twice -$level -DFACTOR=2
  record both -$level -DFACTOR=2 -DFREE
  asked "lock(lines.cpp:$lock) = none" && made free
  asked "work(thread lines.cpp:$begun) *= 2" && made twice
  asked "lock(lines.cpp:$lock) = none" "work(thread lines.cpp:$begun) *= 2" && made both
  asked "work(thread lines.cpp:$begun) *= 2" "work(thread lines.cpp:$begun) *= 0.5" && made before
  asked "lock(lines.cpp:$lock) = own" && made before
done
"$quincunx" whatif --unit counts before.qx "lock(lines.cpp:$lock) = none" >out
has "figures before and after for each number of threads" '^ +6 +2 +p50 +~?[0-9.e]+ ' out
has "and what was asked" 'nobody waits for locks that are had there \(16.7 a run\); threads do what they did' out
if awk 'length > 100 && !/^note/ { exit 1 }' out; then ok "it fits 100 columns"; else bad "it fits 100 columns"; fi
gives 0 "a report" report --unit counts --json before.qx
cp out report.json
gives 0 "its times" scale --unit counts --json before.qx
if python3 -c '
import json
said, truth = json.load(open("report.json")), json.load(open("out"))
assert [(g["threads"], g["runs"], g["time"], g["speedup"]) for g in said["wallByThreads"]] == \
    [(g["threads"], g["runs"], g["time"], g["speedup"]["p50"]) for g in truth["byThreads"]]'; then ok "the report has the times of scale"
else bad "the report has the times of scale"; fi
gives 0 "a report for people" report --unit counts before.qx
has "it has wall times" '^ +6 +2 +~?[0-9.e]+ .* wall time, simulated$' out
gives 0 "other percentiles" whatif --unit counts --json before.qx "lock(lines.cpp:$lock) = none" --show p25,p99.9
json out 'list(j["byThreads"][0]["after"]["time"])' >keys
has "they are there" "^\\['p25', 'p99.9'\\]$" keys

gives 1 "a place without a lock" whatif before.qx 'lock(lines.cpp:3) = none'
has "it says where there are some" "change 'lock\\(lines.cpp:3\\) = none': no lock is had there; they are at lines.cpp:$lock\$" err
gives 1 "a place where nothing is begun" whatif before.qx "work(thread lines.cpp:$lock) *= 2"
has "it says where threads are begun" "no thread, team or task is begun there; they are at lines.cpp:$begun\$" err
gives 1 "a file that there is not" whatif before.qx 'lock(other.cpp:3) = none'
gives 1 "one lock twice" whatif before.qx "lock(lines.cpp:$lock) = none" "lock(lines.cpp:$lock) = own"
gives 1 "with a change of costs" whatif before.qx "lock(lines.cpp:$lock) = none" 'cost(grind) *= 2'
has "it says what to do" 'ask quincunx whatif for it by itself, without changes of costs' err
gives 1 "too much work" whatif before.qx "work(thread lines.cpp:$begun) *= 500" "work(thread lines.cpp:$begun) *= 3"
has "it says how much can be told" 'at most 1000 times the work' err
gives 0 "on one processor" whatif --unit counts --processors 1 --json before.qx "lock(lines.cpp:$lock) = none"
if python3 -c '
import json
for g in json.load(open("out"))["byThreads"]:
    assert abs(g["before"]["speedup"] - 1) < 0.001 and abs(g["after"]["speedup"] - 1) < 0.001, g'; then ok "which all threads share"
else bad "which all threads share"; fi
gives 2 "processors of what has no threads" whatif --processors 2 before.qx 'cost(grind) *= 2'
has "it says of what they are" 'ask of what threads do' err
gives 2 "a sweep" whatif before.qx "work(thread lines.cpp:$begun) *= x" --sweep x=1..3
gives 1 "a variable" whatif before.qx "work(thread lines.cpp:$begun) *= x"
has "it says that there are none" 'a number is expected here' err
$clang -O1 -g -o worker2 "$here/worker.c" && "$quincunx" run -q -o plain.qx -- ./worker2 {} ::: 3
gives 1 "runs without strands" whatif plain.qx 'lock(worker.c:3) = none'
has "it says how to record them" 'no strands were recorded; compile and link with' err
finish
