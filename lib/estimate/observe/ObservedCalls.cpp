// Distributions over calls, by adding up histograms.
// The idea: the buckets are the same everywhere, so the calls of all runs are one histogram; its
// mean is exact, its percentiles are right to half a bucket (1.4 %), its higher moments take every
// call at the middle of its bucket. Runs that crashed are left out, like everywhere.
#include "quincunx/estimate/ObservedCalls.h"

#include "quincunx/profile/Calls.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace quincunx {

namespace {

struct Kept {
  CallCosts all;
  uint32_t dearest = 0;
  std::string label;
};

double middle(uint32_t bucket) {
  const auto [low, high] = costBucket(bucket);
  return std::isinf(high) ? low : low + (high - low) / 2;
}

/// The smallest cost that a share p of the calls does not exceed.
Percentile percentile(const CallCosts &costs, double p) {
  Percentile q;
  q.p = p;
  double below = 0;
  for (const auto &[bucket, calls] : costs.buckets) {
    below += static_cast<double>(calls);
    if (below < p * static_cast<double>(costs.calls))
      continue;
    const auto [low, high] = costBucket(bucket);
    q.value = middle(bucket);
    q.trust = {low, high};
    break;
  }
  return q;
}

SummaryStatistics statisticsOf(const CallCosts &costs) {
  SummaryStatistics f;
  f.runs = costs.calls;
  const double n = static_cast<double>(costs.calls), mean = costs.sum / n;
  double sums[3] = {};
  for (const auto &[bucket, calls] : costs.buckets) {
    const double away = middle(bucket) - mean;
    double part = static_cast<double>(calls) / n * away;
    for (double &sum : sums)
      sum += part *= away;
  }
  const double variance = sums[0];
  f.deviation = std::sqrt(variance);
  f.moments = {mean, variance, 0, 0};
  if (variance > 0) {
    f.moments.skewness = sums[1] / (variance * f.deviation);
    f.moments.kurtosis = sums[2] / (variance * variance);
  }
  constexpr double levels[] = {0.5, 0.9, 0.99, 0.999};
  for (size_t i = 0; i < f.percentiles.size(); ++i)
    f.percentiles[i] = percentile(costs, levels[i]);
  f.min = costBucket(costs.buckets.begin()->first).low;
  f.max = costBucket(costs.buckets.rbegin()->first).high;
  return f;
}

/// Why costs recorded with these weights are not in the machine's units; empty: they are.
std::string differs(const Function &f, const Machine &machine) {
  if (!machine.constant())
    return "calls were recorded with constant costs, machine " + machine.name + " has random ones";
  for (uint32_t kind = 0; kind < classCount; ++kind) {
    const char *name = className(static_cast<InstructionClass>(kind));
    double weight = 0;
    for (const ClassCount &c : f.clock)
      if (static_cast<uint32_t>(c.kind) == kind)
        weight = c.count;
    if (machine.cost(name).k1 != weight)
      return "calls were recorded while the program ran, with a " + std::string(name) +
             " at a cost of " + std::to_string(static_cast<int>(weight)) + "; machine " +
             machine.name + " prices it otherwise";
  }
  return "";
}

/// Adds up calls run by run.
class CallObserver {
public:
  explicit CallObserver(const std::vector<Map> &m) : maps(m) {
    for (const Map &map : maps) {
      mapOf[map.hash] = kept.size();
      kept.emplace_back(map.functions.size());
    }
  }
  void add(const Run &run);
  void finish(ObservedCalls &out) const;

private:
  const std::vector<Map> &maps;
  std::map<Hash, size_t> mapOf;
  std::vector<std::vector<Kept>> kept; ///< per map and function
  uint64_t runs = 0;
};

void CallObserver::add(const Run &run) {
  if (run.outcome == Outcome::crashed || run.images.empty())
    return;
  ++runs;
  for (const ImageCounts &image : run.images) {
    const auto found = mapOf.find(image.map);
    if (found == mapOf.end())
      continue;
    for (size_t i = 0; i < kept[found->second].size(); ++i) {
      const CallCosts costs = callCosts(maps[found->second].functions[i], image);
      if (costs.calls == 0)
        continue;
      Kept &k = kept[found->second][i];
      if (const uint32_t last = costs.buckets.rbegin()->first; k.all.calls == 0 || last > k.dearest)
        k.dearest = last, k.label = run.label;
      quincunx::add(k.all, costs);
    }
  }
}

void CallObserver::finish(ObservedCalls &out) const {
  out.runs = runs;
  for (size_t m = 0; m < kept.size(); ++m)
    for (size_t i = 0; i < kept[m].size(); ++i) {
      const Kept &k = kept[m][i];
      if (k.all.calls == 0)
        continue;
      FunctionFigures f = placeOf(maps[m].functions[i], m);
      f.cost = statisticsOf(k.all);
      f.calls.moments.mean = static_cast<double>(k.all.calls) / static_cast<double>(runs);
      out.functions.push_back(std::move(f));
      out.slowest.push_back(k.label);
    }
}

/// Was the cost of calls recorded, in the units of `machine`?
Status checkRecorded(const std::vector<Map> &maps, const Machine &machine) {
  bool recorded = false;
  for (const Map &map : maps)
    for (const Function &f : map.functions)
      if (f.callRecorder != noIndex) {
        recorded = true;
        if (const std::string why = differs(f, machine); !why.empty())
          return Error{why};
      }
  if (!recorded)
    return Error{"the cost of calls was not recorded; build without "
                 "-fplugin-arg-quincunx-record=, or with calls in its list"};
  return Done{};
}

} // namespace

Result<ObservedCalls> observeCalls(const Corpus &corpus, const Machine &machine) {
  const Result<std::vector<Map>> maps = corpus.maps();
  if (!maps)
    return maps.error();
  if (const Status s = checkRecorded(*maps, machine); !s)
    return s.error();
  CallObserver observer(*maps);
  const Status read = corpus.forEachRun(
      [&](Run &&run) -> Status {
        observer.add(run);
        return Done{};
      },
      Corpus::ReadMask::recorders);
  if (!read)
    return read.error();
  ObservedCalls out{machine.name, machine.unit, 0, {}, {}, {}};
  observer.finish(out);
  out.notes.push_back({"calls",
                       "of a recursive function the outermost calls only; calls that never "
                       "returned are not in it"});
  return out;
}

} // namespace quincunx
