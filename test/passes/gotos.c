// Computed goto (an interpreter), irreducible flow, a switch with holes, fall through and duff's device.
// RUN: %clang -O2 %blocks %s -o %t && record %t && judged %t --exact
// RUN: %clang -O0 %blocks %s -o %t && record %t && judged %t --exact
// RUN: %clang -O3 %blocks %s -o %t && record %t && judged %t --exact
#include <stdio.h>
__attribute__((noinline)) static int interpret(const unsigned char *code) {
  static const void *const table[] = {&&add, &&sub, &&jump, &&stop, &&twice};
  int acc = 1, budget = 1000;
#define NEXT goto *table[*code++]
  NEXT;
add:
  acc += 3;
  if (acc > 500)
    goto sub;
  NEXT;
sub:
  acc -= 1;
  NEXT;
twice:
  acc *= 2;
  NEXT;
jump:
  if (--budget > 0)
    code -= 5;
  NEXT;
stop:
  return acc;
}
__attribute__((noinline)) static int irreducible(int n) {
  int s = 0;
  if (n & 1)
    goto second;
first:
  s += n;
  if (--n < 0)
    return s;
second:
  s -= 2;
  if (n % 5 != 0)
    goto first;
  n -= 1;
  goto first;
}
__attribute__((noinline)) static int duff(int n) {
  int s = 0, k = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      s++;
    case 3:
      s += 2;
    case 2:
      s += 3;
    case 1:
      s += 5;
    } while (--k > 0);
  }
  return s;
}
__attribute__((noinline)) static int cases(int k) {
  switch (k) {
  case 1: case 2: case 40: return 3;
  case 5: k += 2; /* fall through */
  case 7: k += 9; break;
  case 100 ... 110: return k;
  default: break;
  }
  return k * 2;
}
int main(void) {
  const unsigned char program[] = {0, 4, 1, 0, 2, 1, 3};
  int s = interpret(program);
  for (int i = 1; i < 120; ++i)
    s += irreducible(i) + duff(i) + cases(i);
  printf("%d\n", s);
  return 0;
}
