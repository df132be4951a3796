// Count vectors as bytes. The idea: runs of one program hit mostly the same counters, and many
// counters have equal values in every run. So the set of counters is stored once as a frame, with
// two guesses per counter: an earlier counter it usually equals, and its usual number of bits. A
// run is then one symbol per counter (0: zero, or equal to the earlier counter; else how many bits
// the rest takes, against the guess), which zstd shrinks well, followed by the bits below the
// leading one as they are: these are noise, and no compressor gains on them. A run needs its frame
// and no other run to be read. The only file that knows zstd. It does not store anything.
#include "Codec.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <memory>
#include <unordered_map>

#include <zstd.h>

namespace quincunx {

void putVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

namespace {

constexpr int middle =
    65; ///< the symbol of a value with as many bits as expected; symbols are 1..129

struct Free {
  void operator()(ZSTD_CCtx *c) const { ZSTD_freeCCtx(c); }
  void operator()(ZSTD_DCtx *c) const { ZSTD_freeDCtx(c); }
};

bool takeVarint(std::string_view &bytes, uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

uint64_t zigzag(uint64_t difference) { return difference << 1 ^ (0 - (difference >> 63)); }
uint64_t unzigzag(uint64_t coded) { return coded >> 1 ^ (0 - (coded & 1)); }

/// Bits, least significant first.
class BitWriter {
public:
  explicit BitWriter(std::string &to) : out(to) {}
  void put(uint64_t value, int count) {
    for (; count > 0; count -= 32, value >>= 32) {
      const int n = std::min(count, 32);
      window |= (value & ((uint64_t{1} << n) - 1)) << used;
      for (used += n; used >= 8; used -= 8, window >>= 8)
        out += static_cast<char>(window);
    }
  }
  void finish() {
    if (used > 0)
      out += static_cast<char>(window);
  }

private:
  std::string &out;
  uint64_t window = 0;
  int used = 0;
};

class BitReader {
public:
  explicit BitReader(std::string_view from) : bytes(from), end(from.size() * 8) {}
  /// At most 63 bits; zeros after the end, which over() tells.
  uint64_t take(unsigned count) {
    uint64_t value = 0;
    const size_t byte = at >> 3;
    const unsigned shift = at & 7;
    if (byte + 9 <= bytes.size()) {
      uint64_t low;
      std::memcpy(&low, bytes.data() + byte, 8);
      const uint64_t high = static_cast<uint8_t>(bytes.data()[byte + 8]);
      value = low >> shift | (high << 1) << (63 - shift);
    } else {
      for (unsigned i = 0; i < count && at + i < end; ++i)
        value |= uint64_t{static_cast<uint8_t>(bytes[(at + i) >> 3]) >> ((at + i) & 7) & 1u} << i;
    }
    at += count;
    return value & ((uint64_t{1} << count) - 1);
  }
  bool over() const { return at > end; }
  bool atEnd() const { return !over() && end - at < 8; }

private:
  std::string_view bytes;
  size_t at = 0, end;
};

/// Values at the places of the frame, zeros where the counts have none.
std::vector<uint64_t> valuesInFrame(const std::vector<uint32_t> &index, const Counts &counts) {
  std::vector<uint64_t> out(index.size(), 0);
  for (size_t i = 0, j = 0; j < counts.index.size(); ++j) {
    while (i < index.size() && index[i] < counts.index[j])
      ++i;
    assert(i < index.size() && index[i] == counts.index[j] && "the frame covers the counts");
    out[i] = counts.value[j];
  }
  return out;
}

/// Where each earlier value was seen last.
class Nearest {
public:
  /// Distance from `i` to the nearest earlier equal value, 0 when there is none within a byte.
  /// Small values are equal by accident and cost little anyway.
  uint8_t operator()(uint64_t value, size_t i) {
    if (value < 8)
      return 0;
    const auto [at, isNew] = last.try_emplace(value, i);
    const size_t distance = i - at->second;
    at->second = i;
    return isNew || distance > 255 ? uint8_t{0} : static_cast<uint8_t>(distance);
  }

private:
  std::unordered_map<uint64_t, size_t> last;
};

} // namespace

bool Frame::covers(const Counts &counts) const {
  return std::includes(index.begin(), index.end(), counts.index.begin(), counts.index.end());
}

Frame adapt(const Frame &old, const Counts &counts) {
  Frame out;
  std::set_union(old.index.begin(), old.index.end(), counts.index.begin(), counts.index.end(),
                 std::back_inserter(out.index));
  out.back.assign(out.size(), 0);
  out.bits.assign(out.size(), 1);
  const std::vector<uint64_t> value = valuesInFrame(out.index, counts);
  std::vector<size_t> place(old.size()); // of the old places in the new frame
  Nearest nearest;
  for (size_t i = 0, j = 0; i < out.size(); ++i) {
    size_t kept = 0;
    const bool known = j < old.size() && old.index[j] == out.index[i];
    if (known) {
      place[j] = i;
      if (old.back[j] != 0)
        kept = i - place[j - old.back[j]];
      out.bits[i] = old.bits[j++];
    }
    const uint8_t found = nearest(value[i], i);
    if (kept > 0 && kept <= 255 && (value[i] == 0 || value[i] == value[i - kept]))
      out.back[i] = static_cast<uint8_t>(kept);
    else
      out.back[i] = found;
    if (value[i] != 0)
      out.bits[i] = static_cast<uint8_t>(std::bit_width(value[i]));
  }
  return out;
}

std::string packFrame(const Frame &frame) {
  std::string out;
  putVarint(out, frame.size());
  uint32_t next = 0;
  for (uint32_t index : frame.index) {
    putVarint(out, index - next);
    next = index + 1;
  }
  out.append(frame.back.begin(), frame.back.end());
  out.append(frame.bits.begin(), frame.bits.end());
  return compress(out, 9);
}

Result<Frame> unpackFrame(std::string_view packed, uint64_t counterCount) {
  const Error damaged{"a frame of counters is damaged"};
  std::vector<uint8_t> bytes;
  constexpr uint64_t always = uint64_t{1}
                              << 24; // counters that are hit once, each, repeat themselves
  if (counterCount > maxCounters ||
      !decompress(packed, std::min(counterCount * 7 + 16, mostBytes(packed, always)), bytes))
    return damaged;
  std::string_view left(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  uint64_t size = 0;
  if (!takeVarint(left, size) || size > counterCount || size > left.size())
    return damaged;
  Frame out;
  out.index.reserve(size);
  for (uint64_t i = 0, next = 0, gap = 0; i < size; ++i, next += gap + 1) {
    if (!takeVarint(left, gap) || next >= counterCount || gap >= counterCount - next)
      return damaged;
    out.index.push_back(static_cast<uint32_t>(next + gap));
  }
  if (left.size() != 2 * size)
    return damaged;
  out.back.assign(left.begin(), left.begin() + static_cast<ptrdiff_t>(size));
  out.bits.assign(left.begin() + static_cast<ptrdiff_t>(size), left.end());
  for (size_t i = 0; i < size; ++i)
    if (out.back[i] > i || out.bits[i] < 1 || out.bits[i] > 64)
      return damaged;
  return out;
}

std::string packCounts(const Frame &frame, const Counts &counts) {
  const std::vector<uint64_t> value = valuesInFrame(frame.index, counts);
  std::string symbols, bits;
  BitWriter writer(bits);
  for (size_t i = 0; i < frame.size(); ++i) {
    const size_t back = frame.back[i];
    const uint64_t rest = back != 0 ? zigzag(value[i] - value[i - back]) : value[i];
    const int width = static_cast<int>(std::bit_width(rest));
    const int expected = back != 0 ? 1 : frame.bits[i];
    symbols += static_cast<char>(width == 0 ? 0 : middle + width - expected);
    writer.put(rest, width - 1);
  }
  writer.finish();
  const std::string packed = compress(symbols, 3);
  std::string out;
  putVarint(out, packed.size());
  return out + packed + bits;
}

Status unpackCounts(const Frame &frame, std::string_view bytes, Counts &counts, Scratch &scratch) {
  const Error damaged{"a count vector is damaged"};
  uint64_t packed = 0;
  if (!takeVarint(bytes, packed) || packed > bytes.size() ||
      !decompress(bytes.substr(0, packed), frame.size(), scratch.symbols) ||
      scratch.symbols.size() != frame.size())
    return damaged;
  BitReader reader(bytes.substr(packed));
  scratch.values.resize(frame.size());
  // All are as long as the frame, so that nothing is looked at for each of the indices below.
  const uint8_t *const symbols = scratch.symbols.data(), *const backs = frame.back.data(),
                       *const bits = frame.bits.data();
  uint64_t *const value = scratch.values.data();
  bool wrong = false;
  size_t hit = 0;
  // Which counters are zero, equal or long cannot be foretold, so this loop has no branch on them.
  for (size_t i = 0; i < frame.size(); ++i) {
    const uint8_t back = backs[i];
    const int symbol = symbols[i];
    const int width = symbol - middle + (back != 0 ? 1 : bits[i]);
    const uint64_t some = 0 - uint64_t{symbol != 0};
    wrong |= symbol != 0 && (width < 1 || width > 64);
    const unsigned below = static_cast<unsigned>(width - 1) & 63u & static_cast<unsigned>(some);
    const uint64_t rest = (uint64_t{1} << below | reader.take(below)) & some;
    value[i] = 0;
    value[i] = back != 0 ? value[i - back] + unzigzag(rest) : rest;
    hit += value[i] != 0;
  }
  if (wrong || !reader.atEnd())
    return damaged;
  counts.index.resize(hit + 1); // one more, so that the copy below needs no branch either
  counts.value.resize(hit + 1);
  const uint32_t *const from = frame.index.data();
  uint32_t *const index = counts.index.data();
  uint64_t *const values = counts.value.data();
  for (size_t i = 0, j = 0; i < frame.size(); ++i) {
    index[j] = from[i];
    values[j] = value[i];
    j += value[i] != 0;
  }
  counts.index.pop_back();
  counts.value.pop_back();
  return Done{};
}

std::string packSparse(const Counts &counts) {
  std::string out;
  uint32_t next = 0;
  for (size_t i = 0; i < counts.index.size(); ++i) {
    putVarint(out, counts.index[i] - next);
    putVarint(out, counts.value[i]);
    next = counts.index[i] + 1;
  }
  return compress(out, 3);
}

Status unpackSparse(std::string_view bytes, uint64_t counterCount, Counts &counts,
                    Scratch &scratch) {
  const Error damaged{"recorders are damaged"};
  if (!decompress(bytes, mostBytes(bytes), scratch.symbols))
    return damaged;
  std::string_view left(reinterpret_cast<const char *>(scratch.symbols.data()),
                        scratch.symbols.size());
  for (uint64_t next = 0, gap = 0, value = 0; !left.empty(); next += gap + 1) {
    if (!takeVarint(left, gap) || !takeVarint(left, value) || next >= counterCount ||
        gap >= counterCount - next || value == 0)
      return damaged;
    counts.index.push_back(static_cast<uint32_t>(next + gap));
    counts.value.push_back(value);
  }
  return Done{};
}

std::string compress(std::string_view bytes, int level) {
  static thread_local const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size =
      ZSTD_compressCCtx(context.get(), out.data(), out.size(), bytes.data(), bytes.size(), level);
  assert(!ZSTD_isError(size) && "compressing into enough memory does not fail");
  out.resize(size);
  return out;
}

Status decompress(std::string_view bytes, uint64_t limit, std::vector<uint8_t> &out) {
  static thread_local const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > limit)
    return Error{"compressed bytes are damaged"};
  out.resize(size);
  const size_t got =
      ZSTD_decompressDCtx(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != size)
    return Error{"compressed bytes are damaged"};
  return Done{};
}

} // namespace quincunx
