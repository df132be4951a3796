// What programs of cxx_programs.py are made of: arithmetic that is defined for all values, a checksum per thread,
// exceptions and objects that say when they go, coroutines. It knows nothing of instrumentation.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
using i8 = std::int8_t;
using u8 = std::uint8_t;
using i16 = std::int16_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

template <class T>
concept Whole = std::is_integral_v<T>;
template <Whole T> constexpr T add(T a, T b) { return T(u64(a) + u64(b)); }
template <Whole T> constexpr T sub(T a, T b) { return T(u64(a) - u64(b)); }
template <Whole T> constexpr T mul(T a, T b) { return T(u64(a) * u64(b)); }
template <Whole T> constexpr T quo(T a, T b) { return b == 0 || b == T(-1) ? a : T(a / b); }
template <Whole T> constexpr T rem(T a, T b) { return b == 0 || b == T(-1) ? T(1) : T(a % b); }
template <Whole T> constexpr T shl(T a, T b) { return T(u64(a) << (u64(b) & 63)); }
template <Whole T> constexpr T shr(T a, T b) { return T(a >> (u64(b) & (8 * sizeof(T) - 1))); }
template <Whole T>
  requires(sizeof(T) > 2)
constexpr T fold(T a, T b) {
  return sub<T>(a, shr<T>(b, T(3)));
}
template <Whole T> constexpr T fold(T a, T b) { return a < b ? a : T(b ^ T(21)); }
template <Whole T, class... Rest> constexpr T sum(T a, Rest... rest) { return T((u64(a) + ... + u64(rest))); }
template <Whole T, unsigned N> struct Power {
  static constexpr T of(T a) { return mul<T>(a, Power<T, N - 1>::of(a)); }
};
template <Whole T> struct Power<T, 0> {
  static constexpr T of(T) { return 1; }
};
template <class... F> struct Overloaded : F... {
  using F::operator()...;
};
template <class... F> Overloaded(F...) -> Overloaded<F...>;

inline thread_local u64 state = 88172645463325252u;
inline void mix(u64 v) {
  state = (state ^ v) * 0x9E3779B97F4A7C15u;
  state ^= state >> 29;
}

struct Fault {
  u64 code;
  explicit Fault(u64 c) : code(c) {}
  virtual ~Fault() = default;
  virtual u64 kind() const { return code; }
};
struct Deep : Fault {
  using Fault::Fault;
  u64 kind() const override { return code * 3 + 1; }
};
struct Guard { // says when it goes
  u64 v;
  ~Guard() { mix(v); }
};
struct Loud { // throws and catches while it goes
  u64 v;
  ~Loud() {
    try {
      if (v % 3)
        throw Deep(v);
      mix(v);
    } catch (const Fault &f) {
      mix(f.kind());
    }
  }
};
struct Part { // may fail to come
  Guard guard;
  explicit Part(u64 v) : guard{v} {
    if (v % 11 == 5)
      throw Fault(v);
  }
};

template <class F> void attempt(F f) noexcept {
  try {
    f();
  } catch (const Deep &d) {
    mix(d.kind());
  } catch (const Fault &f) {
    mix(f.kind() + 1);
  } catch (const std::exception &) {
    mix(2);
  } catch (u64 v) {
    mix(v + 3);
  } catch (...) {
    mix(4);
  }
}

template <class T> struct Gen {
  struct promise_type {
    T value{};
    std::exception_ptr error;
    Gen get_return_object() { return Gen(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };
  using Handle = std::coroutine_handle<promise_type>;
  struct End {};
  struct Iterator {
    Handle handle;
    Iterator &operator++() {
      handle.resume();
      if (handle.promise().error)
        std::rethrow_exception(std::exchange(handle.promise().error, nullptr));
      return *this;
    }
    T operator*() const { return handle.promise().value; }
    bool operator!=(End) const { return !handle.done(); }
  };
  explicit Gen(Handle h) : handle(h) {}
  Gen(const Gen &) = delete;
  ~Gen() { handle.destroy(); }
  Iterator begin() { return ++Iterator{handle}; }
  End end() { return {}; }

private:
  Handle handle;
};

template <class T> struct Task { // awaited by tasks, to which it returns by a jump
  struct promise_type {
    T value{};
    std::exception_ptr error;
    std::coroutine_handle<> next = std::noop_coroutine();
    struct Last {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept { return h.promise().next; }
      void await_resume() noexcept {}
    };
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Last final_suspend() noexcept { return {}; }
    void return_value(T v) { value = v; }
    void unhandled_exception() { error = std::current_exception(); }
  };
  explicit Task(std::coroutine_handle<promise_type> h) : handle(h) {}
  Task(const Task &) = delete;
  ~Task() { handle.destroy(); }
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) noexcept {
    handle.promise().next = h;
    return handle;
  }
  T await_resume() {
    if (handle.promise().error)
      std::rethrow_exception(handle.promise().error);
    return handle.promise().value;
  }
  T wait() {
    handle.resume();
    return await_resume();
  }

private:
  std::coroutine_handle<promise_type> handle;
};
