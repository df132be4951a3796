// Of two branches with a target in common passes make one, which tells how often both decided so and not
// how often the second was reached: such lines are not known, nor which way of the first one is true.
// RUN: %clang -O2 -g %s -o %t && record %t && %quincunx annotate %t.qx %s >%t.lines && FileCheck %s <%t.lines
// RUN: not %quincunx whatif %t.qx 'p(branch lines_joined.c:21) = 1' 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not %quincunx whatif %t.qx 'p(branch lines_joined.c:59) = 0.5' 2>&1 | FileCheck %s --check-prefix=BREAK
// RUN: %quincunx whatif %t.qx 'p(branch lines_joined.c:28) = 0.5'
// RUN: %quincunx whatif %t.qx 'p(branch lines_joined.c:45) = 0.5'
#include <stdio.h>

int total;

__attribute__((noinline)) void loop(int a, int b) {
  if (a)
    while (b > 0) { // while
      total += b--;
    }
  total ^= 5;
}

__attribute__((noinline)) void nested(int a, int b) {
  if (a > 3)
    if (b > 4)      // second
      puts("both"); // both
  total ^= 9;
}

__attribute__((noinline)) void parts(int a, int b) {
  if (a > 3 &&
      b > 4)         // part
    puts("parts");   // parts
  total ^= 7;
}

__attribute__((noinline)) void chain(int a, int b) {
  if (a != 4) {
    if (b > 7 || // chain
        a < 2 || b == 3) { // link
      puts("chain"); // chained
    }
  }
  total ^= 3;
}

__attribute__((noinline)) void apart(int a, int b) {
  if (a > 3) {
    puts("between");   // between
    if (b > 4)         // apart
      puts("apart");   // last
  }
  total ^= 2;
}

static int values[100];

__attribute__((noinline)) long breaks(int n, int limit) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    int x = values[i];
    if (x < limit)
      break;
    sum += x;
    if (sum > 10000)
      break;
  }
  return sum;
}

__attribute__((noinline)) int jumpedPast(const char *s) {
  int n = 0, depth = 0;
  for (;; s++) {
    char c = *s;
    if (c == 0)
      break;
    if (c == '(') {         // opens
      depth++;
      total += depth;
    } else if (c == ')') {  // closes
      depth--;
      total -= depth;
    } else if (c == 'x') {
      n++;                  // x
    }
  }
  return n + depth;
}

int main(void) {
  for (int i = 0; i < 80; i++) {
    loop(i % 2, i % 5 == 1 ? 3 : 0);
    nested(i % 8, i % 10);
    parts(i % 8, i % 10);
    chain(i % 8, i % 10);
    apart(i % 8, i % 10);
    values[i] = i * 7 % 31;
    total += breaks(i, 2) + jumpedPast("((x)yyyy)z()x");
  }
  return total == 0;
}
// CHECK: {{^ *>= [0-9]+}} {{.*}} // while
// CHECK: {{^ *\?}} {{.*}} // second
// CHECK: {{^ *20}} {{.*}} // both
// CHECK: {{^ *\?}} {{.*}} // part
// CHECK: {{^ *20}} {{.*}} // parts
// CHECK: {{^ *70}} {{.*}} // chain
// CHECK: {{^ *\?}} {{.*}} // link
// CHECK: {{^ *[0-9]+}} {{.*}} // chained
// CHECK: {{^ *40}} {{.*}} // between
// CHECK: {{^ *40}} {{.*}} // apart
// CHECK: {{^ *20}} {{.*}} // last
// CHECK: {{^ *(>= [0-9]+|\?)}} {{.*}} // opens
// CHECK: {{^ *(>= [0-9]+|\?)}} {{.*}} // closes
// FIRST: it is not known which arm of the branch at lines_joined.c:21 is true
// BREAK: it is not known which arm of the branch at lines_joined.c:59 is true
