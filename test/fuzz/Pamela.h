// The judge of the fuzzers: what must hold for any text. Reference: Pamela.cpp.
#pragma once

#include <string>

namespace quincunx::pamela::fuzz {

/// Says on standard error what is wrong, and aborts, when something is.
void tryText(const std::string &text);

} // namespace quincunx::pamela::fuzz
