// Reads the words that record=calls keeps among a function's counters. Reference:
// docs/10-compiler.md, docs/11-formats.md.
#include "quincunx/profile/Calls.h"

#include "quincunx/abi.h"

#include <algorithm>
#include <limits>

namespace quincunx {

CallCosts callCosts(const Function &f, const Counts &counts) {
  CallCosts out;
  if (f.callWords == none)
    return out;
  const uint32_t first = f.firstCounter + f.callWords;
  auto at = std::lower_bound(counts.index.begin(), counts.index.end(), first);
  for (; at != counts.index.end() && *at < first + QX_CALL_WORDS; ++at) {
    const uint64_t value = counts.value[static_cast<size_t>(at - counts.index.begin())];
    if (const uint32_t word = *at - first; word == QX_CALL_SUM) {
      out.sum = static_cast<double>(value);
    } else if (word >= QX_CALL_BUCKETS) {
      out.buckets[word - QX_CALL_BUCKETS] = value;
      out.calls += value;
    }
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
  if (bucket + 1 >= QX_CALL_BUCKET_COUNT)
    return {low, std::numeric_limits<double>::infinity()};
  return {low, static_cast<double>(qx_call_bucket_low(bucket + 1) - 1)};
}

} // namespace quincunx
