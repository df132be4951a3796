// Functions that promised not to touch memory count like all others; musttail keeps its return; variadics, inline
// assembly, naked functions and resolvers of ifuncs work.
// RUN: %clang -O2 %blocks %s -o %t && record %t && judged %t --exact && %plainclang -O2 %s -o %t.plain && %t.plain > %t.expected && cmp %t.out %t.expected
// RUN: %clang -O0 %blocks %s -o %t && record %t && judged %t --exact && cmp %t.out %t.expected
#include <stdarg.h>
#include <stdio.h>
__attribute__((const, noinline)) int pure(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += i % 3 == 1 ? i : -1;
  return s;
}
__attribute__((noinline)) int even(int n);
__attribute__((noinline)) int odd(int n) {
  if (n == 0)
    return 0;
  __attribute__((musttail)) return even(n - 1);
}
int even(int n) {
  if (n == 0)
    return 1;
  __attribute__((musttail)) return odd(n - 1);
}
__attribute__((noinline)) int total(int count, ...) {
  va_list list;
  va_start(list, count);
  int s = 0;
  for (int i = 0; i < count; ++i)
    s += va_arg(list, int);
  va_end(list);
  return s;
}
__attribute__((naked, noinline)) int seven(void) { __asm__("movl $7, %eax\n\tret"); }
__attribute__((noinline)) int increment(int x) {
  __asm__ volatile("incl %0" : "+r"(x));
  return x > 3 ? x : -x;
}
static int twice(int x) { return 2 * x; }
static int (*resolve(void))(int) { return twice; }
int chosen(int) __attribute__((ifunc("resolve")));
int main(void) {
  int s = 0;
  for (int i = 0; i < 20; ++i)
    s += pure(i) + pure(i) + odd(i) + total(3, i, 2, 3) + seven() + increment(i) + chosen(i);
  printf("%d\n", s);
  return 0;
}
