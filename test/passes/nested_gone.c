// Of pure helpers within pure helpers nothing is left where their result is not used: what is known of their lines stays small,
// however many ways lead there (three calls of each by each: fourteen million of the innermost).
// RUN: prlimit --as=1500000000 %clang -O2 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck %s
#include <stdio.h>
// CHECK: {{^ *0 .*[|] static inline int innermost}}
static inline int innermost(int x) { return x > 5 ? x * 3 : x; }
static inline int a(int x) { return x > 1 ? innermost(x) : innermost(x + 1) + innermost(x - 1); }
static inline int b(int x) { return x > 2 ? a(x) : a(x + 1) + a(x - 1); }
static inline int c(int x) { return x > 3 ? b(x) : b(x + 1) + b(x - 1); }
static inline int d(int x) { return x > 4 ? c(x) : c(x + 1) + c(x - 1); }
static inline int e(int x) { return x > 5 ? d(x) : d(x + 1) + d(x - 1); }
static inline int f(int x) { return x > 6 ? e(x) : e(x + 1) + e(x - 1); }
static inline int g(int x) { return x > 7 ? f(x) : f(x + 1) + f(x - 1); }
static inline int h(int x) { return x > 8 ? g(x) : g(x + 1) + g(x - 1); }
static inline int i(int x) { return x > 9 ? h(x) : h(x + 1) + h(x - 1); }
static inline int j(int x) { return x > 10 ? i(x) : i(x + 1) + i(x - 1); }
static inline int k(int x) { return x > 11 ? j(x) : j(x + 1) + j(x - 1); }
static inline int l(int x) { return x > 12 ? k(x) : k(x + 1) + k(x - 1); }
static inline int m(int x) { return x > 13 ? l(x) : l(x + 1) + l(x - 1); }
static inline int n(int x) { return x > 14 ? m(x) : m(x + 1) + m(x - 1); }
static inline int o(int x) { return x > 15 ? n(x) : n(x + 1) + n(x - 1); }
int main(int argc, char **argv) {
  if (argc > 9)
    return o(argc) * 0;
  puts("x");
  return 0;
}
