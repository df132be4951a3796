// print<quincunx;use=FILE>: figures of the runs of a corpus, as quincunx model has them; of IR as it was when it was recorded, and of the
// IR of a recorded build, whatever it was optimised to. Of other code there are none.
// RUN: figures() { awk '/each time/ { on = 1; next } !/^ *[0-9]/ { on = 0 } on { print $1, $2, $3, $4, $5 }'; }
// RUN: modelled() { for f in '^main' '^app::scan' '^app::step' '^app::Table<.*::at' '^work'; do \
// RUN:   %quincunx model --function "$f" "$1" | figures; done; }
// RUN: tree() { %printer -passes="print<quincunx;use=$2>" -disable-output "$1" 2>&1; }
//
// RUN: %clangxx -O0 -g -fplugin-arg-quincunx-record=counts %s -o %t -pthread && record %t
// RUN: %plainclangxx -O0 -g -S -emit-llvm %s -o %t.ll
// RUN: tree %t.ll %t.qx | FileCheck %s --match-full-lines --check-prefixes=CHECK,PLAIN
// RUN: tree %t.ll %t.qx | figures | sort >%t.printed
// RUN: modelled %t.qx | sort >%t.modelled
// RUN: test $(wc -l <%t.printed) -gt 20
// RUN: diff %t.printed %t.modelled
//
// RUN: %clangxx -O2 -g %s -o %t.fast -pthread && record %t.fast
// RUN: %clangxx -O2 -g -S -emit-llvm %s -o %t.fast.ll
// RUN: tree %t.fast.ll %t.fast.qx | FileCheck %s --match-full-lines --check-prefixes=CHECK,RECORDED
// RUN: tree %t.fast.ll %t.fast.qx | figures | sort >%t.printed
// RUN: modelled %t.fast.qx | sort >%t.modelled
// RUN: diff %t.printed %t.modelled
//
// RUN: tree %t.fast.ll %t.qx | FileCheck %s --check-prefix=OTHER
// RUN: not %printer -passes='print<quincunx;use=%t.none>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %printer -passes='print<quincunx;use=%t.ll>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=BAD
//
// CHECK:         Printing analysis 'quincunx' for function 'app::scan(int const*, int)':
// CHECK-NEXT:    regions_use.cpp:[[@LINE+30]]: measured, 1 calls per run, 1 run, in cost units (machine x86-64); bernoulli branches
// PLAIN:         1 {{.*}} % loop {{%[0-9a-z.]+}} line [[@LINE+31]], 40 trips
// RECORDED:      1 {{.*}} % loop line [[@LINE+30]], {{40|39}} trips{{.*}}
// CHECK:         {{.*}} % branch {{.*}}line [[@LINE+30]]
// CHECK:         {{.*}} true {{.*}}25.0 %
// CHECK:         {{.*}} call app::step
//
// CHECK:         Printing analysis 'quincunx' for function 'app::unused(int)':
// CHECK-NEXT:    no figures: it never ran
// CHECK:         Printing analysis 'quincunx' for function 'main':
// CHECK:         {{.*}} fork work
//
// OTHER:         Printing analysis 'quincunx' for function 'app::scan(int const*, int)':
// OTHER-NEXT:    no figures: {{.*}}.qx was recorded from other code; print the IR of that build (-S -emit-llvm)
// NONE:          error: quincunx: cannot open {{.*}}.none: No such file or directory
// BAD:           error: quincunx: {{.*}}.ll is not a quincunx corpus
#include <pthread.h>
namespace app {
template <class T, int size> struct Table {
  T all[size];
  __attribute__((noinline)) T &at(int i) { return all[i % size]; }
};
__attribute__((noinline)) int step(int n) {
  int sum = 0;
  while (n > 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++sum;
  }
  return sum;
}
__attribute__((noinline)) int scan(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) // 40 times
    if (a[i] % 4 == 0)
      sum += step(a[i] + 1);
    else
      --sum;
  return sum;
}
__attribute__((noinline)) int unused(int n) { return n + 1; }
} // namespace app
extern "C" __attribute__((noinline)) void *work(void *p) {
  auto *table = static_cast<app::Table<int, 7> *>(p);
  for (int i = 0; i < 7; ++i)
    table->at(i) = app::step(i);
  return p;
}
int main(int argc, char **) {
  app::Table<int, 7> table{};
  pthread_t thread;
  pthread_create(&thread, nullptr, work, &table);
  pthread_join(thread, nullptr);
  int a[40];
  for (int i = 0; i < 40; ++i)
    a[i] = i;
  return argc == 9 ? app::unused(argc) : app::scan(a, 40) + table.at(3) == 12345;
}
