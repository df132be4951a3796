// See MapSections.h.
#include "MapSections.h"

#include "quincunx/abi.h"
#include "quincunx/map/Decode.h"

#include <cstddef>
#include <cstring>

namespace quincunx::fuzz {

RawMap sectionOf(const std::vector<std::string> &bodies) {
  RawMap raw;
  raw.countersMinusMap = 1 << 26; // behind any of these sections
  for (const std::string &body : bodies) {
    const std::vector<uint8_t> bytes(body.begin(), body.end());
    const Result<Function> f = decode(bytes);
    const size_t at = raw.bytes.size();
    qx_function_header h{};
    h.magic = QX_FUNCTION_MAGIC;
    h.size = static_cast<uint32_t>((sizeof h + body.size() + 7) / 8 * 8);
    h.body_size = static_cast<uint32_t>(body.size());
    h.counter_count = f ? f->counterCount : 0;
    h.recorder_words = f ? f->recorderWords : 0;
    h.counters = raw.countersMinusMap + static_cast<int64_t>(raw.counterCount) * 8 -
                 static_cast<int64_t>(at + offsetof(qx_function_header, counters));
    qx_hash(body.data(), body.size(), h.body_hash);
    raw.counterCount += h.counter_count;
    raw.bytes.resize(at + h.size);
    std::memcpy(raw.bytes.data() + at, &h, sizeof h);
    std::memcpy(raw.bytes.data() + at + sizeof h, body.data(), body.size());
  }
  return raw;
}

std::vector<std::string> bodiesOf(const std::vector<uint8_t> &section) {
  std::vector<std::string> bodies;
  qx_function_header h;
  for (size_t at = 0; at + sizeof h <= section.size(); at += h.size) {
    std::memcpy(&h, section.data() + at, sizeof h);
    if (h.magic != QX_FUNCTION_MAGIC || h.size < sizeof h || h.size > section.size() - at ||
        h.body_size > h.size - sizeof h)
      break;
    bodies.emplace_back(reinterpret_cast<const char *>(section.data()) + at + sizeof h,
                        h.body_size);
  }
  return bodies;
}

} // namespace quincunx::fuzz
