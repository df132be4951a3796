// Measured times of the same inputs, beside what counts predict.
// The idea: the least time of each input is compared as its counts are; what the two sessions of
// timing differ by besides the program (clock rates, neighbours) is in it, and nothing here knows.
#include "MeasuredTimes.h"

#include "estimate/scaling/PairedBootstrap.h"
#include "quincunx/estimate/InputTimes.h"

#include <map>
#include <numeric>

namespace quincunx {

namespace {

/// The least time of each input, by label.
Result<std::map<std::string, double>> timesOf(const Corpus &corpus) {
  const Result<std::vector<Timing>> timings = corpus.timings();
  if (!timings)
    return timings.error();
  std::map<std::string, double> out;
  for (const TimedInput &input : estimateTimes(*timings, {}).inputs)
    out.try_emplace(input.label, input.time);
  return out;
}

/// Are the timings of two programs, which can be compared?
Result<bool> areComparable(const Corpus &before, const Corpus &after) {
  const auto was = before.timedProgram(), is = after.timedProgram();
  if (!was || !is)
    return was ? is.error() : was.error();
  return *was && *is && (*was)->md5 != (*is)->md5 &&
         (*was)->processorModel == (*is)->processorModel;
}

} // namespace

Result<std::optional<MeasuredChange>> measuredChange(const Corpus &before, const Corpus &after,
                                                     std::span<const RunPair> pairs,
                                                     const PairedCosts &predicted) {
  const Result<bool> comparable = areComparable(before, after);
  if (!comparable)
    return comparable.error();
  if (!*comparable)
    return std::optional<MeasuredChange>();
  const auto was = timesOf(before), is = timesOf(after);
  if (!was || !is)
    return was ? is.error() : was.error();
  std::vector<double> first, second, difference;
  double costBefore = 0, costAfter = 0;
  for (size_t p = 0; p < pairs.size(); ++p) {
    const auto a = was->find(pairs[p].label), b = is->find(pairs[p].label);
    if (a == was->end() || b == is->end())
      continue;
    first.push_back(a->second);
    second.push_back(b->second);
    difference.push_back(b->second - a->second);
    costBefore += predicted.before[p];
    costAfter += predicted.after[p];
  }
  if (first.empty())
    return std::optional<MeasuredChange>();
  const auto mean = [](const std::vector<double> &x) {
    return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  };
  return std::optional(MeasuredChange{first.size(),
                                      {mean(first), mean(second), meanShare(difference, first)},
                                      costAfter / costBefore - 1});
}

} // namespace quincunx
