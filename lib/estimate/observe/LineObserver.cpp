// Executions and costs of source lines, run by run.
// The idea: a site is a line in one instance of a function, with the blocks that execute it; per
// run its count is that of its busiest block, and the counts of a line's sites add up. Where the
// map has the blocks of the source they are taken, and a site with one that cannot be known says
// so. Costs need no runs kept apart: they are sums over blocks of the flow. Reference:
// docs/03-runs-kept-apart.md. It reads no source and knows nothing of text.
#include "quincunx/estimate/LineObserver.h"

#include "UsedRuns.h"
#include "estimate/price/RunScales.h"
#include "quincunx/base/Parallel.h"
#include "quincunx/estimate/Column.h"
#include "quincunx/estimate/SummaryStatistics.h"
#include "quincunx/profile/DenseCounts.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace quincunx {

namespace {

/// One line in one instance of a function: executed as often as the busiest of `blocks`.
struct Site {
  uint32_t row;        ///< of Impl::rows
  uint32_t first, end; ///< of Watched::blocks
  bool areOfSource;    ///< as the frontend made them; else of the flow
};

/// A block of the source: the sum of its terms.
struct SourceSum {
  uint32_t first, end; ///< of Watched::terms
  bool known;
};

/// What one execution of a block, or one count of a counter, costs a line.
struct CostShare {
  uint32_t row, of;
  double each;
};

/// Executions of a site, or of a line, in a run.
struct Executions {
  Count count;
  bool all = true; ///< false: more of them may not be known
};

/// A function that has code from the file.
struct Watched {
  uint32_t function;
  std::vector<Site> sites;
  std::vector<uint32_t> blocks;
  std::vector<SourceSum> sources;
  std::vector<SourceBlock::Term> terms;
  std::vector<CostShare> blockCosts, counterCosts;
  std::vector<uint32_t> firstOfBlock; ///< of blockCosts, by block, and their end
  FlowSolver flow;
};

struct Kept {
  Column executions;
  std::vector<float> cost;  ///< per run, as far as it was executed
  double costs = 0;         ///< sum over runs, weighted
  double low = 0, high = 0; ///< sums over runs
  bool all = true;
};

/// What a run does and costs, by row.
struct RunLines {
  std::vector<uint8_t> met; ///< of a function that was executed
  std::vector<Executions> executions;
  std::vector<double> costs;
};

/// A run that is still to be looked at: what it hit.
struct RunCounts {
  struct OfFunction {
    uint32_t map, watched;   ///< Impl::watched[map][watched]
    size_t first, inherited; ///< of its counters; npos: there are none
  };
  static constexpr size_t npos = SIZE_MAX;
  std::vector<OfFunction> functions;
  std::vector<uint64_t> counters;
  double scale = 1, weight = 1;
  Outcome outcome = Outcome::finished;
};
constexpr size_t runsAtOnce = 8, rowsAtOnce = 1024;

Count countOf(std::span<const SourceBlock::Term> terms, const FunctionCounts &counts) {
  Count sum;
  for (const SourceBlock::Term &t : terms) {
    const Count &c = (t.isEdge ? counts.edges : counts.blocks)[t.index];
    sum.value += t.minus ? -c.value : c.value;
    sum.low += t.minus ? -c.high : c.low;
    sum.high += t.minus ? -c.low : c.high;
  }
  return {std::max(sum.value, 0.0), std::max(sum.low, 0.0), std::max(sum.high, 0.0)};
}

/// `ofSources`: counts of the blocks of the source.
Executions executionsOf(const Site &site, const Watched &w, const std::vector<Count> &ofSources,
                        const FunctionCounts &counts) {
  Executions most;
  const auto take = [&](const Count &c) {
    if (c.value >= most.count.value)
      most.count = c;
  };
  for (uint32_t i = site.first; i < site.end; ++i) {
    const uint32_t b = w.blocks[i];
    if (!site.areOfSource)
      take(counts.blocks[b]);
    else if (const SourceSum &source = w.sources[b]; source.known)
      take(ofSources[b]);
    else if (source.first == source.end || ofSources[b].high > 0)
      most.all = false;
  }
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
  size_t expected;               ///< runs
  std::vector<uint64_t> counters, inherited;
  std::vector<RunCounts> pending;
  std::vector<RunLines> ofPending; ///< of these

  Impl(const std::vector<Map> &m, const std::vector<MapSources> &s, const Machine &machine,
       size_t runs)
      : maps(m), allSources(s), prices(m, machine), scales(m, prices), expected(runs) {}
  void watch(size_t map, const std::string &path,
             const std::vector<std::array<uint8_t, 16>> &versions);
  Status addImage(const ImageCounts &image, RunCounts &to);
  void addFunction(const RunCounts &run, const RunCounts::OfFunction &of, RunLines &to) const;
  void lookAtPending();
  void endRun(Kept &line, const Executions &n, double cost, size_t run, double weight) const;
};

namespace {

/// Of a site, while it is found.
struct Blocks {
  uint32_t row;
  std::vector<uint32_t> blocks;  ///< with code of the line, or that it calls in files of others
  std::vector<uint32_t> own;     ///< of these: with code of the line
  std::vector<uint32_t> sources; ///< blocks of the source with the line
};

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
    std::map<std::pair<uint32_t, uint32_t>, Blocks> sites; // by scope and line
    const auto visit = [&](const Location &at, std::vector<uint32_t> Blocks::*list, uint32_t i) {
      if (at.scope >= in.size() || !in[at.scope] || at.line == 0)
        return;
      Blocks &site = sites[{at.scope, at.line}];
      // A line that is never executed is shown with 0.
      const auto [row, isNew] = lines.try_emplace(at.line, static_cast<uint32_t>(rows.size()));
      if (isNew)
        rows.emplace_back();
      site.row = row->second;
      (site.*list).push_back(i);
    };
    if (std::none_of(in.begin(), in.end(), [](bool is) { return is; }))
      continue;
    Watched w{n, {}, {}, {}, {}, {}, {}, {}, FlowSolver(f)};
    const std::vector<std::vector<Cumulants>> costs = prices.ofLines(map, n);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> rowOf; // of a block and a line of it
    for (uint32_t b = 0; b < f.blocks.size(); ++b) {
      const Block &block = f.blocks[b];
      w.firstOfBlock.push_back(static_cast<uint32_t>(w.blockCosts.size()));
      for (uint32_t i = 0; i < block.lines.size(); ++i) {
        const Location &at = block.lines[i];
        visit(at, &Blocks::blocks, b);
        if (!at.called)
          visit(at, &Blocks::own, b);
        if (const auto site = sites.find({at.scope, at.line}); site != sites.end()) {
          rowOf[{b, i}] = site->second.row;
          w.blockCosts.push_back({site->second.row, b, costs[b][i].k1});
        }
      }
    }
    w.firstOfBlock.push_back(static_cast<uint32_t>(w.blockCosts.size()));
    for (const CounterCost &c : prices.counters(f)) {
      const std::vector<double> shares = prices.lineShares(f, c);
      for (uint32_t i = 0; i < shares.size(); ++i)
        if (const auto row = rowOf.find({c.block, i}); row != rowOf.end())
          w.counterCosts.push_back({row->second, c.counter, shares[i] * c.price.k1});
    }
    const SourceBlocks &sources = allSources[map][n];
    for (uint32_t i = 0; i < sources.size(); ++i)
      for (const Location &at : sources[i].lines)
        visit(at, &Blocks::sources, i);
    for (const SourceBlock &block : sources) {
      const auto first = static_cast<uint32_t>(w.terms.size());
      w.terms.insert(w.terms.end(), block.terms.begin(), block.terms.end());
      w.sources.push_back({first, static_cast<uint32_t>(w.terms.size()), block.known});
    }
    for (const auto &[key, site] : sites) {
      const auto first = static_cast<uint32_t>(w.blocks.size());
      const bool areOfSource = !site.sources.empty();
      // Without any all is left of what it calls, which begins here.
      const std::vector<uint32_t> &from = areOfSource ? site.sources : site.own;
      w.blocks.insert(w.blocks.end(), from.begin(), from.end());
      if (from.empty())
        w.blocks.push_back(site.blocks.front());
      w.sites.push_back({site.row, first, static_cast<uint32_t>(w.blocks.size()), areOfSource});
    }
    if (!w.sites.empty())
      watched[map].push_back(std::move(w));
  }
}

LineObserver::LineObserver(const std::vector<Map> &maps, const std::vector<MapSources> &sources,
                           const Machine &machine, const std::string &path,
                           const std::vector<std::array<uint8_t, 16>> &versions,
                           size_t expectedRuns)
    : impl(std::make_unique<Impl>(maps, sources, machine, expectedRuns)) {
  impl->watched.resize(maps.size());
  for (size_t m = 0; m < maps.size(); ++m) {
    impl->mapOf[maps[m].hash] = m;
    impl->watch(m, path, versions);
  }
}
LineObserver::LineObserver(LineObserver &&) noexcept = default;
LineObserver::~LineObserver() = default;

void LineObserver::Impl::addFunction(const RunCounts &run, const RunCounts::OfFunction &of,
                                     RunLines &to) const {
  const Watched &w = watched[of.map][of.watched];
  const Function &f = maps[of.map].functions[w.function];
  const auto from = [&](size_t first) {
    return first == RunCounts::npos ? std::span<const uint64_t>{}
                                    : std::span(run.counters).subspan(first, f.counterCount);
  };
  const std::span<const uint64_t> counted = from(of.first);
  const double scale = run.scale;
  const FunctionCounts counts = w.flow.counts(counted, from(of.inherited));
  for (uint32_t b = 0; b < counts.blocks.size(); ++b)
    if (const double n = scale * counts.blocks[b].value; n != 0)
      for (uint32_t i = w.firstOfBlock[b]; i < w.firstOfBlock[b + 1]; ++i)
        to.costs[w.blockCosts[i].row] += n * w.blockCosts[i].each;
  for (const CostShare &c : w.counterCosts)
    to.costs[c.row] += scale * static_cast<double>(counted[c.of]) * c.each;
  std::vector<Count> ofSources;
  ofSources.reserve(w.sources.size());
  for (const SourceSum &source : w.sources)
    ofSources.push_back(
        countOf(std::span(w.terms).subspan(source.first, source.end - source.first), counts));
  for (const Site &site : w.sites) {
    const Executions here = executionsOf(site, w, ofSources, counts);
    Executions &line = to.executions[site.row];
    line.count.value += here.count.value;
    line.count.low += here.count.low;
    line.count.high += here.count.high;
    line.all &= here.all;
    to.met[site.row] = 1;
  }
}

Status LineObserver::Impl::addImage(const ImageCounts &image, RunCounts &to) {
  const auto found = mapOf.find(image.map);
  if (found == mapOf.end() || watched[found->second].empty())
    return Done{};
  const auto m = static_cast<uint32_t>(found->second);
  inherited.clear();
  if (const Status s = expandCounts(image.counts, maps[m], counters); !s)
    return s;
  if (!image.inherited.index.empty())
    if (const Status s = expandCounts(image.inherited, maps[m], inherited); !s)
      return s;
  for (uint32_t i = 0; i < watched[m].size(); ++i) {
    const Function &f = maps[m].functions[watched[m][i].function];
    const auto own = [&](const std::vector<uint64_t> &all) {
      return all.empty() ? std::span<const uint64_t>{}
                         : std::span(all).subspan(f.firstCounter, f.counterCount);
    };
    const auto isHit = [](std::span<const uint64_t> c) {
      return std::ranges::any_of(c, [](uint64_t n) { return n != 0; });
    };
    const auto keep = [&](std::span<const uint64_t> c) {
      to.counters.insert(to.counters.end(), c.begin(), c.end());
      return to.counters.size() - c.size();
    };
    const bool cameWithIt = isHit(own(inherited));
    if (cameWithIt || isHit(own(counters)))
      to.functions.push_back(
          {m, i, keep(own(counters)), cameWithIt ? keep(own(inherited)) : RunCounts::npos});
  }
  return Done{};
}

Status LineObserver::add(const Run &run, double weight) {
  if (!isUsed(run))
    return Done{};
  const Result<RunScales::OfRun> scale = impl->scales.of(run);
  if (!scale)
    return scale.error();
  RunCounts own{{}, {}, scale->scale, weight, run.outcome};
  for (const ImageCounts &image : run.images)
    if (const Status s = impl->addImage(image, own); !s)
      return s;
  impl->pending.push_back(std::move(own));
  if (impl->pending.size() == runsAtOnce)
    impl->lookAtPending();
  return Done{};
}

/// Runs are looked at side by side, and then their lines are.
void LineObserver::Impl::lookAtPending() {
  ofPending.resize(std::max(ofPending.size(), pending.size()));
  for (RunLines &ofRun : ofPending) {
    ofRun.met.resize(rows.size());
    ofRun.executions.resize(rows.size());
    ofRun.costs.resize(rows.size());
  }
  forEachParallel(pending.size(), [&](size_t i) {
    for (const RunCounts::OfFunction &f : pending[i].functions)
      addFunction(pending[i], f, ofPending[i]);
  });
  const size_t first = outcomes.size();
  forEachParallel((rows.size() + rowsAtOnce - 1) / rowsAtOnce, [&](size_t part) {
    for (size_t row = part * rowsAtOnce; row < std::min(rows.size(), (part + 1) * rowsAtOnce);
         ++row)
      for (size_t i = 0; i < pending.size(); ++i)
        if (RunLines &ofRun = ofPending[i]; std::exchange(ofRun.met[row], 0) != 0)
          endRun(rows[row], std::exchange(ofRun.executions[row], {}),
                 std::exchange(ofRun.costs[row], 0), first + i, pending[i].weight);
  });
  for (const RunCounts &run : pending) {
    outcomes.push_back(run.outcome);
    weights.push_back(run.weight);
  }
  pending.clear();
}

void LineObserver::Impl::endRun(Kept &line, const Executions &n, double cost, size_t run,
                                double weight) const {
  if (cost != 0) {
    if (line.cost.empty())
      line.cost.reserve(expected);
    line.cost.resize(run + 1);
    line.cost.back() = static_cast<float>(cost);
    line.costs += weight * cost;
  }
  line.all &= n.all;
  line.low += weight * n.count.low;
  line.high += weight * n.count.high;
  if (n.count.value != 0)
    line.executions.set(run, n.count.value, expected);
}

Result<FileFigures> LineObserver::finish(double programMean) {
  impl->lookAtPending();
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
  std::vector<std::pair<uint32_t, uint32_t>> lines(i.lines.begin(), i.lines.end());
  std::vector<Result<LineFigures>> figures(lines.size(), Error{""});
  forEachParallel(lines.size(), [&](size_t l) {
    const Kept &kept = i.rows[lines[l].second];
    const auto times = kept.executions.empty()
                           ? never
                           : statistics([&](size_t r) { return kept.executions.at(r); });
    const auto costs = kept.cost.empty() ? never : statistics([&](size_t r) {
      return r < kept.cost.size() ? static_cast<double>(kept.cost[r]) : 0.0;
    });
    if (!times || !costs) {
      figures[l] = (times ? costs : times).error();
      return;
    }
    LineFigures f;
    f.mean = times->statistics.moments.mean;
    f.p99 = times->statistics.percentiles[2];
    f.costP50 = costs->statistics.percentiles[0];
    f.costP99 = costs->statistics.percentiles[2];
    f.share = programMean > 0 ? kept.costs / d / programMean : 0;
    f.meanCounts = {kept.low / d, kept.high / d};
    f.notAllKnown = !kept.all;
    figures[l] = f;
  });
  FileFigures file;
  for (size_t l = 0; l < lines.size(); ++l) {
    if (!figures[l])
      return figures[l].error();
    file[lines[l].first] = *figures[l];
  }
  return file;
}

} // namespace quincunx
