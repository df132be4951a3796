// A line behind a call is executed as often as the call comes back: where it ends in longjmp or exit, also in what was inlined,
// less often than the line of the call.
// RUN: %clang -O2 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck %s
// RUN: %clang -O1 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck %s
// RUN: %clang -O0 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck %s
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf out;
static const char *p;
static int token, seen;
static long sum;

__attribute__((noinline)) static void fail(void) { longjmp(out, 1); }
__attribute__((noinline)) static int read(void) {
  if (*p == '!')
    fail();
  return *p++;
}
static void next(void) {
  token = read();
}
static int accept(int t) {
  if (token == t) {
    next();
    return 1;
  }
  return 0;
}
static void skip(void) {
  while (seen++, *p == ' ')
    p++;
}
__attribute__((noinline)) static int node(int a, int b) {
  sum += a;
  return a + b;
}
static int name(void) {
  int a = read();
  return a;
}
__attribute__((noinline)) static int term(void) {
  int a;
  if (accept('a'))
    a = node(1, 2);
  else if (accept('b'))
    a = node(2, 3);
  else
    a = name();
  skip();
  if (accept(')'))
    return node(a, 4);
  return a;
}
__attribute__((noinline)) static void last(int n) {
  if (n == 4)
    exit(0);
  sum += n;
}
static void finish(int n) {
  last(n);
  sum ^= 1; // is left
}

int main(void) {
  static const char *const texts[] = {"a  )", "b", "x", "a!", "!", "xd", "x!", "b )", "a"};
  for (volatile int i = 0; i < 9; i++) {
    p = texts[i];
    if (!setjmp(out)) {
      next();       // first
      sum += term();
      sum *= 2;     // term came back
    }
  }
  printf("%ld\n", sum);
  for (volatile int i = 0; i < 9; i++) {
    finish(i);
    sum |= 1;       // finish came back
  }
  return 0;         // never
}
// CHECK-DAG: {{^ *}}17 {{.*}}| if (*p == '!')
// CHECK-DAG: {{^ *}}3 {{.*}}| fail();
// CHECK-DAG: {{^ *}}14 {{.*}}| return *p++;
// CHECK-DAG: {{^ *}}14 {{.*}}| token = read();
// CHECK-DAG: {{^ *}}19 {{.*}}| if (token == t) {
// CHECK-DAG: {{^ *}}5 {{.*}}| next();
// CHECK-DAG: {{^ *}}4 {{.*}}| return 1;
// CHECK-DAG: {{^ *}}14 {{.*}}| return 0;
// CHECK-DAG: {{^ *}}7 {{.*}}| while (seen++, *p == ' ')
// CHECK-DAG: {{^ *}}1 {{.*}}| p++;
// CHECK-DAG: {{^ *}}8 {{.*}}| if (accept('a'))
// CHECK-DAG: {{^ *}}5 {{.*}}| else if (accept('b'))
// CHECK-DAG: {{^ *}}2 {{.*}}| a = node(2, 3);
// CHECK-DAG: {{^ *}}3 {{.*}}| a = name();
// CHECK-DAG: {{^ *}}6 {{.*}}| skip();
// CHECK-DAG: {{^ *}}6 {{.*}}| if (accept(')'))
// CHECK-DAG: {{^ *}}6 {{.*}}| return a;
// CHECK-DAG: {{^ *}}5 {{.*}}| last(n);
// CHECK-DAG: {{^ *}}4 {{.*}}| sum ^= 1; // is left
// CHECK-DAG: {{^ *}}9 {{.*}}| next();       // first
// CHECK-DAG: {{^ *}}8 {{.*}}| sum += term();
// CHECK-DAG: {{^ *}}6 {{.*}}| sum *= 2;     // term came back
// CHECK-DAG: {{^ *}}4 {{.*}}| sum |= 1;       // finish came back
// CHECK-DAG: {{^ *}}0 {{.*}}| return 0;         // never
