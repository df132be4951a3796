// record=calls: what a call costs is the same whether it is made alone or among others, and what
// main costs is what all blocks cost.
// RUN: for o in 0 1 2 s; do %clangxx -O$o -fplugin-arg-quincunx-record=calls,blocks %s -o %t && python3 %S/../judges/calls.py --quincunx %quincunx --root main %t $(seq 0 40) || exit 1; done
// RUN: %clangxx -O2 -fPIC -fplugin-arg-quincunx-record=calls,blocks %s -o %t && python3 %S/../judges/calls.py --quincunx %quincunx --root main %t $(seq 0 40)
// RUN: %clangxx -O2 -fplugin-arg-quincunx-record=calls,blocks %s -o %t && python3 %S/../judges/calls.py --quincunx %quincunx --root main %t $(seq 0 40)
// RUN: %clangxx -O2 %blocks %s -o %t && python3 %S/../judges/calls.py --quincunx %quincunx --root main %t $(seq 0 40)
// Edge counters are the same with and without.
// RUN: %clangxx -O2 -fplugin-arg-quincunx-record=counts %s -o %t.counts && %quincunx run -q -o %t.1.qx -- %t.counts {} ::: 7 31
// RUN: %clangxx -O2 -fplugin-arg-quincunx-record=counts,calls %s -o %t.calls && %quincunx run -q -o %t.2.qx -- %t.calls {} ::: 7 31
// RUN: for q in 1 2; do %quincunx report --json %t.$q.qx | python3 -c 'import json, sys; j = json.load(sys.stdin); print(j["program"], *((f["name"], f["cost"], f["calls"]) for f in j["functions"]), sep="\n")' > %t.$q.txt; done; diff %t.1.txt %t.2.txt && grep -q main %t.1.txt
// RUN: %quincunx report --per call --json %t.2.qx | FileCheck %s
// CHECK: "per": "call"
// RUN: %quincunx report --per call --machine unit %t.2.qx 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: note: calls were recorded in units of the build
// RUN: not %quincunx report --per call %t.1.qx 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: the cost of calls was not recorded
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#define ALONE __attribute__((noinline))

namespace {

volatile unsigned sink;

ALONE void tiny(unsigned n) { sink = n; }

ALONE unsigned counted(unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; ++i)
    s += i * i % 7;
  return s;
}

ALONE unsigned search(unsigned n) {
  for (unsigned i = 1;; ++i) {
    if (i * i > n * 1000)
      return i;
    if (i % 3 == 0)
      continue;
    sink = sink + i;
    if (i == 90)
      break;
  }
  return 0;
}

ALONE unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

ALONE unsigned pong(unsigned n);
ALONE unsigned ping(unsigned n) { return n == 0 ? 0 : 1 + pong(n - 1) * 3; }
ALONE unsigned pong(unsigned n) { return n == 0 ? 1 : 2 + ping(n - 1) * 5; }

ALONE unsigned thrower(unsigned n) {
  if (n % 3 == 0)
    throw std::runtime_error("third");
  return counted(n);
}

ALONE unsigned catcher(unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; ++i)
    try {
      s += thrower(i);
    } catch (const std::exception &) {
      s += 100;
    }
  return s;
}

ALONE unsigned choose(unsigned n) {
  switch (n % 6) {
  case 0:
    return counted(n);
  case 1:
    return search(n);
  case 2:
    tiny(n);
    return 1;
  case 3:
    return fibonacci(n % 15);
  case 4:
    return ping(n);
  default:
    return catcher(n);
  }
}

using Function = unsigned(unsigned);
Function *const table[] = {choose, counted, search, ping, catcher};

ALONE unsigned work(unsigned n) {
  unsigned s = 0;
  std::vector<unsigned> sizes(n % 7 + 1, n);
  for (unsigned size : sizes)
    s += table[(size + s) % 5](size);
  return s;
}

} // namespace

int main(int argc, char **argv) {
  unsigned s = 0;
  for (int i = 1; i < argc; ++i)
    s += work(static_cast<unsigned>(std::atoi(argv[i])));
  std::printf("%u\n", s);
  return 0;
}
