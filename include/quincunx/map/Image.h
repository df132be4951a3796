// Reads the map of an image: the executable, shared object or object file that the linker put it
// into.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/map/Map.h"

namespace quincunx {

/// No map section has more bytes.
inline constexpr uint64_t maxMapBytes = uint64_t{1} << 28;

/// The map section as found in an image: `bytes` of QX_MAP_SECTION, `countersMinusMap` the distance
/// of the counter section from it. `counterCount` as in the image.
struct RawMap {
  std::vector<uint8_t> bytes;
  int64_t countersMinusMap = 0;
  uint64_t counterCount = 0;
  std::array<uint64_t, 2> hash() const;
  uint64_t wordCount() const; ///< counters and recorders, as the headers say it
};
/// Which build an image is: the linker's build id, or, where there is none, the MD5 of the file;
/// hex digits. Empty when it cannot be read.
std::string readBuild(const std::string &path);
Result<RawMap> readElf(const std::string &path);
Result<Map> decodeMap(const RawMap &raw);
/// The map of a program, a shared object or an object file (.o) for those who look at no counts:
/// places in the count vector mean nothing, and an object file's map has no hash.
Result<Map> readMapAlone(const std::string &path);

} // namespace quincunx
