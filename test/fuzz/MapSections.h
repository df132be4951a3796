// Map sections of images for the fuzzers: bodies of functions, as the pass writes them, and the
// headers around them, whose checksums and places of counters are always right.
#pragma once

#include "quincunx/map/Image.h"

#include <string>
#include <vector>

namespace quincunx::fuzz {

/// What the linker would make of these bodies. Headers claim what bodies say, where they say it.
RawMap sectionOf(const std::vector<std::string> &bodies);
/// The bodies of a section, up to the first record that is none.
std::vector<std::string> bodiesOf(const std::vector<uint8_t> &section);

} // namespace quincunx::fuzz
