// Calls through pointers in the composition.
// The idea: which target a site calls is a draw of its own for every call, with the shares that
// PointerTargets.h finds. Where it leaves shares open, a site may call the cheapest or the dearest
// of its targets; what that changes in the mean of its function goes to callers as costs do, so it
// is composed like these. Whoever makes all calls that are open knows what they cost together. It
// does not vary what calls cost with whom others call.
#include "PointerCalls.h"

#include "quincunx/base/Parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {

/// Fewer calls than this, over all runs, are none.
constexpr double noCall = 0.5;
/// Means that are known to this share of them are known.
constexpr double noMatterOfCalls = 0.01;
/// Calls that differ by this share of them are the same ones.
constexpr double sameCalls = 1e-6;

double sum(std::span<const double> x) { return std::accumulate(x.begin(), x.end(), 0.0); }

} // namespace

PointerCalls::PointerCalls(const CountMatrix &matrix, const std::vector<Map> &maps)
    : counts(matrix, maps), targets(counts.sites.size()), spots(counts.graph.functions.size()) {
  for (size_t s = 0; s < counts.sites.size(); ++s) {
    const CallCounts::Site &site = counts.sites[s];
    for (const PointerTargets::Share &share : counts.pointers()->of(s)) {
      const double all =
          std::inner_product(share.value.begin(), share.value.end(), site.times.begin(), 0.0);
      if (share.target < counts.targets.size() && all >= noCall)
        targets[s].push_back(share.target);
    }
    for (const Call &call : counts.graph.functions[site.function]->calls)
      for (const auto &[block, calls] : site.perBlock)
        if (call.callee.empty() && call.block == block)
          spots[site.function].push_back({s, block, call.at});
  }
}

void PointerCalls::tell(CallGraph &graph) const {
  std::vector<std::vector<PointerSite>> all(spots.size());
  for (size_t f = 0; f < spots.size(); ++f)
    for (const Spot &spot : spots[f]) {
      PointerSite &site = all[f].emplace_back();
      site.block = spot.block;
      for (const uint32_t target : targets[spot.site])
        site.callees.push_back(counts.targets[target]);
    }
  graph.setPointers(std::move(all));
}

double PointerCalls::shareOf(size_t site, uint32_t target, size_t run) const {
  const std::span<const PointerTargets::Share> all = counts.pointers()->of(site);
  const PointerTargets::Share &share =
      *std::ranges::find(all, target, &PointerTargets::Share::target);
  if (run != allRuns)
    return share.value[run];
  const PointerTargets::PerRun &times = counts.sites[site].times;
  return std::inner_product(share.value.begin(), share.value.end(), times.begin(), 0.0) /
         sum(times);
}

void PointerCalls::share(std::vector<ExecutionCounts> &executed, size_t run) const {
  for (size_t f = 0; f < spots.size(); ++f) {
    executed[f].shares.clear();
    for (const Spot &spot : spots[f]) {
      std::vector<double> &shares = executed[f].shares.emplace_back();
      for (const uint32_t target : targets[spot.site])
        shares.push_back(shareOf(spot.site, target, run));
    }
  }
}

/// Sites of which shares are not known, and those that lead back to where they are: whom these call
/// hangs on who called, as a trampoline that both an interpreter and its finalizers use.
std::vector<bool> PointerCalls::openSites(const CallGraph &graph) const {
  std::vector<size_t> component(spots.size());
  for (size_t c = 0; c < graph.components.size(); ++c)
    for (const uint32_t f : graph.components[c])
      component[f] = c;
  std::vector<bool> open;
  for (size_t s = 0; s < targets.size(); ++s) {
    const size_t own = component[counts.sites[s].function];
    open.push_back(!counts.pointers()->isKnown(s) ||
                   std::ranges::any_of(targets[s], [&](uint32_t target) {
                     return component[counts.targets[target]] == own;
                   }));
  }
  return open;
}

/// Of a call of the site, over all runs.
double PointerCalls::extremeCost(size_t site, std::span<const double> costs, bool most) const {
  if (counts.pointers()->isKnown(site)) {
    const auto cheaper = [&](uint32_t a, uint32_t b) { return costs[a] < costs[b]; };
    const auto [low, high] = std::ranges::minmax_element(targets[site], cheaper);
    return costs[most ? *high : *low];
  }
  const PointerTargets::PerRun &times = counts.sites[site].times;
  std::vector<double> ofRuns(times.size());
  forEachParallel(times.size(), [&](size_t d) {
    if (times[d] > 0)
      for (const auto &[target, share] : counts.pointers()->extreme(site, d, costs, most))
        ofRuns[d] += times[d] * share * costs[target];
  });
  return sum(ofRuns) / sum(times);
}

/// Functions of which blocks cost what is asked of their calls.
std::vector<ExecutionCounts> PointerCalls::openCalls(std::span<const ExecutionCounts> executed,
                                                     const CallGraph &graph,
                                                     const Composition &composition,
                                                     const std::vector<bool> &open,
                                                     Asked asked) const {
  std::vector<double> costs;
  for (const uint32_t number : counts.targets)
    costs.push_back(composition.share[number] * composition.functions[number].inclusive.k1);
  costs.push_back(0); // calls that enter none
  std::vector<ExecutionCounts> all(executed.begin(), executed.end());
  std::vector<double> extreme(targets.size(), std::nan(""));
  for (uint32_t f = 0; f < all.size(); ++f) {
    std::fill(all[f].costs.begin(), all[f].costs.end(), Cumulants{});
    for (size_t i = 0; i < spots[f].size() && !all[f].edges.empty(); ++i) {
      const size_t site = spots[f][i].site;
      if (!open[site])
        continue;
      double &block = all[f].costs[spots[f][i].block].k1;
      if (asked == Asked::number) {
        block += 1;
        continue;
      }
      const bool most = asked == Asked::dearer;
      if (std::isnan(extreme[site]))
        extreme[site] = extremeCost(site, costs, most);
      const double is = costOfSite(graph, executed, composition, f, i).k1;
      block += std::max(0.0, most ? extreme[site] - is : is - extreme[site]);
    }
  }
  return all;
}

/// Where it calls whom.
OpenCalls PointerCalls::ownOf(uint32_t function, const std::vector<bool> &open) const {
  OpenCalls own;
  for (const Spot &spot : spots[function]) {
    if (!open[spot.site])
      continue;
    if (std::ranges::find(own.at, spot.at) == own.at.end())
      own.at.push_back(spot.at);
    for (const uint32_t target : targets[spot.site])
      if (const uint32_t number = counts.targets[target];
          std::ranges::find(own.callees, number) == own.callees.end())
        own.callees.push_back(number);
  }
  return own;
}

Status PointerCalls::judge(Modelled &model, const CallGraph &graph,
                           std::span<const Regions> regions,
                           std::span<const ExecutionCounts> executed,
                           const Composition &composition) const {
  const std::vector<bool> open = openSites(graph);
  double calls = 0;
  for (size_t s = 0; s < targets.size(); ++s)
    calls += open[s] ? sum(counts.sites[s].times) : 0;
  if (calls == 0)
    return Done{};
  std::vector<Composition> asked;
  for (const Asked what : {Asked::cheaper, Asked::dearer, Asked::number}) {
    Result<Composition> c =
        compose(graph, regions, openCalls(executed, graph, composition, open, what), {true, false});
    if (!c)
      return c.error();
    asked.push_back(std::move(*c));
  }
  for (ModelledFunction &f : model.functions) {
    const auto of = [&](size_t i) { return asked[i].functions[f.number].inclusive.k1; };
    const double mean = f.cost.inclusive.k1, outer = f.cost.outer;
    const bool isAll = std::fabs(of(2) * outer - calls) <= sameCalls * calls;
    if (f.cost.endless || of(0) + of(1) <= noMatterOfCalls * mean || isAll)
      continue;
    f.open = ownOf(f.number, open);
    f.open->least = std::max(f.cost.exclusive.k1, mean - of(0));
    const double all = model.observedMean * static_cast<double>(model.runs) / outer;
    f.open->most = std::max(mean, std::min(mean + of(1), all));
  }
  return Done{};
}

} // namespace quincunx
