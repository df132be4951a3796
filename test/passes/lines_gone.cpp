// Calls that the compiler took for never made are followed once for each function, not along each
// path of calls, of which there are four to the power of twenty here.
// RUN: timeout 60 %clangxx -O2 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck %s
#include <cstdio>

template <int n> [[gnu::noinline]] static void deeper(int x) {
  if constexpr (n > 0) {
    if (x) {
      deeper<n - 1>(x - 1);
      deeper<n - 1>(x - 2);
      deeper<n - 1>(x - 3);
    }
    puts("deeper");
    deeper<n - 1>(x - 4);
  }
}

static bool never(int) { return false; }

int main(int argc, char **) {
  puts("main");
  if (never(argc))
    deeper<20>(1);
  if (argc > 20)
    deeper<20>(argc);
  return 0;
}
// CHECK-DAG: {{^ *}}1 {{.*}}| puts("main");
// CHECK-DAG: {{^ *}}1 {{.*}}| if (argc > 20)
// CHECK-DAG: {{^ *}}0 {{.*}}| deeper<20>(argc);
