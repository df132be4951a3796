#!/bin/bash
# Runs that were stopped: the functions that were under way have what they had cost with all they called, and nothing is said to be known above.
. "$(dirname "$0")/../judges/common.sh"
cat >stop.c <<'C'
#include <stdlib.h>
static volatile unsigned sum;
__attribute__((noinline)) static void work(unsigned n) { for (unsigned i = 0; i < n; ++i) sum += i; }
__attribute__((noinline)) static void phase(unsigned n) { for (unsigned i = 0; i < n; ++i) work(100); }
int main(int argc, char **argv) {
  unsigned n = atoi(argv[1]);
  phase(n);
  phase(n > 28 ? 4000000000u : 1);
  return argc > 2;
}
C
check "built" $clang -O2 -g stop.c -o stop
$quincunx run -q --timeout 0.2 -o s.qx -- ./stop {} ::: $(seq 20 30) 2>/dev/null || true
$quincunx report --json --unit counts s.qx >s.json
check "functions under way have nearly all of the cost, as what they call has" python3 - <<'P'
import json
d = json.load(open("s.json"))
total = {f["name"]: f["total"]["mean"] / d["program"]["mean"] for f in d["functions"]}
print(total)
assert abs(total["main"] - 1) < 1e-6 and 0.99 < total["phase"] <= 1 and total["work"] <= total["phase"], total
P
check "the mean is open above" python3 - <<'P'
import json
d = json.load(open("s.json"))
assert d["lowerBounds"] and d["program"]["meanInterval"][1] is None and d["program"]["sdInterval"][1] is None, d["program"]
assert all(f["cost"]["meanInterval"][1] is None for f in d["functions"])
P
finish
