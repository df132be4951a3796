// Lines behind a call that throws, or ends the program, are executed as often as it comes back, and so much is a change of
// what they cost; where exceptions land is no line.
// RUN: %clangxx -O2 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck %s
// RUN: %quincunx whatif %t.qx 'cost(lines lines_exceptions.cpp:24) = 40' | FileCheck --check-prefix=CHANGE %s
// RUN: %clangxx -O0 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck %s
// CHANGE: the lines: 34 times per run
#include <cstdlib>
#include <stdexcept>

static volatile long sink;
[[gnu::noinline]] static void may(int x) {
  if (x % 3 == 0)
    throw std::runtime_error("x");
}
[[gnu::noinline]] static void die(int x) {
  if (x == 50)
    exit(0);
}
static inline void step(int n) {
  for (int i = 0; i < n; i++)
    sink = sink + i;
}
[[gnu::noinline]] static void work(int x) { may(x);
  step(x % 4 + 1); // worked
}
static void checked(int x) {
  may(x);
  sink = x; // is right
}
[[gnu::noinline]] static void last(int x) {
  die(x);
  step(2); // goes on
}
int main() {
  for (int i = 0; i < 100; i++) {
    try {
      work(i);
    } catch (...) {
      sink = 0;
    }
    try {
      checked(i + 1);
      sink = 1; // checked
    } catch (...) {
    }
    last(i);
    sink = 2; // lasts
  }
} // main
// CHECK-DAG: {{^ *}}34 {{.*}}| step(x % 4 + 1); // worked
// CHECK-DAG: {{^ *}}51 {{.*}}| may(x);
// CHECK-DAG: {{^ *}}34 {{.*}}| sink = x; // is right
// CHECK-DAG: {{^ *}}34 {{.*}}| sink = 1; // checked
// CHECK-DAG: {{^ *}}51 {{.*}}| die(x);
// CHECK-DAG: {{^ *}}50 {{.*}}| step(2); // goes on
// CHECK-DAG: {{^ *}}51 {{.*}}| last(i);
// CHECK-DAG: {{^ *}}50 {{.*}}| sink = 2; // lasts
// CHECK-DAG: {{^ *}}0 {{.*}}| } // main
