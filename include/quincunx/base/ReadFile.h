// A whole text file, of a size that a person would write. FIFOs are read to their end (`<(command)`
// in a shell is one), and what never ends is refused when it is too large. It does not decode.
#pragma once

#include "quincunx/base/Result.h"

#include <cstddef>
#include <string>

namespace quincunx {

/// Models, machines and lists of inputs are smaller.
constexpr size_t maxTextBytes = 16 << 20;

/// The bytes of `path`, unless there are more than maxTextBytes.
Result<std::string> readTextFile(const std::string &path);

} // namespace quincunx
