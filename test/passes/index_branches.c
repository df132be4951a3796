// Which branches follow from indices of loops: those that are made of them, of arguments and of what was computed before, and are evaluated in every pass.
// RUN: %clang %blocks -O1 -fno-unroll-loops %s -o %t && record %t && judged %t && %quincunx corpus dump %t.qx | python3 %S/index_branches.py > %t.found
// RUN: FileCheck %s < %t.found
// RUN: %clang -O0 %s -o %t.O0 && record %t.O0 && %quincunx corpus dump %t.O0.qx | python3 %S/index_branches.py | not grep .
#include <stdio.h>
#include <stdlib.h>
#define KEEP __attribute__((noinline))
static volatile unsigned a, b;
// CHECK-DAG: below 1
KEEP void below(int n, int k) {
  for (int i = 0; i < n; ++i)
    if (i < k)
      a += i;
    else
      b += i;
}
// CHECK-DAG: every 1
KEEP void every(int n) {
  for (int i = 0; i < n; ++i)
    if (i % 4 == 0)
      a += i;
}
// The inner one follows from both indices.
// CHECK-DAG: triangle 2
KEEP void triangle(int n) {
  for (int i = 0; i < n; ++i) {
    if (i & 1)
      a += i;
    for (int j = 0; j < i; ++j)
      if ((i ^ j) & 2)
        b += j;
  }
}
// An arm of one that follows from the index.
// CHECK-DAG: within 2
KEEP void within(int n) {
  for (int i = 0; i < n; ++i)
    if (i & 1) {
      a += i;
      if (i % 3 == 0)
        b += i;
    }
}
// Loops around it that nobody knows do not matter where it hangs on none of them.
// CHECK-DAG: again 1
KEEP void again(int n) {
  while (a % 7 != 3)
    for (int i = 0; i < n; ++i)
      if (i & 2)
        a += 2 * i + 1;
      else
        ++b;
}
// None: data, what is the same in all passes, an arm of data, a loop that data ends, a number of each pass of the outer loop.
// CHECK-NOT: data
KEEP void data(int n, const int *x) {
  for (int i = 0; i < n; ++i)
    if (x[i] & 1)
      a += i;
}
// CHECK-NOT: same
KEEP void same(int n, int k) {
  for (int i = 0; i < n; ++i) {
    b += i;
    if (k > 3)
      a += i;
  }
}
// CHECK-NOT: behind
KEEP void behind(int n, const int *x) {
  for (int i = 0; i < n; ++i)
    if (x[i] & 1) {
      a += i;
      if (i & 2)
        b += i;
    }
}
// CHECK-NOT: ended
KEEP void ended(int n, const int *x) {
  for (int i = 0; i < n && x[i] != 5; ++i)
    if (i & 1)
      a += i;
}
// CHECK-NOT: limit
KEEP void limit(int n, const int *x) {
  for (int i = 0; i < n; ++i) {
    const int k = x[i];
    for (int j = 0; j < n; ++j)
      if (j < k)
        a += j;
      else
        b += j;
  }
}
int main(int argc, char **argv) {
  int x[40];
  for (int i = 0; i < 40; ++i)
    x[i] = rand() % 40 + 6;
  below(40, 10 + argc), every(40), triangle(20), within(40), again(8);
  data(40, x), same(40, argc), behind(40, x), ended(40, x), limit(40, x);
  printf("%u %u\n", a, b);
  return argv == 0;
}
