// Executions and costs of source lines, run by run.
// The idea: a site is a line in one instance of a function, with the blocks that execute it; per
// run its count is that of its busiest block, and the counts of a line's sites add up. Where the
// map has the blocks of the source they are taken, and a site with one that cannot be known says
// so. Costs need no runs kept apart: they are sums over blocks of the flow. Reference:
// docs/03-runs-kept-apart.md. It reads no source and knows nothing of text.
#include "quincunx/estimate/LineObserver.h"

#include "UsedRuns.h"
#include "estimate/price/RunScales.h"
#include "quincunx/estimate/Column.h"
#include "quincunx/estimate/SummaryStatistics.h"
#include "quincunx/profile/DenseCounts.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace quincunx {

namespace {

/// One line in one instance of a function.
struct Site {
  uint32_t row;                  ///< of Impl::rows
  std::vector<uint32_t> blocks;  ///< with code of the line, or that it calls in files of others
  std::vector<uint32_t> own;     ///< of these: with code of the line
  std::vector<uint32_t> sources; ///< blocks of the source with the line
};

/// What one execution of a block, or one count of a counter, costs a line.
struct CostShare {
  uint32_t row, of;
  double each;
};

/// Executions of a site, or of a line, in a run.
struct Executions {
  Count count;
  bool all = true;  ///< false: more of them may not be known
  bool met = false; ///< by a function that was executed
};

/// A function that has code from the file.
struct Watched {
  uint32_t function;
  std::vector<Site> sites;
  std::vector<CostShare> blockCosts, counterCosts;
  const SourceBlocks &sources;
  FlowSolver flow;
};

struct Kept {
  Column executions;
  std::vector<float> cost;  ///< per run, as far as it was executed
  double costs = 0;         ///< sum over runs, weighted
  double low = 0, high = 0; ///< sums over runs
  bool all = true;
  Executions now; ///< in the run at hand
  double costNow = 0;
};

Count countOf(const SourceBlock &block, const FunctionCounts &counts) {
  Count sum;
  for (const SourceBlock::Term &t : block.terms) {
    const Count &c = (t.isEdge ? counts.edges : counts.blocks)[t.index];
    sum.value += t.minus ? -c.value : c.value;
    sum.low += t.minus ? -c.high : c.low;
    sum.high += t.minus ? -c.low : c.high;
  }
  return {std::max(sum.value, 0.0), std::max(sum.low, 0.0), std::max(sum.high, 0.0)};
}

Executions executionsOf(const Site &site, const SourceBlocks &sources,
                        const FunctionCounts &counts) {
  Executions most;
  const auto take = [&](const Count &c) {
    if (c.value >= most.count.value)
      most.count = c;
  };
  if (site.sources.empty())
    for (const uint32_t b : site.own)
      take(counts.blocks[b]);
  if (site.sources.empty() && site.own.empty()) // all is left of what it calls, which begins here
    take(counts.blocks[site.blocks.front()]);
  for (const uint32_t s : site.sources)
    if (const SourceBlock &block = sources[s]; block.known)
      take(countOf(block, counts));
    else if (block.terms.empty() || countOf(block, counts).high > 0)
      most.all = false;
  return most;
}

} // namespace

struct LineObserver::Impl {
  const std::vector<Map> &maps;
  const std::vector<MapSources> &allSources;
  Prices prices;
  RunScales scales;
  std::vector<std::vector<Watched>> watched; ///< per map
  std::map<Hash, size_t> mapOf;
  std::map<uint32_t, uint32_t> lines; ///< their rows
  std::vector<Kept> rows;
  std::vector<Outcome> outcomes; ///< of the runs that count
  std::vector<double> weights;   ///< of the same
  std::vector<uint64_t> counters, inherited;

  Impl(const std::vector<Map> &m, const std::vector<MapSources> &s, const Machine &machine)
      : maps(m), allSources(s), prices(m, machine), scales(m, prices) {}
  void watch(size_t map, const std::string &path,
             const std::vector<std::array<uint8_t, 16>> &versions);
  Status addImage(const ImageCounts &image, double scale);
  void addFunction(const Function &f, Watched &w, double scale);
  void endRun(Kept &line, double weight);
};

namespace {

/// Scopes of `f` whose text is in the file.
std::vector<bool> scopesIn(const Function &f, const std::string &path,
                           const std::vector<std::array<uint8_t, 16>> &versions) {
  std::vector<bool> in;
  for (const Scope &s : f.scopes) {
    const SourceFile *file = s.file < f.files.size() ? &f.files[s.file] : nullptr;
    in.push_back(file && file->path == path &&
                 (versions.empty() ||
                  std::find(versions.begin(), versions.end(), file->md5) != versions.end()));
  }
  return in;
}

} // namespace

void LineObserver::Impl::watch(size_t map, const std::string &path,
                               const std::vector<std::array<uint8_t, 16>> &versions) {
  for (uint32_t n = 0; n < maps[map].functions.size(); ++n) {
    const Function &f = maps[map].functions[n];
    const std::vector<bool> in = scopesIn(f, path, versions);
    std::map<std::pair<uint32_t, uint32_t>, Site> sites; // by scope and line
    const auto visit = [&](const Location &at, std::vector<uint32_t> Site::*list, uint32_t i) {
      if (at.scope >= in.size() || !in[at.scope] || at.line == 0)
        return;
      Site &site = sites[{at.scope, at.line}];
      // A line that is never executed is shown with 0.
      const auto [row, isNew] = lines.try_emplace(at.line, static_cast<uint32_t>(rows.size()));
      if (isNew)
        rows.emplace_back();
      site.row = row->second;
      (site.*list).push_back(i);
    };
    if (std::none_of(in.begin(), in.end(), [](bool is) { return is; }))
      continue;
    Watched w{n, {}, {}, {}, allSources[map][n], FlowSolver(f)};
    const std::vector<std::vector<Cumulants>> costs = prices.ofLines(map, n);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> rowOf; // of a block and a line of it
    for (uint32_t b = 0; b < f.blocks.size(); ++b) {
      const Block &block = f.blocks[b];
      for (uint32_t i = 0; i < block.lines.size(); ++i) {
        const Location &at = block.lines[i];
        visit(at, &Site::blocks, b);
        if (!at.called)
          visit(at, &Site::own, b);
        if (const auto site = sites.find({at.scope, at.line}); site != sites.end()) {
          rowOf[{b, i}] = site->second.row;
          w.blockCosts.push_back({site->second.row, b, costs[b][i].k1});
        }
      }
    }
    for (const CounterCost &c : prices.counters(f)) {
      const std::vector<double> shares = prices.lineShares(f, c);
      for (uint32_t i = 0; i < shares.size(); ++i)
        if (const auto row = rowOf.find({c.block, i}); row != rowOf.end())
          w.counterCosts.push_back({row->second, c.counter, shares[i] * c.price.k1});
    }
    const SourceBlocks &sources = allSources[map][n];
    for (uint32_t i = 0; i < sources.size(); ++i)
      for (const Location &at : sources[i].lines)
        visit(at, &Site::sources, i);
    for (auto &[key, site] : sites)
      w.sites.push_back(std::move(site));
    if (!w.sites.empty())
      watched[map].push_back(std::move(w));
  }
}

LineObserver::LineObserver(const std::vector<Map> &maps, const std::vector<MapSources> &sources,
                           const Machine &machine, const std::string &path,
                           const std::vector<std::array<uint8_t, 16>> &versions)
    : impl(std::make_unique<Impl>(maps, sources, machine)) {
  impl->watched.resize(maps.size());
  for (size_t m = 0; m < maps.size(); ++m) {
    impl->mapOf[maps[m].hash] = m;
    impl->watch(m, path, versions);
  }
}
LineObserver::LineObserver(LineObserver &&) noexcept = default;
LineObserver::~LineObserver() = default;

void LineObserver::Impl::addFunction(const Function &f, Watched &w, double scale) {
  const auto own = [&](const std::vector<uint64_t> &all) {
    return all.empty() ? std::span<const uint64_t>{}
                       : std::span(all).subspan(f.firstCounter, f.counterCount);
  };
  const auto hit = [](std::span<const uint64_t> c) {
    return std::any_of(c.begin(), c.end(), [](uint64_t n) { return n != 0; });
  };
  const std::span<const uint64_t> counted = own(counters);
  if (!hit(counted) && !hit(own(inherited)))
    return;
  const FunctionCounts counts = w.flow.counts(counted, own(inherited));
  for (const CostShare &c : w.blockCosts)
    rows[c.row].costNow += scale * counts.blocks[c.of].value * c.each;
  for (const CostShare &c : w.counterCosts)
    if (!counted.empty())
      rows[c.row].costNow += scale * static_cast<double>(counted[c.of]) * c.each;
  for (const Site &site : w.sites) {
    const Executions here = executionsOf(site, w.sources, counts);
    Executions &line = rows[site.row].now;
    line.count.value += here.count.value;
    line.count.low += here.count.low;
    line.count.high += here.count.high;
    line.all &= here.all;
    line.met = true;
  }
}

Status LineObserver::Impl::addImage(const ImageCounts &image, double scale) {
  const auto found = mapOf.find(image.map);
  if (found == mapOf.end() || watched[found->second].empty())
    return Done{};
  const Map &map = maps[found->second];
  inherited.clear();
  if (const Status s = expandCounts(image.counts, map, counters); !s)
    return s;
  if (!image.inherited.index.empty())
    if (const Status s = expandCounts(image.inherited, map, inherited); !s)
      return s;
  for (Watched &w : watched[found->second])
    addFunction(map.functions[w.function], w, scale);
  return Done{};
}

Status LineObserver::add(const Run &run, double weight) {
  if (!isUsed(run))
    return Done{};
  const Result<RunScales::OfRun> scale = impl->scales.of(run);
  if (!scale)
    return scale.error();
  for (const ImageCounts &image : run.images)
    if (const Status s = impl->addImage(image, scale->scale); !s)
      return s;
  for (Kept &line : impl->rows)
    impl->endRun(line, weight);
  impl->outcomes.push_back(run.outcome);
  impl->weights.push_back(weight);
  return Done{};
}

void LineObserver::Impl::endRun(Kept &line, double weight) {
  const Executions n = std::exchange(line.now, {});
  const double cost = std::exchange(line.costNow, 0);
  if (!n.met)
    return;
  if (cost != 0) {
    line.cost.resize(outcomes.size() + 1);
    line.cost.back() = static_cast<float>(cost);
    line.costs += weight * cost;
  }
  line.all &= n.all;
  line.low += weight * n.count.low;
  line.high += weight * n.count.high;
  if (n.count.value != 0)
    line.executions.set(outcomes.size(), n.count.value, 0);
}

Result<FileFigures> LineObserver::finish(double programMean) {
  const Impl &i = *impl;
  const double d = std::accumulate(i.weights.begin(), i.weights.end(), 0.0);
  const bool equal = std::all_of(i.weights.begin(), i.weights.end(),
                                 [&](double w) { return w == i.weights.front(); });
  const auto open =
      static_cast<size_t>(std::count_if(i.outcomes.begin(), i.outcomes.end(), isCensored));
  const ConfidenceIntervals trust(i.outcomes.size());
  const auto statistics = [&](const auto &of) { // of(run)
    std::vector<double> values, weights;
    for (const bool censored : {false, true})
      for (size_t r = 0; r < i.outcomes.size(); ++r)
        if (isCensored(i.outcomes[r]) == censored) {
          values.push_back(of(r));
          weights.push_back(i.weights[r]);
        }
    return summarize(values, equal ? std::vector<double>{} : weights, open, trust);
  };
  const Result<SummarizedLaw> never = statistics([](size_t) { return 0.0; });
  if (!never)
    return never.error();
  FileFigures file;
  for (const auto &[line, row] : i.lines) {
    const Kept &kept = i.rows[row];
    const auto times = kept.executions.empty()
                           ? never
                           : statistics([&](size_t r) { return kept.executions.at(r); });
    const auto costs = kept.cost.empty() ? never : statistics([&](size_t r) {
      return r < kept.cost.size() ? static_cast<double>(kept.cost[r]) : 0.0;
    });
    if (!times || !costs)
      return (times ? costs : times).error();
    LineFigures &f = file[line];
    f.mean = times->statistics.moments.mean;
    f.p99 = times->statistics.percentiles[2];
    f.costP50 = costs->statistics.percentiles[0];
    f.costP99 = costs->statistics.percentiles[2];
    f.share = programMean > 0 ? kept.costs / d / programMean : 0;
    f.meanCounts = {kept.low / d, kept.high / d};
    f.notAllKnown = !kept.all;
  }
  return file;
}

} // namespace quincunx
