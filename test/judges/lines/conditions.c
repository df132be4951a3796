#include <stdio.h>
#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) int g(int x) { sink += x; return x & 3; }
#define OFTEN(x) ((x) % 4 != 0)
static inline int pick(int v) {
  if (v % 4)
    return g(v) + 1;
  g(2); g(3);
  return 7;
}
int f(int i) {
  int n = 0;
  if (i % 4 == 0)
    n += g(1);
  if (i % 4)
    n += g(2);
  if (!(i % 4))
    n += g(3);
  else
    n -= g(4);
  if (!(i % 4) && i % 8)
    n += g(1);
  else
    n += g(2);
  if (i % 4 == 1 || !(i % 3))
    n += g(3);
  if (!(i % 4 == 1 || i % 3 == 0))
    n += g(5);
  if (OFTEN(i))
    n += g(6);
  const char *s = "abc";
  while (*s++)
    ;
  for (int k = 0; k < i % 5 && !sink; k++)
    n += g(k);
  while (n > 3 || n < -3) {
    n /= 2;
    if (n == 5) continue;
    if (n == 6) break;
    g(n);
  }
  do { n += g(n); } while (n < 3 && i % 7);
  n += i % 4 ? g(4) : g(5);
  int b = i % 4 && g(9);
  if (i % 16 == 3)
    return 5;
  for (int k = 0; k < 3; k++) {
    if (k == i % 4) continue;
    if (g(k) == 9) goto out;
    g(k);
  }
  pick(i); pick(i+1);
out:
  return b + n;
}
int main(int c, char **v) {
  int n = 0;
  for (int i = 0; i < atoi(v[1]); i++) n += f(i);
  printf("%d\n", n);
  return 0;
}
