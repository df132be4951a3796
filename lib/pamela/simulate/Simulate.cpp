// Simulates replications, and sums up what they say.
// The idea: replications are independent, so order statistics bound percentiles whatever the law,
// and the error of the mean needs no batches within a run. Reference: docs/12-pamela.md; David &
// Nagaraja, Order Statistics, 7.1.
#include "quincunx/pamela/Simulate.h"
#include "base/Infinity.h"

#include "Program.h"
#include "SimulationRun.h"
#include "pamela/evaluate/ParameterRanges.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

namespace {
constexpr double tail = 0.05; // beyond each end of an interval
constexpr uint64_t largestCount = uint64_t{1} << (64 - TimedEvent::recordBits);
constexpr uint64_t largestLive = uint64_t{1} << TimedEvent::recordBits;

Status check(const SimulateOptions &o) {
  if (o.replications == 0)
    return Error{"a simulation needs at least one replication"};
  if (o.precision && !(*o.precision > 0))
    return Error{"a precision must be above 0"};
  if (o.maxLive == 0 || o.maxLive > largestLive)
    return Error{"the limit on processes must be from 1 to " + std::to_string(largestLive)};
  if (o.maxEvents >= largestCount)
    return Error{"the limit on events must be below " + std::to_string(largestCount)};
  return Done{};
}

// The number of values at or below the percentile q is B ~ binomial(n, p), so
//   P(X_(l) <= q) >= P(B >= l), and P(q <= X_(u)) >= P(B <= u - 1).
TimePercentile percentile(const std::vector<double> &sorted, double p) {
  const uint64_t n = sorted.size();
  const auto rank = static_cast<uint64_t>(
      std::clamp(std::ceil(p * static_cast<double>(n) - 1e-9), 1.0, static_cast<double>(n)));
  TimePercentile out{p, sorted[rank - 1], -inf, inf};
  const auto below = [&](uint64_t k) { return binomialCdf(static_cast<int64_t>(k) - 1, n, p); };
  uint64_t low = 0, high = n + 1;
  for (uint64_t most = n; low < most;) { // the largest l with P(B <= l - 1) <= tail
    const uint64_t middle = most - (most - low) / 2;
    if (below(middle) <= tail)
      low = middle;
    else
      most = middle - 1;
  }
  for (uint64_t least = 1; least < high;) { // the smallest u with P(B <= u - 1) >= 1 - tail
    const uint64_t middle = least + (high - least) / 2;
    if (below(middle) >= 1 - tail)
      high = middle;
    else
      least = middle + 1;
  }
  if (low >= 1)
    out.low = sorted[low - 1];
  if (high <= n)
    out.high = sorted[high - 1];
  return out;
}

std::vector<ResourceUse> resources(const std::vector<Server> &servers, double time) {
  std::vector<ResourceUse> all;
  for (const Server &s : servers)
    all.push_back({s.name, s.index, s.servers, s.uses, time > 0 ? s.busy / (s.servers * time) : 0,
                   s.uses > 0 ? s.queueing / static_cast<double>(s.uses) : 0});
  std::sort(all.begin(), all.end(),
            [](const ResourceUse &a, const ResourceUse &b) { return a.index < b.index; });
  return all;
}

std::optional<double> standardError(const Sample &sample) {
  if (sample.n() < 2)
    return {};
  return std::sqrt(kStatistics(sample).k.k2 / static_cast<double>(sample.n()));
}

bool isPrecise(const Sample &sample, double precision) {
  constexpr size_t fewest = 30;
  const std::optional<double> error = standardError(sample);
  return sample.n() >= fewest && meanConfidence * *error <= precision * std::fabs(sample.mean());
}

/// Moments and percentiles of the times; without random numbers there is one time, and no doubt.
void summarize(Simulated &out, const Sample &sample) {
  out.moments = moments(kStatistics(sample).k);
  out.standardError = out.isRandom ? standardError(sample) : 0;
  std::vector<double> sorted = out.times;
  std::sort(sorted.begin(), sorted.end());
  constexpr std::array levels{0.5, 0.9, 0.99, 0.999};
  for (size_t i = 0; i < levels.size(); ++i) {
    const double only = sorted[0];
    out.percentiles[i] =
        out.isRandom ? percentile(sorted, levels[i]) : TimePercentile{levels[i], only, only, only};
  }
}

} // namespace

Result<Simulated> simulate(const Model &model, const SimulateOptions &options) {
  if (const Status s = check(options); !s)
    return s.error();
  if (const Status s = checkRanges(model, options.parameters); !s)
    return s.error();
  const Result<Program> program = compile(model, options);
  if (!program)
    return program.error();
  SimulationRun run(*program, model, options);
  Simulated out;
  Sample sample;
  double total = 0;
  for (uint64_t r = 0; r < options.replications && !out.isStopped; ++r) {
    const Result<std::optional<double>> t = run.replicate(r);
    if (!t)
      return t.error();
    out.isStopped = !*t || (options.goesOn && !options.goesOn(r + 1));
    if (!*t)
      break;
    out.times.push_back(**t);
    sample.add(**t);
    total += **t;
    // All others would be the same, or are not needed.
    if (!run.isRandom() || (options.precision && isPrecise(sample, *options.precision)))
      break;
  }
  if (out.times.empty())
    return Error{"the simulation was stopped before a replication had ended"};
  out.isRandom = run.isRandom();
  summarize(out, sample);
  out.resources = resources(run.used(), total);
  out.events = run.events();
  out.slices = run.slices();
  out.notes = program->notes;
  out.notes.insert(out.notes.end(), run.notes().begin(), run.notes().end());
  if (out.isStopped)
    out.notes.push_back("stopped after " + std::to_string(out.times.size()) + " of " +
                        std::to_string(options.replications) + " replications");
  else if (out.isRandom && out.times.size() == 1)
    out.notes.emplace_back("one replication does not tell how much others differ: raise -n");
  if (run.negative() != 0)
    out.notes.push_back(std::to_string(run.negative()) +
                        " times were below 0 and count as 0; a law that is never negative, as "
                        "gamma, would not need this");
  return out;
}

} // namespace quincunx::pamela
