// While the same strands are the longest chain, with shares c of it and w of the work, prices 1 + x
// make what a run takes (1 + c x) / (1 + w x) times as long, as its work costs what it did. That
// this is 1 + off is linear in x: (c - (1 + off) w) x = off. All prices of nothing would do that,
// so one more equation says that w x is 0 in the mean. There are more kinds of strands than runs,
// so all is done in the space of runs.
#include "StrandPrices.h"

#include "quincunx/numeric/Ridge.h"

#include <algorithm>

namespace quincunx {

namespace {

/// Strands of different threads that end at the same place are the same code, but what one thread
/// does alone need not be what those of a team do there; of those that end with their thread
/// nothing is known but where that was made.
StrandKind kindOf(const StrandDescription &d, size_t workClass) {
  StrandKind kind{d.works[workClass], d.ofFirst[workClass]};
  if (kind.place.site != 0)
    kind.place.created = 0;
  return kind;
}

/// Work of each class of strands.
std::vector<double> workByClass(const StrandDescription &d) {
  std::vector<double> work(std::max<size_t>(d.works.size(), 1), 0); // loops of nothing have class 0
  for (const parallel::Loop &loop : d.description.loops)
    for (const double cost : loop.costs)
      work[loop.workClass] += cost;
  for (const parallel::Body &body : d.description.bodies)
    for (const parallel::Step &step : body)
      if (step.kind == parallel::StepKind::work)
        work[step.object] += step.amount;
  return work;
}

std::vector<double> factorsOf(const StrandDescription &d, const StrandPrices &prices) {
  std::vector<double> factors(std::max<size_t>(d.works.size(), 1), 1);
  for (size_t c = 0; c < d.works.size(); ++c)
    if (const auto at = prices.find(kindOf(d, c)); at != prices.end())
      factors[c] = at->second;
  return factors;
}

} // namespace

std::map<StrandKind, StrandShares> sharesOf(const StrandDescription &description,
                                            const std::vector<double> &chain) {
  std::map<StrandKind, StrandShares> shares;
  double length = 0;
  for (const double part : chain)
    length += part;
  const double all = workIn(description);
  if (length <= 0 || all <= 0)
    return shares;
  for (size_t c = 0; c < chain.size(); ++c)
    shares[kindOf(description, c)].chain += chain[c] / length;
  const std::vector<double> work = workByClass(description);
  for (size_t c = 0; c < description.works.size(); ++c)
    shares[kindOf(description, c)].work += work[c] / all;
  return shares;
}

double scaleOf(const StrandDescription &description, const StrandPrices &prices) {
  const std::vector<double> work = workByClass(description);
  const std::vector<double> factors = factorsOf(description, prices);
  double before = 0, after = 0;
  for (size_t c = 0; c < work.size(); ++c) {
    before += work[c];
    after += work[c] * factors[c];
  }
  return after > 0 ? before / after : 1;
}

void reprice(StrandDescription &description, const StrandPrices &prices, double scale) {
  if (prices.empty())
    return;
  const std::vector<double> factors = factorsOf(description, prices);
  for (parallel::Loop &loop : description.description.loops)
    for (double &cost : loop.costs)
      cost *= scale * factors[loop.workClass];
  for (parallel::Body &body : description.description.bodies)
    for (parallel::Step &step : body)
      if (step.kind == parallel::StepKind::work)
        step.amount *= scale * factors[step.object];
}

StrandPrices learnPrices(const std::vector<TimedStrands> &runs, const StrandPrices &before) {
  constexpr double noises[] = {0.02, 0.05, 0.1, 0.2, 0.5};
  constexpr double ofAll = 0.25, leastShare = 1e-3, lowest = 0.1;
  StrandPrices out;
  if (runs.empty())
    return out;
  const size_t n = runs.size();
  RidgeProblem problem{
      std::vector<double>((n + 1) * (n + 1), 0), std::vector<double>(n + 1, 0), {}};
  std::map<std::string, std::vector<size_t>> inputs;
  struct Kind {
    std::vector<std::pair<size_t, double>> slopes = {};
    double work = 0; ///< its share, by counts, in the mean of the runs
  };
  std::map<StrandKind, Kind> kinds;
  for (size_t i = 0; i < n; ++i) {
    const TimedStrands &run = runs[i];
    inputs[run.input].push_back(i);
    problem.wanted[i] = run.off;
    for (const auto &[place, share] : run.shares) {
      const auto at = before.find(place);
      const double price = at != before.end() ? at->second : 1;
      const double slope = (share.chain - (1 + run.off) * share.work) / price;
      Kind &kind = kinds[place];
      kind.slopes.emplace_back(i, slope);
      kind.work += share.work / price / static_cast<double>(n);
      problem.wanted[i] += slope * (price - 1);
    }
  }
  for (const auto &[input, of] : inputs)
    problem.groups.push_back(of);
  const auto varianceOf = [&](const Kind &kind) { return ofAll / std::max(kind.work, leastShare); };
  for (auto &[place, kind] : kinds) {
    kind.slopes.emplace_back(n, kind.work);
    for (const auto &[i, a] : kind.slopes)
      for (const auto &[j, b] : kind.slopes)
        problem.products[i * (n + 1) + j] += varianceOf(kind) * a * b;
  }
  const std::vector<double> weights = ridge(problem, noises).weights;
  for (const auto &[place, kind] : kinds) {
    double price = 1;
    for (const auto &[i, slope] : kind.slopes)
      price += varianceOf(kind) * slope * weights[i];
    out[place] = std::max(price, lowest);
  }
  return out;
}

} // namespace quincunx
