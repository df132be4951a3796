// A value or one clear error. Every reader and every estimator that can meet bad input returns a
// Result; broken invariants of our own are asserts instead. It does not carry several errors or
// warnings.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace quincunx {

/// What went wrong, in lower case without a full stop, and where when a place is known.
struct Error {
  std::string text;      ///< what it quotes is escaped
  std::string file = {}; ///< as it is called, not escaped
  unsigned line = 0;     ///< 1-based; 0 when there is no line
  unsigned column = 0;   ///< in bytes, 1-based; 0 when there is none

  /// "file:line:column: error: text", leaving out what is not known; printable().
  std::string message() const;
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::move(value)) {}
  Result(Error error) : state(std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return value(); }
  const T &operator*() const { return const_cast<Result *>(this)->value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &**this; }
  const Error &error() const {
    assert(state.index() == 1 && "error() of a Result that holds a value");
    return *std::get_if<1>(&state);
  }

private:
  T &value() {
    assert(state.index() == 0 && "value of a Result that holds an error");
    return *std::get_if<0>(&state);
  }
  std::variant<T, Error> state;
};

/// Success without a value.
struct Done {};
using Status = Result<Done>;

} // namespace quincunx
