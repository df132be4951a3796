// A C++20 coroutine: suspended, resumed, one that is destroyed before it ends, and one whose allocation may fail, so that its
// end is not where it returns.
// RUN: %clangxx -std=c++20 -O2 %blocks %s -o %t && record %t && judged %t && %plainclangxx -std=c++20 -O2 %s -o %t.plain && %t.plain > %t.expected && cmp %t.out %t.expected
// RUN: %clangxx -std=c++20 -O0 %blocks %s -o %t && record %t && judged %t && cmp %t.out %t.expected
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <new>
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
struct Task {
  struct promise_type {
    static Task get_return_object_on_allocation_failure() { return {}; }
    void *operator new(std::size_t n, const std::nothrow_t &) noexcept { return n > 0 ? std::malloc(n) : nullptr; }
    void operator delete(void *p) { std::free(p); }
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  ~Task() { handle.destroy(); }
};
__attribute__((noinline)) Task mayFail(int &n) {
  ++n;
  co_await std::suspend_always();
  n += 2;
}
int main() {
  int sum = 0;
  for (int k = 0; k < 10; ++k) {
    Generator g = squares(k);
    while (g.next() && g.handle.promise().value < 30)
      sum += g.handle.promise().value;
  }
  for (int k = 0; k < 3; ++k) {
    Task t = mayFail(sum);
    for (int i = 0; i < k; ++i)
      t.handle.resume();
  }
  std::printf("%d\n", sum);
}
