// Lines keep their executions when the clean-up merges their code, moves it or needs none for it;
// where it cannot be told, they say so.
// RUN: %clang -O2 -g %s -o %t && record %t && %quincunx annotate %t.qx %s >%t.lines && FileCheck %s <%t.lines
// RUN: %clang -O0 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck --check-prefix=PLAIN %s
#include <stdio.h>

int total;
void choose(int i);
static int accept(int x, int token) {
  if (x % 7 == token) {
    total++;
    return 1;
  }
  return 0;
}

static int step(int x) {
  // A value that is only passed on, and calls that are inlined:
  int r = 5;
  if (x & 1)
    r = 7;
  if (accept(x, 3))
    return r;
  total += r;
  return -1;
}

static int larger(int a, int b) {
  int m = a;
  if (a < b)
    m = b;
  return m;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 70; ++i) {
    sum += step(i);
    sum += larger(i, 50);
    if (i == 40)
      continue;
    choose(i);
  }
  printf("%d %d\n", sum, total);
  return 0;
}

__attribute__((noinline)) static void put(int n) {
  total += n;
}
__attribute__((noinline)) void choose(int i) {
  if (i & 1)
    put(1);
  else
    put(2);
}
// CHECK-DAG: {{^ *}}10 {{.*}} 11| total++;
// CHECK-DAG: {{^ *}}60 {{.*}} 14| return 0;
// CHECK-DAG: {{^ *}}70 {{.*}} 19| int r = 5;
// CHECK-DAG: {{^ *}}70 {{.*}} 20| if (x & 1)
// CHECK-DAG: {{^ *[?] .*}} 21| r = 7;
// CHECK-DAG: {{^ *}}70 {{.*}} 22| if (accept(x, 3))
// CHECK-DAG: {{^ *}}10 {{.*}} 23| return r;
// CHECK-DAG: {{^ *}}70 {{.*}} 29| int m = a;
// CHECK-DAG: {{^ *}}70 {{.*}} 30| if (a < b)
// CHECK-DAG: {{^ *[?] .*}} 31| m = b;
// CHECK-DAG: {{^ *}}70 {{.*}} 32| return m;
// CHECK-DAG: {{^ *}}1 {{.*}} 41| continue;
// CHECK-DAG: {{^ *}}69 {{.*}} 49| total += n;
// CHECK: {{^}}?, >=:
// PLAIN-DAG: {{^ *}}35 {{.*}} 21| r = 7;
// PLAIN-DAG: {{^ *}}50 {{.*}} 31| m = b;
// PLAIN-NOT: {{^}}?, >=:
