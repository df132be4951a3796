// setjmp and longjmp: frames between the two never return, the one that called setjmp returns again.
// RUN: %clang -O2 %blocks %s -o %t && record %t && judged %t --exact
// RUN: %clang -O0 %blocks %s -o %t && record %t && judged %t --exact
// RUN: python3 %S/../judges/same_means.py --quincunx %quincunx %t.qx
#include <setjmp.h>
#include <stdio.h>
static jmp_buf env;
__attribute__((noinline)) int deep(int n) {
  if (n == 0)
    longjmp(env, 1);
  if (n < 0)
    return 0;
  int r = deep(n - 1);
  return r + n;
}
__attribute__((noinline)) int attempt(int n) {
  volatile int tries = 0;
  if (setjmp(env) != 0) {
    if (++tries > 3)
      return -1;
  }
  for (int i = 0; i < 5; ++i)
    if (i == n)
      deep(i);
  return tries;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 20; ++i)
    sum += attempt(i % 9);
  printf("%d\n", sum);
  return 0;
}
