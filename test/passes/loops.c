// Loops whose trip count is known on entry have no counter inside; others do; calls keep their counters.
// RUN: %clang -O2 %blocks %s -o %t && record %t && judged %t --exact
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s
#include <stdio.h>
// The sum runs without counters: nothing is stored in the loop.
// CHECK-LABEL: define {{.*}}@known
// CHECK-NOT: vector.body: {{.*}}@__quincunx_counters
__attribute__((noinline)) int known(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}
__attribute__((noinline)) int strided(int n, int m) {
  int s = 0;
  for (int i = n; i > 0; i -= 3)
    for (int j = 0; j < i; j += 2)
      s += j % m;
  return s;
}
__attribute__((noinline)) int triangular(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      s += (i ^ j) & 1 ? 1 : 2;
  return s;
}
__attribute__((noinline)) int data(const int *x) {
  int n = 0;
  while (*x++ > 0)
    if (*x & 1)
      ++n;
  return n;
}
__attribute__((noinline)) unsigned bits(unsigned long v) {
  unsigned n = 0;
  do {
    ++n;
    v >>= 1;
  } while (v != 0);
  return n;
}
int main(void) {
  int x[64];
  for (int i = 0; i < 64; ++i)
    x[i] = 63 - i;
  int s = 0;
  for (int i = -2; i < 40; ++i)
    s += known(x, i) + strided(i, 5) + triangular(i) + data(x + i / 2 + 1) + (int)bits((unsigned)i * 977u);
  printf("%d\n", s);
  return 0;
}
