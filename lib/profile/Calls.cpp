// Reads the words that record=calls keeps among a function's counters. Reference:
// docs/10-compiler.md, docs/11-formats.md.
#include "quincunx/profile/Calls.h"

#include "quincunx/abi.h"

#include <algorithm>
#include <limits>

namespace quincunx {

CallCosts callCosts(const Function &f, const ImageCounts &image) {
  CallCosts out;
  if (f.callBuckets == none)
    return out;
  const auto find = [](const Counts &counts, uint32_t word) {
    const auto at = std::lower_bound(counts.index.begin(), counts.index.end(), word);
    return static_cast<size_t>(at - counts.index.begin());
  };
  const uint32_t sum = f.firstCounter + f.flowCounters(), first = f.firstRecorder + f.callBuckets;
  const Counts &counts = image.counts, &words = image.recorders;
  if (const size_t i = find(counts, sum); i < counts.index.size() && counts.index[i] == sum)
    out.sum = static_cast<double>(counts.value[i]);
  for (size_t i = find(words, first);
       i < words.index.size() && words.index[i] - first < QX_CALL_BUCKETS; ++i) {
    out.buckets[words.index[i] - first] = words.value[i];
    out.calls += words.value[i];
  }
  return out;
}

void add(CallCosts &sum, const CallCosts &more) {
  sum.calls += more.calls;
  sum.sum += more.sum;
  for (const auto &[bucket, calls] : more.buckets)
    sum.buckets[bucket] += calls;
}

CostBucket costBucket(uint32_t bucket) {
  const auto low = static_cast<double>(qx_call_bucket_low(bucket));
  if (bucket + 1 >= QX_CALL_BUCKETS)
    return {low, std::numeric_limits<double>::infinity()};
  return {low, static_cast<double>(qx_call_bucket_low(bucket + 1) - 1)};
}

} // namespace quincunx
