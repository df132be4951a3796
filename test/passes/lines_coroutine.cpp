// A line that waits is executed as often as the coroutine comes to it, not as often as it goes on, too; the line that declares
// a coroutine as often as it is called.
// RUN: %clangxx -std=c++20 -O0 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck --check-prefixes=CHECK,PLAIN %s
// RUN: %quincunx whatif %t.qx 'cost(lines lines_coroutine.cpp:28) = 40' | FileCheck --check-prefix=CHANGE %s
// RUN: %clangxx -std=c++20 -O2 -g %s -o %t && record %t && %quincunx annotate %t.qx %s | FileCheck --check-prefixes=CHECK,BEST %s
// RUN: %quincunx whatif %t.qx 'cost(lines lines_coroutine.cpp:28) = 40' | FileCheck --check-prefix=CHANGE %s
#include <coroutine>

static volatile long sink;
struct Generator {
  struct promise_type {
    int value = 0;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
static Generator count(int n) {
  for (int i = 0; i < n; i++) {
    sink = i;
    co_yield i;
    sink = n; // goes on
  }
  co_await std::suspend_always();
  sink = 0; // ends
}
int main() {
  for (int n = 0; n < 5; n += 4) {
    Generator g = count(n);
    for (g.handle.resume(); !g.handle.done(); g.handle.resume())
      sink = g.handle.promise().value;
    g.handle.destroy();
  }
}
// CHECK-DAG: {{^ *}}4 {{.*}}| value = v;
// CHECK-DAG: {{^ *}}2 {{.*}}| static Generator count(int n) {
// CHECK-DAG: {{^ *}}4 {{.*}}| sink = i;
// PLAIN-DAG: {{^ *}}4 {{.*}}| co_yield i;
// BEST-DAG: {{^ *>= }}4 {{.*}}| co_yield i;
// CHECK-DAG: {{^ *}}4 {{.*}}| sink = n; // goes on
// PLAIN-DAG: {{^ *}}2 {{.*}}| co_await std::suspend_always();
// CHECK-DAG: {{^ *}}2 {{.*}}| sink = 0; // ends
// CHANGE: the lines: 4 times per run
