// Reads the words that record=calls keeps among a function's counters. Reference:
// docs/10-compiler.md, docs/11-formats.md.
#include "quincunx/profile/Calls.h"

#include "quincunx/abi.h"

#include <algorithm>
#include <limits>

namespace quincunx {

namespace {

/// Calls take(place, value) for the words of `f` that are not 0.
template <class Take> void forEachWord(const Function &f, const ImageCounts &image, Take take) {
  if (f.callRecorder == noIndex)
    return;
  const auto &[index, value] = image.recorders;
  const uint32_t first = f.firstRecorder + f.callRecorder;
  const uint32_t words = std::min<uint32_t>(f.recorderWords - f.callRecorder, QX_CALL_WORDS + 1);
  auto at = std::lower_bound(index.begin(), index.end(), first);
  for (; at != index.end() && *at - first < words; ++at)
    take(*at - first, value[static_cast<size_t>(at - index.begin())]);
}

} // namespace

CallCosts callCosts(const Function &f, const ImageCounts &image) {
  CallCosts out;
  forEachWord(f, image, [&](uint32_t place, uint64_t n) {
    if (place == 0) {
      out.sum = static_cast<double>(n);
    } else if (place == QX_CALL_WORDS) {
      out.cut = n;
    } else {
      out.buckets[place - 1] = n;
      out.calls += n;
    }
  });
  return out;
}

CallTotals callTotals(const Function &f, const ImageCounts &image) {
  CallTotals out;
  forEachWord(f, image, [&](uint32_t place, uint64_t n) {
    if (place == 0) {
      out.sum = static_cast<double>(n);
    } else if (place == QX_CALL_WORDS) {
      out.cut = n;
    } else {
      out.least = out.calls == 0 ? place - 1 : out.least;
      out.most = place - 1;
      out.calls += n;
    }
  });
  return out;
}

CostBucket costBucket(uint32_t bucket) {
  const auto low = static_cast<double>(qx_call_bucket_low(bucket));
  if (bucket + 1 >= QX_CALL_BUCKETS)
    return {low, std::numeric_limits<double>::infinity()};
  return {low, static_cast<double>(qx_call_bucket_low(bucket + 1) - 1)};
}

} // namespace quincunx
