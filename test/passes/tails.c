// A call in tail position takes over its caller's frame when optimised, so nothing is counted after
// it: recursion that runs in constant stack without us does so with us.
// RUN: %plainclang -O2 %s -o %t.plain && %t.plain > %t.expected
// RUN: for o in 1 2 3 s; do %clang -O$o %blocks %s -o %t && record %t && judged %t && cmp %t.out %t.expected || exit 1; done
// RUN: %clang -O2 -fPIC %blocks %s -o %t && record %t && judged %t --exact && cmp %t.out %t.expected
// At -O0 every frame is kept; less depth.
// RUN: %clang -O0 %blocks -DDEPTH=1000 %s -o %t && record %t && judged %t
#include <stdio.h>
#ifndef DEPTH
#define DEPTH 3000000
#endif
typedef long step(long n, long sum);
static step even, odd;
static step *volatile next[] = {even, odd};
// A call of which nobody knows whether it comes back, and a return that two paths share.
__attribute__((noinline)) static long even(long n, long sum) {
  if (n == 0)
    return sum;
  return next[n % 3 != 0](n - 1, sum + 1);
}
__attribute__((noinline)) static long odd(long n, long sum) {
  if (n <= 0)
    return -sum;
  return next[0](n - 1, sum + 2);
}
__attribute__((noinline)) static long self(long n, long sum) {
  if (n == 0)
    return sum;
  return self(n - 1, sum + n % 3);
}
// Becomes a loop with a sum.
__attribute__((noinline)) static long later(long n) { return n == 0 ? 0 : n % 5 + later(n - 1); }
// The same, once its sum is in the order in which the call comes last.
__attribute__((noinline)) static long apart(long n, long m) {
  if (n == 0)
    return 0;
  const long r = apart(n - 1, m * 3);
  return r + n * m + (n ^ m);
}
// Three such calls and one return, and one of which the value is not passed on.
static step *volatile three[] = {even, odd, even};
__attribute__((noinline)) static long choose(long n, long sum) {
  long r;
  switch (n % 4) {
  case 0:
    r = three[0](n, sum);
    break;
  case 1:
    r = three[1](n, sum + 1);
    break;
  case 2:
    r = three[2](n, sum + 2);
    break;
  default:
    three[0](n, sum);
    r = 7;
  }
  return r;
}
int main(void) {
  printf("%ld %ld %ld %ld\n", next[0](DEPTH, 0), self(DEPTH, 0), later(DEPTH), apart(DEPTH, 1));
  for (long n = 0; n < 9; ++n)
    printf("%ld\n", choose(n, n));
  return 0;
}
