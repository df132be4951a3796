// What is left of a block's end tells how often lines were executed: which case of a switch was
// taken, by its value; not what became of equal ends of two arms, or of an end that is threaded past.
// RUN: %clang -O2 -g %s -o %t && record %t && %quincunx annotate %t.qx %s >%t.lines && FileCheck %s <%t.lines
#include <stdio.h>
#include <string.h>

int total;
static int known[8];

static void put(int op) {
  if (known[op & 7])
    return;
  total += op;
}

__attribute__((noinline)) int kind(int c) {
  int r = 1;
  switch (c % 8) {
  case 0:
    r = 5;
    break;
  case 1:
    r = 6;
    goto done;
  case 2:
    total += c;
    break;
  case 3:
    put(0);
    goto done;
  case 4:
    put(c);
    put(1);
    break;
  case 5:
    put(c);
    put(2);
    break;
  default:
    total ^= c;
    break;
  }
  r += c;
done:
  return r;
}

__attribute__((noinline)) int endsIn(const char *s, const char *suffix) {
  size_t n = strlen(s), m = strlen(suffix);
  if (n < m)
    return 0;
  if (strcmp(s + n - m, suffix) == 0)
    return 1; // ends
  return 0;   // ends not
}

__attribute__((noinline)) int threaded(int c) {
  if (c != 4) {
    if (c == 1)
      total++;
    else if (c != 5)
      total += 2;
    if (c % 2)
      return 3;
  }
  if (c != 4)
    return 0; // not 4
  return 1;   // 4
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 80; ++i)
    sum += kind(i) + endsIn(i % 4 ? "a.gz" : "a.c", ".gz") + threaded(i % 8);
  printf("%d %d\n", sum, total);
  return 0;
}
// CHECK-DAG: {{^ *}}10 {{.*}}| r = 5;
// CHECK-DAG: {{^ *}}10 {{.*}}| r = 6;
// CHECK-DAG: {{^ *}}10 {{.*}}| total += c;
// CHECK-DAG: {{^ *}}10 {{.*}}| put(0);
// CHECK-DAG: {{^ *}}10 {{.*}}| put(1);
// CHECK-DAG: {{^ *}}10 {{.*}}| put(2);
// CHECK-DAG: {{^ *}}20 {{.*}}| total ^= c;
// CHECK-DAG: {{^ *[?] .*}}| return 1; // ends
// CHECK-DAG: {{^ *[?] .*}}| return 0; // ends not
// CHECK-DAG: {{^ *[?] .*}}| return 0; // not 4
// CHECK-DAG: {{^ *[?] .*}}| return 1; // 4
