#include <cstdio>
#include <cstdlib>
#include <vector>
#include <string>
static volatile int sink;
__attribute__((noinline)) int g(int x) { sink = sink + x; return x & 3; }
#define CHECK(c) do { if (!(c)) { g(7); } } while (0)
template <class T> int most(const std::vector<T> &v, T limit) {
  int n = 0;
  for (const T &x : v) {
    if (x > limit)
      n += g(1);
    if (!(x > limit))
      n -= g(2);
  }
  return n;
}
struct Base { virtual int go(int i) { return g(i); } virtual ~Base() {} };
struct Derived : Base { int go(int i) override {
  if (i % 3)
    return g(i) + 1;
  return g(0);
} };
int early(int i) {
  if (i % 5 == 0)
    return 3;
  if (i % 7 == 0)
    return g(4);
  for (;;) {
    if (i % 4 == 0)
      break;
    g(i);
    ++i;
  }
  switch (i % 3) {
  case 0: return g(1);
  case 1: return g(2) + g(3);
  }
  int x = 1;
  while (x < 40)
    x *= (i & 1) ? 2 : g(3) + 3;
  return x;
}
int chain(int i, const char *p) {
  if (!p || !*p)
    return g(0);
  if ((i % 2 && i % 3) || (i % 5 && !(i % 7)))
    g(1);
  else
    g(2);
  if (i % 6 < 2) { g(3); } else if (i % 6 < 3) { g(4); } else { g(5); }
  try {
    if (i % 10 == 9)
      throw i;
    g(6);
  } catch (int e) {
    if (e > 500)
      g(7);
  }
  CHECK(i % 4);
  int r = i % 8 ? 0 : g(9);
  if (__builtin_expect(i % 9 == 0, 0))
    g(11);
  if (i % 9 != 4) [[likely]]
    g(12);
  return r;
}
int main(int c, char **v) {
  int n = 0, m = atoi(v[1]);
  std::vector<int> a; std::vector<double> b;
  for (int i = 0; i < m; i++) { a.push_back(i % 4); b.push_back(i % 5); }
  n += most(a, 0) + most(b, 2.5);
  Derived d; Base *p = &d;
  for (int i = 0; i < m; i++)
    n += p->go(i) + early(i) + chain(i, i % 11 ? "x" : "");
  printf("%d\n", n);
}
