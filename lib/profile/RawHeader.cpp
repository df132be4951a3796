// Headers of records and live files (include/quincunx/abi/record.h).
#include "RawHeader.h"

#include "quincunx/profile/Run.h"

#include <algorithm>
#include <cstring>

namespace quincunx {

namespace {

/// A hole in a file costs nothing, so a size is not believed beyond what a record can be.
constexpr uint64_t maxRecordBytes = uint64_t{1} << 32;

} // namespace

bool isMagic(std::span<const uint8_t> bytes, uint64_t magic) {
  return bytes.size() >= sizeof magic && std::memcmp(bytes.data(), &magic, sizeof magic) == 0;
}

std::string checkHeader(std::span<const uint8_t> bytes, uint64_t size, qx_raw_header &header) {
  const char *again = "; run the program again";
  if (bytes.empty())
    return std::string("is empty") + again;
  const uint64_t magic = QX_RAW_MAGIC;
  const size_t known = std::min(bytes.size(), sizeof magic);
  if (std::memcmp(bytes.data(), &magic, known) != 0)
    return "is not a raw record (.qxraw)";
  if (bytes.size() < sizeof header)
    return "is cut off after " + std::to_string(bytes.size()) + " bytes" + again;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version > QX_RAW_VERSION || header.version < QX_RAW_WITHOUT_FAMILY)
    return "has raw record version " + std::to_string(header.version) + ", this quincunx reads " +
           std::to_string(QX_RAW_VERSION) + "; use the quincunx the program was built with";
  if (header.header_size != sizeof header)
    return std::string("is damaged (header size)") + again;
  if (header.size > size)
    return "is cut off: " + std::to_string(size) + " of " + std::to_string(header.size) + " bytes" +
           again;
  if (header.size != size)
    return "is damaged: " + std::to_string(size) + " bytes where " + std::to_string(header.size) +
           " were written" + again;
  if (size > maxRecordBytes)
    return "is damaged: no record has " + std::to_string(size) + " bytes" + again;
  return "";
}

std::string checkLiveHeader(std::span<const uint8_t> bytes, uint64_t size, qx_live_header &header) {
  if (bytes.size() < sizeof header)
    return "is cut off after " + std::to_string(bytes.size()) + " bytes";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.used == 0)
    return "";
  if (header.version != QX_LIVE_VERSION && header.version != QX_LIVE_WITHOUT_FAMILY)
    return "has live file version " + std::to_string(header.version) + ", this quincunx reads " +
           std::to_string(QX_LIVE_VERSION) + "; use the quincunx the program was built with";
  if (header.header_size != sizeof header || header.used < sizeof header)
    return "is damaged (header size)";
  if (header.used > QX_LIVE_MOST)
    return "is damaged: no live file has " + std::to_string(header.used) + " bytes";
  if (header.used > size)
    return "is cut off: " + std::to_string(size) + " of " + std::to_string(header.used) + " bytes";
  return "";
}

bool isUnborn(std::span<const uint8_t> bytes, const std::string &name) {
  return isLiveName(name) && std::all_of(bytes.begin(),
                                         bytes.begin() + static_cast<ptrdiff_t>(std::min<size_t>(
                                                             bytes.size(), sizeof(qx_live_header))),
                                         [](uint8_t b) { return b == 0; });
}

} // namespace quincunx
