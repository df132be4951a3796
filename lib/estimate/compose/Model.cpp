// From a corpus to the model of its program.
// The idea: the runs are added up (or each stands for itself), conservation of flow gives the count
// of every edge, the map gives the regions, and lib/model composes them. What branches and loops
// are assumed to do comes from one place (BranchParameters.h), and what the runs say against it
// from another (Independence.h).
#include "quincunx/estimate/Model.h"

#include "BranchParameters.h"
#include "CallDispersions.h"
#include "Callees.h"
#include "Independence.h"
#include "Laws.h"
#include "PointerCalls.h"
#include "estimate/figures/Notes.h"
#include "estimate/price/RunScales.h"
#include "quincunx/base/Parallel.h"
#include "quincunx/base/Text.h"
#include "quincunx/dist/Mixture.h"
#include "quincunx/profile/DenseCounts.h"
#include "quincunx/profile/Recorders.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

namespace quincunx {

namespace {

void addDense(std::vector<uint64_t> &sum, const Counts &counts, uint64_t before) {
  for (size_t i = 0; i < counts.index.size(); ++i)
    sum[counts.index[i] - before] += counts.value[i];
}

Cumulants mixed(const std::vector<MixtureComponent> &parts) {
  std::vector<Cumulants> given;
  std::vector<double> weights;
  for (const MixtureComponent &p : parts) {
    given.push_back(p.k);
    weights.push_back(p.weight);
  }
  return mixture(given, weights);
}

/// One of `runs` runs: so many calls of every root.
Cumulants runOf(const Composition &composition, double runs) {
  Cumulants sum;
  for (size_t f = 0; f < composition.functions.size(); ++f)
    if (!composition.functions[f].endless)
      sum += (composition.roots[f] / runs) * composition.functions[f].charged;
  return sum;
}

/// The words of one map, added up.
struct Sums {
  std::vector<uint64_t> counters, inherited, recorders;
};

/// Sums that are 0, one for each thread that needs one.
class ZeroSums {
public:
  template <class Make> std::vector<Sums> take(Make make) {
    const std::lock_guard lock(mutex);
    if (spare.empty())
      return make();
    std::vector<Sums> out = std::move(spare.back());
    spare.pop_back();
    return out;
  }
  void giveBack(std::vector<Sums> sums) {
    const std::lock_guard lock(mutex);
    spare.push_back(std::move(sums));
  }

private:
  std::mutex mutex;
  std::vector<std::vector<Sums>> spare;
};

/// A run that is taken by itself.
struct Alone {
  std::vector<ImageCounts> images;
  double weight = 1, scale = 1;
  Prices::Use use;
  size_t row = 0;
};

/// What one costs: in all, and for each function that was called its mean call.
struct ComposedAlone {
  Cumulants program;
  std::vector<std::pair<uint32_t, MixtureComponent>> functions;
};

constexpr size_t togetherAlone = 32; ///< runs, of which one thread takes one

} // namespace

struct Model::Impl {
  const std::vector<Map> &maps;
  ModelOptions options;
  Modelled out;
  CallGraph graph;
  std::map<Hash, uint32_t> mapOf;
  std::vector<std::vector<Cumulants>> costs; ///< per function and block
  std::vector<std::optional<FlowSolver>> conservations;
  std::vector<Regions> regions; ///< made when first needed, as conservations are
  std::vector<Sums> sums;       ///< of all runs
  std::vector<Sums> ofRun;      ///< 0 between runs
  std::vector<Alone> waiting;   ///< for mixIn()
  mutable ZeroSums zeros;
  BranchFractions fractions;
  std::vector<std::vector<MixtureComponent>> parts;          ///< per function, when runs are mixed
  std::vector<ExecutionCounts> executed;                     ///< over all runs, after finish()
  std::vector<std::pair<DistributionPtr, std::string>> laws; ///< of calls, and their families
  Composition composition;
  uint64_t withoutMap = 0;
  Prices::Use use;             ///< of all runs, added up
  bool recordsRuns = false;    ///< some branch has a recorder
  bool needsRecorders = false; ///< some branch or loop has one; those of calls are not looked at

  Prices prices;
  RunScales scales;
  CallDispersions dispersions;
  std::optional<PointerCalls> pointers;
  size_t row = 0;                         ///< of the counts: the next run
  double blockCosts = 0, scaledCosts = 0; ///< of all runs, where the machine was fitted

  Impl(const std::vector<Map> &m, const Machine &machine, const ModelOptions &o,
       const CountMatrix *counts);
  std::vector<Sums> empty() const;
  Status addUp(const Run &run, std::vector<Sums> &into);
  void addCounts(const std::vector<ImageCounts> &images, std::vector<Sums> &into) const;
  void clear(const std::vector<ImageCounts> &images, std::vector<Sums> &from) const;
  bool ran(uint32_t f, const Sums &s) const;
  FunctionCounts counts(uint32_t f, const Sums &s) const;
  void prepare(const std::vector<Sums> &s);
  Result<ExecutionCounts> executedOf(uint32_t f, const Sums &s, double scale) const;
  Result<std::vector<ExecutionCounts>> executedAll(const std::vector<Sums> &s, double scale,
                                                   size_t run) const;
  void settle(size_t component, Composition &c, Independence &independence);
  Result<BranchParameters> known(uint32_t f, const Sums &s, const FunctionCounts &c) const;
  Result<ComposedAlone> composeAlone(const Alone &run) const;
  Status mixIn();
  void finishFunction(uint32_t f, const Independence &independence);
  void finishProgram();
};

Model::Impl::Impl(const std::vector<Map> &m, const Machine &machine, const ModelOptions &o,
                  const CountMatrix *counts)
    : maps(m), options(o), graph(m), prices(m, machine), scales(m, prices), dispersions(m, prices) {
  out.machine = machine.name;
  out.unit = machine.unit;
  for (uint32_t i = 0; i < maps.size(); ++i) {
    mapOf[maps[i].hash] = i;
    for (size_t f = 0; f < maps[i].functions.size(); ++f)
      costs.push_back(prices.blocks(i, f));
  }
  for (const Function *f : graph.functions) {
    recordsRuns = recordsRuns || std::any_of(f->branches.begin(), f->branches.end(), hasRuns);
    needsRecorders = needsRecorders || std::ranges::any_of(f->loops, [](const Loop &loop) {
                       return loop.recorder != noIndex;
                     });
  }
  needsRecorders = needsRecorders || recordsRuns;
  conservations.resize(costs.size());
  regions.resize(costs.size());
  parts.resize(costs.size());
  laws.resize(costs.size());
  sums = ofRun = empty();
  if (counts != nullptr)
    pointers.emplace(*counts, maps).tell(graph);
}

std::vector<Sums> Model::Impl::empty() const {
  std::vector<Sums> all(maps.size());
  for (size_t i = 0; i < maps.size(); ++i) {
    all[i].counters.assign(maps[i].counterCount, 0);
    if (needsRecorders)
      all[i].recorders.assign(maps[i].wordCount - maps[i].counterCount, 0);
  }
  return all;
}

Status Model::Impl::addUp(const Run &run, std::vector<Sums> &into) {
  for (const ImageCounts &image : run.images) {
    const auto found = mapOf.find(image.map);
    if (found == mapOf.end()) {
      ++withoutMap;
      continue;
    }
    if (const Status fits = checkCounts(image, maps[found->second]); !fits)
      return Error{"run '" + escape(run.label) + "' (" + escape(image.path) + ") " +
                   fits.error().text};
  }
  addCounts(run.images, into);
  return Done{};
}

/// Of images that addUp() found nothing wrong with.
void Model::Impl::addCounts(const std::vector<ImageCounts> &images, std::vector<Sums> &into) const {
  for (const ImageCounts &image : images) {
    const auto found = mapOf.find(image.map);
    if (found == mapOf.end())
      continue;
    const Map &map = maps[found->second];
    Sums &s = into[found->second];
    addDense(s.counters, image.counts, 0);
    if (needsRecorders)
      addDense(s.recorders, image.recorders, map.counterCount);
    if (image.inherited.index.empty())
      continue;
    s.inherited.resize(map.counterCount);
    addDense(s.inherited, image.inherited, 0);
  }
}

/// What a run added to nothing is nothing again: less work than all words of the maps.
void Model::Impl::clear(const std::vector<ImageCounts> &images, std::vector<Sums> &from) const {
  for (const ImageCounts &image : images) {
    const auto found = mapOf.find(image.map);
    if (found == mapOf.end())
      continue;
    Sums &s = from[found->second];
    for (const uint32_t i : image.counts.index)
      s.counters[i] = 0;
    if (needsRecorders)
      for (const uint32_t i : image.recorders.index)
        s.recorders[i - s.counters.size()] = 0;
    s.inherited.clear();
  }
}

bool Model::Impl::ran(uint32_t f, const Sums &s) const {
  const auto first = s.counters.begin() + graph.functions[f]->firstCounter;
  return std::any_of(first, first + graph.functions[f]->counterCount,
                     [](uint64_t n) { return n != 0; });
}

/// What is needed of each function that ran, and made once.
void Model::Impl::prepare(const std::vector<Sums> &s) {
  for (uint32_t f = 0; f < graph.functions.size(); ++f)
    if (!conservations[f] && ran(f, s[graph.imageOf[f]])) {
      conservations[f].emplace(*graph.functions[f]);
      regions[f] = reduce(*graph.functions[f]);
    }
}

FunctionCounts Model::Impl::counts(uint32_t f, const Sums &s) const {
  const Function &function = *graph.functions[f];
  const auto own = [&](const std::vector<uint64_t> &all) {
    return all.empty() ? std::span<const uint64_t>{}
                       : std::span(all).subspan(function.firstCounter, function.counterCount);
  };
  return conservations[f]->counts(own(s.counters), own(s.inherited));
}

Result<BranchParameters> Model::Impl::known(uint32_t f, const Sums &s,
                                            const FunctionCounts &c) const {
  const Function &function = *graph.functions[f];
  std::span<const uint64_t> words = s.recorders;
  if (needsRecorders)
    words = words.subspan(function.firstRecorder - maps[graph.imageOf[f]].counterCount,
                          function.recorderWords);
  return branchParametersOf(function, c, words, options, fractions.of(f));
}

/// Without edges when it never ran. `scale`: of costs.
Result<ExecutionCounts> Model::Impl::executedOf(uint32_t f, const Sums &s, double scale) const {
  const Function &function = *graph.functions[f];
  const auto first = s.counters.begin() + function.firstCounter;
  ExecutionCounts e;
  if (!ran(f, s))
    return e;
  const FunctionCounts c = counts(f, s);
  e.entries = c.frames.entered + c.frames.inherited;
  if (e.entries <= 0)
    return e;
  for (const Count &n : c.edges)
    e.edges.push_back(n.value);
  for (const Count &n : c.blocks)
    e.blocks.push_back(n.value);
  e.costs = costs[f];
  for (const CounterCost &m : prices.counters(function)) // a block's share of what all of it met
    if (const double n = e.blocks[m.block]; n > 0)
      e.costs[m.block] += static_cast<double>(*(first + m.counter)) / n * m.price;
  for (Cumulants &k : e.costs)
    k = scaled(scale, k);
  Result<BranchParameters> k = known(f, s, c);
  if (!k)
    return k.error();
  for (const ModelledBranch &b : k->branches) {
    e.branches.resize(function.branches.size());
    e.branches[b.branch] = b.rate;
  }
  e.loops = std::move(k->loops);
  return e;
}

/// After prepare(). `run`: of which, or PointerCalls::allRuns.
Result<std::vector<ExecutionCounts>> Model::Impl::executedAll(const std::vector<Sums> &s,
                                                              double scale, size_t run) const {
  std::vector<ExecutionCounts> all;
  for (uint32_t f = 0; f < graph.functions.size(); ++f) {
    Result<ExecutionCounts> e = executedOf(f, s[graph.imageOf[f]], scale);
    if (!e)
      return e.error();
    all.push_back(std::move(*e));
  }
  if (pointers)
    pointers->share(all, run);
  return all;
}

/// What the functions of a component cost, and what is known against that.
void Model::Impl::settle(size_t component, Composition &c, Independence &independence) {
  for (const uint32_t f : graph.components[component]) {
    Composed &composed = c.functions[f];
    if (!parts[f].empty())
      composed.inclusive = mixed(parts[f]);
    if (!executed[f].edges.empty() && !composed.endless)
      laws[f] = lawOf(composed.inclusive, parts[f]);
  }
  const bool charges = !options.perRun && !options.publishedMethod && options.branch != "observed";
  independence.judge(component, c, laws, {options.perRun, charges});
}

Result<ComposedAlone> Model::Impl::composeAlone(const Alone &run) const {
  std::vector<Sums> own = zeros.take([&] { return empty(); });
  addCounts(run.images, own);
  const Result<std::vector<ExecutionCounts>> e = executedAll(own, run.scale, run.row);
  clear(run.images, own);
  zeros.giveBack(std::move(own));
  if (!e)
    return e.error();
  const Result<Composition> c = compose(graph, regions, *e, {options.branch == "observed", false});
  if (!c)
    return c.error();
  ComposedAlone all{prices.run(runOf(*c, 1), run.use), {}};
  for (uint32_t f = 0; f < e->size(); ++f)
    if (!(*e)[f].edges.empty() && !c->functions[f].endless && c->functions[f].outer > 0)
      all.functions.push_back(
          {f,
           {c->functions[f].inclusive, run.weight * std::max(0.0, c->functions[f].outer), false}});
  return all;
}

/// All that wait.
Status Model::Impl::mixIn() {
  std::vector<Result<ComposedAlone>> all(waiting.size(), Error{});
  forEachParallel(waiting.size(), [&](size_t r) { all[r] = composeAlone(waiting[r]); });
  for (size_t r = 0; r < all.size(); ++r) {
    if (!all[r])
      return all[r].error();
    for (const auto &[f, part] : all[r]->functions)
      parts[f].push_back(part);
    out.perRun.push_back({all[r]->program, waiting[r].weight, false});
  }
  waiting.clear();
  return Done{};
}

void Model::Impl::finishFunction(uint32_t f, const Independence &independence) {
  const double runs = static_cast<double>(out.runs);
  ModelledFunction m;
  m.number = f;
  m.calls = executed[f].entries / runs;
  m.roots = composition.roots[f] / runs;
  m.cost = composition.functions[f];
  out.composedMean += m.roots * m.cost.charged.k1;
  for (size_t b = 0; b < costs[f].size(); ++b)
    out.observedMean += executed[f].blocks[b] * executed[f].costs[b].k1 / runs;
  std::tie(m.law, m.family) = laws[f];
  m.verdict = independence.of(f);
  out.functions.push_back(std::move(m));
}

void Model::Impl::finishProgram() {
  const auto runs = static_cast<double>(out.runs);
  if (out.perRun.empty())
    out.program =
        prices.run(runOf(composition, runs), {use.pageFaults / runs, use.branchMisses / runs, 0});
  else
    out.program = mixed(out.perRun);
  out.programLaw = lawOf(out.program, out.perRun).first;
}

Model::Model(const std::vector<Map> &maps, const Machine &machine, const ModelOptions &options,
             const CountMatrix *counts)
    : impl(std::make_unique<Impl>(maps, machine, options, counts)) {}
Model::~Model() = default;
const CallGraph &Model::graph() const { return impl->graph; }

Result<std::vector<BranchShare>> Model::branchShares(const Run &run) {
  Impl &i = *impl;
  if (Status s = i.addUp(run, i.ofRun); !s)
    return s.error();
  i.prepare(i.ofRun);
  std::vector<BranchShare> shares;
  for (uint32_t f = 0; f < i.graph.functions.size(); ++f)
    if (const Sums &s = i.ofRun[i.graph.imageOf[f]]; i.ran(f, s))
      addBranchShares(f, *i.graph.functions[f], i.counts(f, s), shares);
  i.clear(run.images, i.ofRun);
  return shares;
}

Status Model::add(const Run &run, double weight, const std::vector<BranchShare> *shares) {
  Impl &i = *impl;
  const bool hasRow =
      run.outcome != Outcome::crashed && (run.outcome != Outcome::finished || !run.images.empty());
  i.row += hasRow;
  if (!hasRow || run.images.empty())
    return Done{};
  const bool wantsRuns = i.options.branch == "renewal" || i.options.publishedMethod;
  if (wantsRuns && !i.recordsRuns)
    return Error{"lengths of runs were not recorded; build with "
                 "-fplugin-arg-quincunx-record=counts,calls,runs and run again, or choose "
                 "another --branch"};
  ++i.out.runs;
  const Prices::Use use = Prices::useOf(run.pageFaults, run.branchMisses, run.peakMemory);
  i.use.pageFaults += use.pageFaults;
  i.use.branchMisses += use.branchMisses;
  const Result<RunScales::OfRun> own = i.scales.of(run);
  if (!own)
    return own.error();
  if (Status s = i.dispersions.add(run, own->scale); !s)
    return s;
  i.blockCosts += own->blocks;
  i.scaledCosts += own->scale * own->blocks;
  if (i.options.branch == "empirical") {
    const Result<std::vector<BranchShare>> counted =
        shares != nullptr ? Result(std::vector<BranchShare>{}) : branchShares(run);
    if (!counted)
      return counted.error();
    i.fractions.add(shares != nullptr ? *shares : *counted);
  } else if (i.options.perRun) {
    if (Status s = i.addUp(run, i.ofRun); !s)
      return s;
    i.prepare(i.ofRun);
    i.clear(run.images, i.ofRun);
    i.waiting.push_back({run.images, weight, own->scale, use, i.row - 1});
    if (i.waiting.size() >= togetherAlone)
      if (Status s = i.mixIn(); !s)
        return s;
  }
  return i.addUp(run, i.sums);
}

Result<Modelled> Model::finish(const ObservedCalls *measured) {
  Impl &i = *impl;
  if (i.out.runs == 0)
    return Error{"the corpus has no runs with a record"};
  if (Status s = i.mixIn(); !s)
    return s.error();
  i.prepare(i.sums);
  // The scale of runs that are taken together: functions cost in the mean what they do in reports.
  const double scale = i.blockCosts > 0 ? i.scaledCosts / i.blockCosts : 1;
  Result<std::vector<ExecutionCounts>> executed =
      i.executedAll(i.sums, scale, PointerCalls::allRuns);
  if (!executed)
    return executed.error();
  i.executed = std::move(*executed);
  Independence independence(i.graph, i.executed, i.dispersions, measured);
  Result<Composition> composition =
      compose(i.graph, i.regions, i.executed,
              {i.options.branch == "observed", false,
               [&](size_t c, Composition &all) { i.settle(c, all, independence); }});
  if (!composition)
    return composition.error();
  i.composition = std::move(*composition);
  size_t endless = 0;
  std::vector<const Function *> ran;
  for (uint32_t f = 0; f < i.executed.size(); ++f)
    if (!i.executed[f].edges.empty()) {
      ran.push_back(i.graph.functions[f]);
      i.finishFunction(f, independence);
      endless += i.composition.functions[f].endless;
    }
  if (i.pointers)
    if (Status s = i.pointers->judge(i.out, i.graph, i.regions, i.executed, i.composition); !s)
      return s.error();
  i.finishProgram();
  if (i.withoutMap != 0)
    i.out.notes.push_back({"no-map", "some images have no map in the corpus; their share of the "
                                     "cost is missing"});
  for (Note &n : notesOnAssembly(ran))
    i.out.notes.push_back(std::move(n));
  if (endless != 0)
    i.out.notes.push_back({"endless", std::to_string(endless) +
                                          " functions only ever called themselves: their "
                                          "recursion has no mean"});
  return std::move(i.out);
}

Result<ModelledTree> Model::tree(uint32_t number) const {
  Impl &i = *impl;
  if (i.executed[number].edges.empty())
    return Error{i.graph.functions[number]->name + " never ran"};
  ModelledTree t{number, i.regions[number],
                 {},     i.executed[number],
                 {},     calleesOf(i.graph, i.executed, i.composition, number),
                 {}};
  const std::vector<Cumulants> blocks =
      blocksWithCalls(i.graph, i.executed, i.composition, number, {});
  Result<std::vector<Cumulants>> all =
      evaluate(t.regions, {t.executed.edges, blocks, t.executed.branches, t.executed.loops,
                           i.options.branch == "observed"});
  if (!all)
    return all.error();
  t.costs = std::move(*all);
  const Sums &s = i.sums[i.graph.imageOf[number]];
  Result<BranchParameters> k = i.known(number, s, i.counts(number, s));
  if (!k)
    return k.error();
  t.branches = std::move(k->branches);
  return t;
}

} // namespace quincunx
