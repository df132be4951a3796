// record=runs: run lengths of branches in loops, trips of loops. What needs no recorder has none: a loop's exit that is evaluated in
// every iteration, a loop of constant trips, branches outside loops, switches. Histograms are words behind the function's counters.
// RUN: %clang -O2 -fplugin-arg-quincunx-record=counts,runs %s -o %t && record %t && %quincunx corpus dump %t.qx >%t.dump && FileCheck %s <%t.dump && FileCheck --check-prefix=KNOWN %s <%t.dump
// RUN: %clang -O0 -fplugin-arg-quincunx-record=counts,runs %s -o %t && record %t && %quincunx corpus dump %t.qx | FileCheck %s
// RUN: %clang -O2 -fplugin-arg-quincunx-record=blocks,runs %s -o %t && record %t && judged %t --exact
// RUN: %clang -O2 -S -emit-llvm -fplugin-arg-quincunx-record=counts,runs %s -o - | FileCheck --check-prefix=IR %s
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// NONE-NOT: __quincunx_tally
volatile int out, other;

// Short lengths in place, the others by a call that preserves registers; nothing in the loop reads memory for it.
// IR-LABEL: define {{.*}}@walk(
// IR-NOT: alloca
// IR: call preserve_mostcc void @__quincunx_tally(
// IR-LABEL: define {{.*}}@nested(
// IR-NOT: __quincunx_cut
__attribute__((noinline)) int walk(const char *x) {
  int n = 0;
  for (; *x != 0; ++x)
    if (*x == '1') // 5 runs
      out = ++n;
    else
      other = n;
  return n;
}
// CHECK-DAG: trips	{{.*}}runs.c:[[#@LINE-7]]	0:1,12:1,20-23:1{{$}}
// CHECK-DAG: runs	{{.*}}runs.c:[[#@LINE-8]]	{{-	12:1,20-23:1	1:3	-	1	2|12:1,20-23:1	-	-	1:3	2	1}}{{$}}
// 0 times; 110100111000; 20 times true
// CHECK-DAG: runs	{{.*}}runs.c:[[#@LINE-9]]	1:1,2:1,3:1	1:1,2:1	20-23:1	3:1	2	0{{$}}

__attribute__((noinline)) void nested(int n) {
  for (int i = 0; i < n; ++i) {
    if (i % 4 == 3) // runs go on over the loop within
      out = 1;
    else
      out = 2;
    for (int j = 0; j < i; ++j) { // its trips are known in front of it
      if (j == i - 1) // and begin anew on each entry
        out = 3;
      else
        out = 4;
    }
  }
}
// CHECK-DAG: trips	{{.*}}runs.c:[[#@LINE-13]]	9:1{{$}}
// CHECK-DAG: runs	{{.*}}runs.c:[[#@LINE-13]]	1:2	3:2	-	1:1	0	1{{$}}
// CHECK-DAG: trips	{{.*}}runs.c:[[#@LINE-10]]	0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1{{$}}
// CHECK-DAG: runs	{{.*}}runs.c:[[#@LINE-10]]	-	1:1,2:1,3:1,4:1,5:1,6:1,7:1	1:8	-	1	7{{$}}

__attribute__((noinline)) int first(const char *x, char c) {
  int i = 0;
  for (; x[i] != 0; ++i) // two exits: their runs follow from the trips
    if (x[i] == c) {
      out = i;
      break;
    }
  return i;
}
// CHECK-DAG: runs	{{.*}}runs.c:[[#@LINE-7]]	{{-|3:1}}	{{-|3:1}}	{{1|3}}:1	{{1|3}}:1	{{.*}}
// CHECK-DAG: runs	{{.*}}runs.c:[[#@LINE-7]]	-	2:1	1:1	3:1	0	2{{$}}

__attribute__((noinline)) int next(void) {
  static int calls;
  return calls++ % 4;
}
__attribute__((noinline)) int twice(volatile int *level) { // two arms of a switch jump back
  int n = 0;
  while (*level >= 0) {
    int c = next();
    ++n;
    if (c == 1)
      continue;
    if (c == 2)
      return n;
    --*level;
  }
  return 0;
}
// CHECK-DAG: trips	{{.*}}runs.c:[[#@LINE-11]]	1:1,2:1{{$}}

#define SIDE(k) if (*x >> k & 1) out = k; else if (k != 17) other = k; else continue;
// IR-LABEL: define {{.*}}@many(
// IR: call preserve_mostcc void @__quincunx_turn(
// IR: call preserve_mostcc void @__quincunx_cut(
__attribute__((noinline)) void many(const unsigned *x) { // what is not evaluated is not looked at when the loop is left
  for (; *x != 0; ++x) {
    while (out > 20)
      --out;
    if (*x == 7)
      continue;
    SIDE(0)
    SIDE(1)
    SIDE(2)
    SIDE(3)
    SIDE(4)
    SIDE(5)
    SIDE(6)
    SIDE(7)
    SIDE(8)
    SIDE(9)
    SIDE(10)
    SIDE(11)
    SIDE(12)
    SIDE(13)
    SIDE(14)
    SIDE(15)
    SIDE(16)
    SIDE(17)
  }
}
// CHECK-DAG: runs	{{.*}}runs.c:[[#@LINE-22]]	1:1	1:1	1:1	4:1	1	1{{$}}
// CHECK-DAG: runs	{{.*}}runs.c:[[#@LINE-21]]	{{2:1	1:1	2:1	-	1	0|1:1	2:1	-	2:1	0	1}}{{$}}
// CHECK-DAG: runs	{{.*}}runs.c:[[#@LINE-5]]	{{1:1	-	-	4:1	1	0|-	1:1	4:1	-	0	1}}{{$}}

__attribute__((noinline)) void nothing(int n) {
  if (n > 5) // not in a loop
    out = 1;
  for (int i = 0; i < 10; ++i) // constant
    out = i;
}
// KNOWN-NOT: {{^(trips|runs)}}	{{.*}}runs.c:[[#@LINE-5]]	
// KNOWN-NOT: {{^(trips|runs)}}	{{.*}}runs.c:[[#@LINE-4]]	

int main(void) {
  walk("");
  walk("110100111000");
  walk("11111111111111111111");
  nested(9);
  first("abcd", 'c');
  first("abc", 'z');
  out = 1;
  twice(&out); // 0, 1, 2
  twice(&out); // 3
  many((const unsigned[]){1 << 17 | 1, 7, 0x12345, 0x2345 & ~1, 1, 1, 0});
  many((const unsigned[]){7, 0});
  nothing(7);
  return 0;
}
