// A call in tail position of a function that is always inlined, and defined nowhere else (as allocate() of std::allocator<char> in
// C++20): no jump to it is recorded, as programs would not link. Where sizes are optimised, too.
// RUN: %plainclangxx -Os %s -o %t.plain && %t.plain > %t.expected
// RUN: for o in 0 1 2 3 s z; do for r in counts counts,calls,runs calls,blocks; do %clangxx -O$o -fplugin-arg-quincunx-record=$r %s -o %t && record %t && cmp %t.out %t.expected || exit 1; done; judged %t || exit 1; done
#include <cstdio>
extern "C" __attribute__((noinline)) int callBack(int x) {
  std::printf("%d\n", x);
  return x + 1;
}
static int (*volatile pointer)(int) = callBack;
template <class T> struct Box {
  T value;
  [[gnu::always_inline]] T next(T x) { return pointer(x + value); }
};
extern template struct Box<int>;
__attribute__((noinline)) int forward(Box<int> &box, int x) { return box.next(x); }
int main() {
  Box<int> box{3};
  int sum = 0;
  for (int i = 0; i < 5; ++i)
    sum += forward(box, i);
  std::printf("%d\n", sum);
}
