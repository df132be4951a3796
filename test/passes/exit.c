// exit deep in the program: every frame on the stack is lost, and the counts say so.
// RUN: %clang -O2 %blocks %s -o %t && record %t && judged %t --exact
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void leave(int n) {
  if (n > 10)
    exit(0);
  printf("%d\n", n);
}
__attribute__((noinline)) static void step(int n) {
  for (int i = 0; i < n; ++i)
    leave(i + n);
}
int main(void) {
  for (int n = 1;; ++n)
    step(n);
}
