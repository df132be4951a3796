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
  std::vector<uint32_t> lines;   ///< which of the lines of these it is
  std::vector<uint32_t> own;     ///< of these: with code of the line
  std::vector<uint32_t> sources; ///< blocks of the source with the line
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
  std::vector<std::vector<Cumulants>> cost; ///< per block and line, of one execution
  /// What counts besides blocks, with the shares of the lines of its block.
  std::vector<std::pair<CounterCost, std::vector<double>>> counters;
  const SourceBlocks &sources;
  FlowSolver flow;
  std::vector<double> executed; ///< sums over runs, weighted: per block, then per counter
};

struct Kept {
  Column executions;
  double cost = 0;
  double low = 0, high = 0; ///< sums over runs
  bool all = true;
  Executions now; ///< in the run at hand
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
  Status addImage(const ImageCounts &image, double costWeight);
  void addFunction(const Function &f, Watched &w, double costWeight);
  void addCosts(const Watched &w);
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
    Watched w{n, {}, prices.ofLines(map, n), {}, allSources[map][n], FlowSolver(f), {}};
    for (const CounterCost &c : prices.counters(f))
      w.counters.emplace_back(c, prices.lineShares(f, c));
    w.executed.resize(f.blocks.size() + w.counters.size());
    for (uint32_t b = 0; b < f.blocks.size(); ++b) {
      const Block &block = f.blocks[b];
      for (uint32_t i = 0; i < block.lines.size(); ++i) {
        const Location &at = block.lines[i];
        visit(at, &Site::blocks, b);
        visit(at, &Site::lines, i);
        if (!at.called)
          visit(at, &Site::own, b);
      }
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

void LineObserver::Impl::addFunction(const Function &f, Watched &w, double costWeight) {
  const auto own = [&](const std::vector<uint64_t> &all) {
    return all.empty() ? std::span<const uint64_t>{}
                       : std::span(all).subspan(f.firstCounter, f.counterCount);
  };
  const auto hit = [](std::span<const uint64_t> c) {
    return std::any_of(c.begin(), c.end(), [](uint64_t n) { return n != 0; });
  };
  if (!hit(own(counters)) && !hit(own(inherited)))
    return;
  const FunctionCounts counts = w.flow.counts(own(counters), own(inherited));
  const size_t blocks = f.blocks.size();
  for (size_t b = 0; b < blocks; ++b)
    w.executed[b] += costWeight * counts.blocks[b].value;
  for (size_t c = 0; c < w.counters.size() && !own(counters).empty(); ++c)
    w.executed[blocks + c] +=
        costWeight * static_cast<double>(own(counters)[w.counters[c].first.counter]);
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

/// What all executions of a function cost, to its lines.
void LineObserver::Impl::addCosts(const Watched &w) {
  const size_t blocks = w.cost.size();
  std::vector<std::vector<double>> counted(blocks); // per block and line, if any
  for (size_t c = 0; c < w.counters.size(); ++c) {
    const auto &[counter, shares] = w.counters[c];
    counted[counter.block].resize(shares.size());
    for (size_t i = 0; i < shares.size(); ++i)
      counted[counter.block][i] += shares[i] * w.executed[blocks + c] * counter.price.k1;
  }
  for (const Site &site : w.sites)
    for (size_t i = 0; i < site.blocks.size(); ++i) {
      const uint32_t b = site.blocks[i], line = site.lines[i];
      rows[site.row].cost +=
          w.executed[b] * w.cost[b][line].k1 + (counted[b].empty() ? 0 : counted[b][line]);
    }
}

Status LineObserver::Impl::addImage(const ImageCounts &image, double costWeight) {
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
    addFunction(map.functions[w.function], w, costWeight);
  return Done{};
}

Status LineObserver::add(const Run &run, double weight) {
  if (!isUsed(run))
    return Done{};
  const Result<RunScales::OfRun> scale = impl->scales.of(run);
  if (!scale)
    return scale.error();
  for (const ImageCounts &image : run.images)
    if (const Status s = impl->addImage(image, weight * scale->scale); !s)
      return s;
  for (Kept &line : impl->rows)
    impl->endRun(line, weight);
  impl->outcomes.push_back(run.outcome);
  impl->weights.push_back(weight);
  return Done{};
}

void LineObserver::Impl::endRun(Kept &line, double weight) {
  const Executions n = std::exchange(line.now, {});
  if (!n.met)
    return;
  line.all &= n.all;
  line.low += weight * n.count.low;
  line.high += weight * n.count.high;
  if (n.count.value != 0)
    line.executions.set(outcomes.size(), n.count.value, 0);
}

Result<FileFigures> LineObserver::finish(double programMean) {
  Impl &i = *impl;
  for (const std::vector<Watched> &ofMap : i.watched)
    for (const Watched &w : ofMap)
      i.addCosts(w);
  const double d = std::accumulate(i.weights.begin(), i.weights.end(), 0.0);
  const bool equal = std::all_of(i.weights.begin(), i.weights.end(),
                                 [&](double w) { return w == i.weights.front(); });
  const auto open =
      static_cast<size_t>(std::count_if(i.outcomes.begin(), i.outcomes.end(), isCensored));
  const ConfidenceIntervals trust(i.outcomes.size());
  FileFigures file;
  for (const auto &[line, row] : i.lines) {
    const Kept &kept = i.rows[row];
    std::vector<double> values, weights;
    for (const bool censored : {false, true})
      for (size_t r = 0; r < i.outcomes.size(); ++r)
        if (isCensored(i.outcomes[r]) == censored) {
          values.push_back(kept.executions.at(r));
          weights.push_back(i.weights[r]);
        }
    const Result<SummarizedLaw> law =
        summarize(values, equal ? std::vector<double>{} : weights, open, trust);
    if (!law)
      return law.error();
    LineFigures &f = file[line];
    f.mean = law->statistics.moments.mean;
    f.p99 = law->statistics.percentiles[2];
    f.share = programMean > 0 ? kept.cost / d / programMean : 0;
    f.meanCounts = {kept.low / d, kept.high / d};
    f.notAllKnown = !kept.all;
  }
  return file;
}

} // namespace quincunx
