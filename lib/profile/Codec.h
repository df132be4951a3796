// How count vectors and maps become the blobs of a corpus: see Codec.cpp for the idea. It knows
// bytes and counts, not tables.
#pragma once

#include "quincunx/profile/Run.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

/// No image has more counters, no decompressed blob more bytes than these: a corpus may lie about
/// sizes.
inline constexpr uint64_t maxCounters = uint64_t{1} << 31;
inline constexpr uint64_t maxBlob = maxMapBytes;
/// Nor is one longer than 200 times what it takes in the corpus, beyond `always`: what a program is
/// and does repeats itself, and not without end.
inline uint64_t mostBytes(std::string_view compressed, uint64_t always = uint64_t{1} << 20) {
  return std::min(maxBlob, always + 200 * compressed.size());
}

/// The counters of an image that some run hit, with what is expected of their values: what many
/// runs have in common, stored once. Never changed after it is stored; more counters make a new
/// one.
struct Frame {
  std::vector<uint32_t> index; ///< ascending
  std::vector<uint8_t>
      back; ///< distance to an earlier place that usually has the same value; 0: none
  std::vector<uint8_t> bits; ///< usual number of bits of the value, 1..64

  size_t size() const { return index.size(); }
  bool covers(const Counts &counts) const;
};

/// `old` widened by what `counts` has, with expectations taken from `counts` where it has a value.
Frame adapt(const Frame &old, const Counts &counts);

std::string packFrame(const Frame &frame);
/// `counterCount` bounds the indices. Errors name no file.
Result<Frame> unpackFrame(std::string_view bytes, uint64_t counterCount);

/// The frame must cover the counts.
std::string packCounts(const Frame &frame, const Counts &counts);
/// Appends nothing on error. `scratch` is memory to use again from call to call.
struct Scratch {
  std::vector<uint8_t> symbols;
  std::vector<uint64_t> values;
};
Status unpackCounts(const Frame &frame, std::string_view bytes, Counts &counts, Scratch &scratch);

/// Without a frame, for what hardly two runs have in common. `counterCount` bounds the indices.
std::string packSparse(const Counts &counts);
Status unpackSparse(std::string_view bytes, uint64_t counterCount, Counts &counts,
                    Scratch &scratch);

/// LEB128.
void putVarint(std::string &out, uint64_t value);

std::string compress(std::string_view bytes, int level);
/// Refuses what says it is longer than `limit` before any memory is taken.
Status decompress(std::string_view bytes, uint64_t limit, std::vector<uint8_t> &out);

} // namespace quincunx
