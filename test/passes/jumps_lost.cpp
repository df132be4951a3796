// record=calls where what was jumped to does not return, or is not counted.
// RUN: for m in "" -fPIC; do %clangxx -O2 $m -fverify-intermediate-code %s -o %t && rm -f %t.qx && %quincunx run -q -o %t.qx -- %t {} ::: 1 && %quincunx report --per call --top 0 --json %t.qx > %t.json && python3 %S/jumps_lost.py < %t.json || exit 1; done
// RUN: %quincunx report --per call --top 0 %t.qx | FileCheck %s
// CHECK: {{>= .*toSort.*\(cut: 5\)}}
// CHECK: ended in a jump to code that was not counted
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#define ALONE extern "C" __attribute__((noinline))

volatile unsigned sink, compared;

ALONE unsigned counted(unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; ++i)
    s += i * sink % 7 + 1;
  return s;
}

// A third of the calls end in an exception: those are no calls that returned.
ALONE unsigned thrower(unsigned n) {
  if (n % 3 == 0)
    throw std::runtime_error("third");
  return counted(100);
}
ALONE unsigned toThrower(unsigned n) { return thrower(n + 1); }

std::jmp_buf back;
ALONE unsigned jumper(unsigned n) {
  if (n % 4 == 0)
    std::longjmp(back, 1);
  return counted(100);
}
ALONE unsigned toJumper(unsigned n) { return jumper(n + 1); }
ALONE unsigned lander(unsigned n) { return setjmp(back) != 0 ? 1 : toJumper(n); }

// A library calls back.
ALONE int compare(const void *a, const void *b) {
  compared = compared + counted(10);
  return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}
int some[8];
ALONE void toSort() { std::qsort(some, 8, sizeof *some, compare); }
// It does not, and runs nothing of ours; what follows is not this call's.
ALONE void toRaise(int s) { (void)std::raise(s); }
ALONE int toSystem(const char *name) { return ::setenv(name, "x", 1); }

int main() {
  for (unsigned i = 0; i < 30; ++i)
    try {
      sink = sink * toThrower(i);
    } catch (const std::exception &) {
    }
  for (unsigned i = 0; i < 40; ++i)
    sink = sink * lander(i);
  for (unsigned i = 0; i < 5; ++i) {
    toSort();
    sink = sink * counted(1000);
  }
  std::signal(SIGUSR1, SIG_IGN);
  for (unsigned i = 0; i < 7; ++i) {
    toRaise(SIGUSR1);
    sink = sink * static_cast<unsigned>(toSystem("QUIET"));
    sink = sink * counted(1000);
  }
  return 0;
}
