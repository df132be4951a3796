// A helper that is called where nothing ever comes, and calls another: of neither is anything left, and nothing is told of them.
// RUN: %plainclang -O2 %s -o %t.plain && %t.plain > %t.expected
// RUN: for o in 1 2 s; do %clang -O$o %blocks %s -o %t && record %t && judged %t --exact && cmp %t.out %t.expected || exit 1; done
// RUN: %clang -O2 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck %s
#include <stdio.h>
static volatile int place;
// CHECK: {{^ *[0-9]+[|] static inline int inner}}
static inline int inner(int x) { return x > 3 ? x * 3 : x; }
// CHECK: {{^ *[0-9]+[|] static inline int outer}}
static inline int outer(int x) { return inner(x) + 1; }
static int f(int x) {
  int r = 0, zero = x - x;
  if (zero)
    r = 1;
  else {
    place = 1;
    if (zero)
      r = outer(x);
    else
      // CHECK: {{^ *1 .*[|] +place = 2;}}
      place = 2;
  }
  return r;
}
int main(int argc, char **argv) {
  printf("%d\n", f(argc));
  return 0;
}
