// Ends the process when memory cannot be had. The idea: nothing that a file claims is believed
// before it is checked, so that this is met with files that are too large for the machine, or its
// limits (ulimit -v); nobody could go on with less. A line is written that takes no memory itself.
#include "OutOfMemory.h"

#include "ExitStatus.h"

#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include <unistd.h>

namespace quincunx::tool {

namespace {

[[noreturn]] void end() {
  constexpr std::string_view line = "quincunx: error: there is not enough memory for this\n";
  const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
  static_cast<void>(ignored);
  ::_exit(failed);
}

std::terminate_handler terminateBefore = nullptr;

/// Exceptions that nobody catches, from libraries with an allocation of their own; any other is a
/// mistake of ours, and is to be seen.
[[noreturn]] void endAfterException() {
  try {
    if (std::current_exception())
      std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc &) {
    end();
  } catch (const std::length_error &) {
    end();
  } catch (...) {
    terminateBefore();
  }
  std::abort();
}

} // namespace

void endWhenOutOfMemory() {
  std::set_new_handler(end);
  terminateBefore = std::set_terminate(endAfterException);
}

} // namespace quincunx::tool
