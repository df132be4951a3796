// Inline functions and templates that stand in two object files are counted once each.
// RUN: %clangxx -O1 -fno-inline %blocks -c -DOTHER %s -o %t.other.o && %clangxx -O1 -fno-inline %blocks %s %t.other.o -o %t && record %t && judged %t --exact
// RUN: %quincunx corpus dump %t.qx | grep -c "^function.*_Z5twiceIiET_S0_" | grep -x 1
#include <cstdio>
template <class T> T twice(T x) { return x > 10 ? x - 1 : x * 2; }
inline int shared(int x) { return twice(x) + (x & 1 ? 3 : 4); }
int other(int n);
#ifdef OTHER
int other(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += shared(i);
  return s;
}
#else
int main() {
  int s = other(20);
  for (int i = 0; i < 7; ++i)
    s += shared(i);
  std::printf("%d\n", s);
}
#endif
