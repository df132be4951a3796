// What a raw record or a live file claims to be, from its first bytes and its size. It does not
// look at chunks.
#pragma once

#include "quincunx/abi.h"

#include <cstdint>
#include <span>
#include <string>

namespace quincunx {

bool isMagic(std::span<const uint8_t> bytes, uint64_t magic);

/// Checks the header of a file of `size` bytes, of which `bytes` are the first; an empty string, or
/// what is wrong and what to do.
std::string checkHeader(std::span<const uint8_t> bytes, uint64_t size, qx_raw_header &header);
/// checkHeader() of a live file: what is beyond `used` does not count, and nothing is checksummed.
std::string checkLiveHeader(std::span<const uint8_t> bytes, uint64_t size, qx_live_header &header);
/// The process was killed before it had written anything.
bool isUnborn(std::span<const uint8_t> bytes, const std::string &name);

} // namespace quincunx
