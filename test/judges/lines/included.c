#include <stdio.h>
#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) int work(int x) {
  sink += x;
  return x & 3;
}
static inline int twice(int i) {
  int n = 0;
#include "included.part"
  return 2 * n;
}
int table(int i) {
  int n = 1;
#include "included.part"
  if (n > 5)
    n -= work(i);
  return n;
}
int main(int c, char **v) {
  int n = c;
  for (int i = 0; i < atoi(v[1]); i++) {
    n += table(i);
    if (i % 2)
      n += twice(i);
  }
  printf("%d\n", n);
  return 0;
}
