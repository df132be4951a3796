// A C++20 coroutine: suspended, resumed, and one that is destroyed before it ends.
// RUN: %clangxx -std=c++20 -O2 %blocks %s -o %t && record %t && judged %t && %plainclangxx -std=c++20 -O2 %s -o %t.plain && %t.plain > %t.expected && cmp %t.out %t.expected
// RUN: %clangxx -std=c++20 -O0 %blocks %s -o %t && record %t && judged %t && cmp %t.out %t.expected
#include <coroutine>
#include <cstdio>
struct Generator {
  struct promise_type {
    int value = 0;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) { value = v; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  ~Generator() { handle.destroy(); }
  bool next() { handle.resume(); return !handle.done(); }
};
Generator squares(int n) {
  for (int i = 0; i < n; ++i)
    if (i % 3)
      co_yield i * i;
}
int main() {
  int sum = 0;
  for (int k = 0; k < 10; ++k) {
    Generator g = squares(k);
    while (g.next() && g.handle.promise().value < 30)
      sum += g.handle.promise().value;
  }
  std::printf("%d\n", sum);
}
