#!/bin/bash
# Totals and single calls by other prices than those of the clock that they were recorded by: sums of calls are totals of runs, the total of main
# is the program, and calls of a marked function cost what its requests do, in counts and by any prices. All are identities; nothing is timed.
. "$(dirname "$0")/common"

cat >calls.c <<'END_OF_C'
#include <quincunx/quincunx.h>
#include <stdlib.h>
#include <string.h>
static char from[1 << 16], to[1 << 16];
__attribute__((noinline)) void copy(unsigned n) {
  for (unsigned i = 0; i < 4; ++i)
    to[i]++;
  memcpy(to, from, n);
}
__attribute__((noinline)) unsigned divide(unsigned n) {
  unsigned x = ~0u;
  for (unsigned i = 1; i <= n; ++i)
    x = x / (i | 1) + n;
  return x;
}
__attribute__((noinline)) unsigned often(unsigned n) { return n + divide(3); }
QUINCUNX_REQUEST unsigned handle(unsigned n) {
  unsigned x = n;
  copy(n);
  for (unsigned i = 0; i < n; ++i)
    x = x * 5 + i;
  return x + divide(n / 2);
}
int main(int argc, char **argv) {
  unsigned x = (unsigned)argc;
  for (int i = 0; i < 20; ++i)
    x += handle((unsigned)atoi(argv[1]));
  for (int i = 0; i < 500; ++i)
    x += often((unsigned)i);
  return x == 1;
}
END_OF_C
$clang -O1 -g -o calls calls.c
"$quincunx" run -q -o c.qx -- ./calls {} ::: 100 1000 9000
cat >dear.machine <<'END_OF_MACHINE'
name dear
unit cycles
add 1
multiply 3
divide 30
load 2
store 2
callee memcpy 40
byte memcpy 0.25
END_OF_MACHINE

near='lambda x, y, by=1e-9: abs(x - y) <= by * abs(y)'
# sums TEXT BY OPTIONS...: of all functions with recorded calls; calls and requests differ by a share BY
sums() {
  which=$1 by=$2
  shift 2
  gives 0 "$which" report --json "$@" c.qx
  mv out runs
  gives 0 "$which: --per call" report --json --per call "$@" c.qx
  mv out each
  same "$which: calls of a function add up to its total" "copy divide handle often []" "$(python3 - <<END_OF_PYTHON
import json
near = $near
total = {f["name"]: f["total"]["mean"] for f in json.load(open("runs"))["functions"] if f["name"] != "main"}
each = json.load(open("each"))
calls = {f["name"]: f["calls"] / each["runs"] * f["mean"] for f in each["functions"]}
print(*sorted(n for n in total if n in calls), [n for n in total if n in calls and not near(calls[n], total[n])])
END_OF_PYTHON
)"
  same "$which: the total of main is the program" True "$(json runs "($near)(next(f for f in j['functions'] if f['name'] == 'main')['total']['mean'], j['program']['mean'])")"
  gives 0 "$which: --per request" report --json --per request "$@" c.qx
  mv out requests
  same "$which: calls of a marked function cost what its requests do" "60 60 True []" "$(python3 - <<END_OF_PYTHON
import json
near = $near
request = json.load(open("requests"))
call = next(f for f in json.load(open("each"))["functions"] if f["name"] == "handle")
by = $by
print(request["requests"]["ended"], call["calls"], near(call["mean"], request["program"]["mean"], by),
      [p for p in ("p50", "p90", "p99") if not near(call[p]["value"], request["program"][p]["value"], by)])
END_OF_PYTHON
)"
}
sums "in counts" 1e-9 --unit counts
# A unit of `divide` costs a little less in its short calls, which others than `handle` make.
sums "by other prices" 0.01 --machine dear.machine
same "a function that only calls a library costs what its row says, besides itself" True \
  "$(json runs "($near)((lambda f: f['total']['mean'] - f['cost']['mean'])(next(f for f in j['functions'] if f['name'] == 'copy')), next(f for f in j['library'] if f['name'] == 'memcpy')['cost']['mean'])")"
same "each of its calls as its bytes" "True True True" "$(python3 - <<END_OF_PYTHON
import json
near = $near
copy = next(f for f in json.load(open("each"))["functions"] if f["name"] == "copy")
own = copy["p50"]["value"] - 40 - 0.25 * 1000
print(near(copy["min"], own + 40 + 0.25 * 100), near(copy["max"], own + 40 + 0.25 * 9000), 0 <= own < 200)
END_OF_PYTHON
)"

finish
