// Values for calls that are known by their buckets and their sum.
// The idea: with n_b calls in a bucket from low_b to high_b, a sum S lies between L = sum n_b low_b
// and H = sum n_b high_b; so all calls are taken at the same place of their buckets,
// low_b + (S - L)/(H - L) (high_b - low_b). What the others leave of S bounds each call, too. Where
// units of runs have prices of their own, buckets of the priced values are 2^(1/64) wide. It does
// not see how calls spread within a bucket.
#include "CallLaw.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quincunx {

namespace {

struct Part {
  uint32_t bucket;
  double calls;
  Interval within;
};

/// The buckets of a run, with what its sum leaves of them. `low`, `high`: the sums of their ends.
std::vector<Part> partsOf(const CallCosts &run, double &low, double &high) {
  std::vector<Part> parts;
  low = high = 0;
  for (const auto &[bucket, calls] : run.buckets) {
    const CostBucket ends = costBucket(bucket);
    parts.push_back({bucket, static_cast<double>(calls), {ends.low, ends.high}});
    low += parts.back().calls * ends.low;
  }
  for (Part &p : parts) {
    const double left = run.sum - (low - p.within.low);
    p.within.high = std::clamp(left, p.within.low, p.within.high);
    high += p.calls * p.within.high;
  }
  for (Part &p : parts) {
    const double left = run.sum - (high - p.within.high);
    p.within.low = std::clamp(left, p.within.low, p.within.high);
  }
  return parts;
}

double beginOf(double value) { return std::exp2(std::floor(64 * std::log2(value)) / 64); }

} // namespace

void CallLaw::add(const CallCosts &run, double unit) {
  cutCalls += run.cut;
  double low = 0, high = 0;
  const std::vector<Part> parts = partsOf(run, low, high);
  const double place = high > low ? std::clamp((run.sum - low) / (high - low), 0.0, 1.0) : 0;
  for (const Part &p : parts) {
    const double from = costBucket(p.bucket).low;
    const double value =
        parts.size() == 1 ? run.sum / p.calls : from + place * (p.within.high - from);
    const double kept = unit * std::clamp(value, p.within.low, p.within.high);
    const Interval within{unit * p.within.low, unit * p.within.high};
    const auto [at, fresh] = buckets.try_emplace(unit == 1 ? from : beginOf(kept));
    Bucket &b = at->second;
    b.within =
        fresh ? within
              : Interval{std::min(b.within.low, within.low), std::max(b.within.high, within.high)};
    b.calls += static_cast<uint64_t>(p.calls);
    b.sum += p.calls * kept;
    values.add(kept, static_cast<uint64_t>(p.calls));
    const double off = std::max(kept - within.low, within.high - kept);
    unknown += p.calls * off * off;
  }
}

/// The smallest cost that a share p of the calls does not exceed.
Percentile CallLaw::percentile(double p) const {
  Percentile q;
  q.p = p;
  double below = 0;
  for (const auto &[number, b] : buckets) {
    below += static_cast<double>(b.calls);
    if (below < p * static_cast<double>(calls()))
      continue;
    q.value = std::clamp(b.sum / static_cast<double>(b.calls), b.within.low, b.within.high);
    q.trust = b.within;
    break;
  }
  return q;
}

SummaryStatistics CallLaw::statistics() const {
  SummaryStatistics f;
  f.runs = calls();
  f.moments = project(values.moments()).moments; // moved by rounding only
  f.deviation = f.moments.deviation();
  // Deviations differ by no more than the root mean square of the differences.
  const double off = std::sqrt(unknown / static_cast<double>(calls()));
  f.deviationInterval = {std::max(0.0, f.deviation - off), f.deviation + off};
  for (size_t i = 0; i < f.percentiles.size(); ++i)
    f.percentiles[i] = percentile(reportedPercentiles[i]);
  f.min = std::numeric_limits<double>::infinity();
  for (const auto &[begin, b] : buckets) {
    f.min = std::min(f.min, b.within.low);
    f.max = std::max(f.max, b.within.high);
  }
  if (cutCalls == 0)
    return f;
  // The smallest cost that p n + c calls of n do not exceed, if c may cost more.
  const double infinite = std::numeric_limits<double>::infinity();
  const double share = static_cast<double>(cutCalls) / static_cast<double>(calls());
  for (Percentile &q : f.percentiles)
    q.trust.high = q.p + share < 1 ? percentile(q.p + share).trust.high : infinite;
  f.max = f.deviationInterval.high = infinite;
  return f;
}

} // namespace quincunx
