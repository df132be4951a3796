#!/bin/bash
# Whom calls through pointers call: as often in all runs, so that counts do not tell, but of other types; and functions that are
# called by another name, as constructors are.
. "$(dirname "$0")/../judges/common.sh"
cat >p.c <<'C'
#include <stdlib.h>
static volatile long sum;
__attribute__((noinline)) static void add(long n) { for (long i = 0; i < n; ++i) sum += i; }
__attribute__((noinline)) static int length(const char *s, int most) { int n = 0; while (n < most && s[n]) ++n; return n; }
__attribute__((noinline)) static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void (*volatile adds)(long) = add;
static int (*volatile lengths)(const char *, int) = length;
__attribute__((noinline)) static void first(long n) { adds(n); }
__attribute__((noinline)) static void second(const char *s) { sum += lengths(s, 100); }
int main(int argc, char **argv) {
  int n = atoi(argv[1]), all[4] = {3, 1, 2, argc};
  for (int i = 0; i < n; ++i) {
    first(i);
    second(argv[1]);
  }
  qsort(all, 4, sizeof *all, compare);
  return 0;
}
C
check "built" $clang -O2 -g p.c -o p
for n in 11 12 13 14 15 16 17 18 19 20; do $quincunx run -q -o p.qx -- ./p {} ::: $n; done
$quincunx export callgrind p.qx >p.out
# calls CALLER CALLEE FILE: as the profile has them
calls() {
  awk -v caller="$1" -v callee="$2" '
    /^c?fn=/ { split($0, a, /[=() ]+/); if (NF > 1) name[a[2]] = $NF; if (/^fn/) fn = name[a[2]]; else cfn = name[a[2]] }
    /^calls=/ { split($0, a, /[= ]/); if (fn == caller && cfn == callee) n += a[2] }
    END { print n + 0 }' "$3"
}
same() { check "$1" test "$2" = "$3"; }
same "of two that are called as often each is called by whom its type fits" "$(calls main first p.out) 0" "$(calls first add p.out) $(calls first length p.out)"
same "and the other one" "$(calls main second p.out) 0" "$(calls second length p.out) $(calls second add p.out)"
same "what the library calls back is not called through pointers of another type" "0 0" "$(calls first compare p.out) $(calls second compare p.out)"

cat >thing.h <<'C'
struct Thing { long x; explicit Thing(long n); ~Thing(); };
C
cat >thing.cpp <<'C'
#include "thing.h"
Thing::Thing(long n) : x(0) { for (long i = 0; i < n; ++i) x ^= i * i; }
Thing::~Thing() { x = 0; }
C
cat >things.cpp <<'C'
#include "thing.h"
#include <cstdlib>
int main(int, char **argv) {
  long sum = 0;
  for (long i = 0; i < std::atol(argv[1]); ++i) {
    Thing t(i);
    sum += t.x;
  }
  return sum == 42;
}
C
check "constructors in another file" $clangxx -O2 -g thing.cpp things.cpp -o things
$quincunx run -q -o t.qx -- ./things {} ::: 10 20 30
$quincunx report --json --unit counts t.qx >t.json
check "are called by name" python3 - <<'P'
import json
d = json.load(open("t.json"))
calls = {f["demangled"].split("(")[0]: f["calls"]["mean"] for f in d["functions"]}
assert calls["Thing::Thing"] == calls["Thing::~Thing"] == 20, calls
assert not any("Thing" in f["demangled"] for f in d["library"]), d["library"]
P
finish
