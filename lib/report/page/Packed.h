// Columns of numbers as text, for scripts of a page.
#pragma once

#include <span>
#include <string>

namespace quincunx {

/// How many bytes a number has: `single` has seven digits.
enum class Precision : uint8_t { single, whole };

/// Little-endian floats in base64, behind a letter that says which: "f" or "d".
std::string packed(std::span<const double> numbers, Precision precision);

} // namespace quincunx
