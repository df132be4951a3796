// The log of HdrHistogram, of one interval that has all runs as if they had followed each other.
// Its histogram is in format V2: a head of 40 bytes, then a number for each bin up to that of the
// greatest, or one below 0 for so many empty bins; a number is zigzag in groups of seven bits. All
// of it is compressed by zlib and written in base64. Reference: HdrHistogram's
// AbstractHistogram.encodeIntoByteBuffer() and HistogramLogWriter.
#include "HdrRuns.h"
#include "quincunx/report/HdrHistogram.h"
#include "report/layout/Base64.h"

#include <cstdio>
#include <ostream>
#include <zlib.h>

namespace quincunx {

namespace {

constexpr uint64_t encoded = 0x1c849313, compressed = 0x1c849314; ///< what comes, and its format

/// Highest byte first.
void append(std::string &bytes, uint64_t number, int size) {
  for (int i = size - 1; i >= 0; --i)
    bytes += static_cast<char>(number >> 8 * i & 0xff);
}

/// Lowest bits first; all but the last byte have the eighth, and a ninth has eight of its own.
void appendZigzag(std::string &bytes, int64_t number) {
  uint64_t left = static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);
  for (int i = 0; i < 8 && left > 0x7f; ++i, left >>= 7)
    bytes += static_cast<char>(left | 0x80);
  bytes += static_cast<char>(left);
}

std::string binsOf(const HdrCounts &counts) {
  std::string bytes;
  for (size_t bin = 0; bin < counts.bins();) {
    int64_t empty = 0;
    for (; counts.count(bin) == 0; ++bin) // the last bin is not
      ++empty;
    if (empty > 0)
      appendZigzag(bytes, empty == 1 ? 0 : -empty);
    appendZigzag(bytes, static_cast<int64_t>(counts.count(bin++)));
  }
  return bytes;
}

std::string histogramOf(const HdrCounts &counts) {
  const std::string bins = binsOf(counts);
  std::string bytes;
  append(bytes, encoded, 4);
  append(bytes, bins.size(), 4);
  append(bytes, 0, 4); // no bin is shifted
  append(bytes, HdrCounts::digits, 4);
  append(bytes, 1, 8); // the lowest number that is told from 0
  append(bytes, std::max<uint64_t>(2, HdrCounts::highest(counts.bins() - 1)), 8);
  append(bytes, std::bit_cast<uint64_t>(1.0), 8); // what one is
  return bytes + bins;
}

Result<std::string> deflated(const std::string &bytes) {
  std::string out(compressBound(bytes.size()), '\0');
  uLongf size = out.size();
  if (::compress(reinterpret_cast<Bytef *>(out.data()), &size,
                 reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()) != Z_OK)
    return Error{"zlib has no memory"};
  out.resize(size);
  return out;
}

} // namespace

Status printHdrLog(const Observed &observed, std::ostream &out) {
  const Result<HdrRuns> runs = hdrRuns(observed);
  if (!runs)
    return runs.error();
  const Result<std::string> content = deflated(histogramOf(runs->counts));
  if (!content)
    return content.error();
  std::string bytes;
  append(bytes, compressed, 4);
  append(bytes, content->size(), 4);
  bytes += *content;
  out << "#[Histogram log format version 1.3]\n";
  for (const std::string &comment : runs->comments)
    out << "#[" << comment << "]\n";
  char interval[80];
  std::snprintf(interval, sizeof interval, "0.000,%.3f,%llu,", runs->wall,
                static_cast<unsigned long long>(runs->counts.max()));
  out << "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\""
      << "\n"
      << interval << base64(bytes) << "\n";
  return Done{};
}

} // namespace quincunx
