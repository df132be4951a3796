// The default estimator: the law of a program's cost is the mixture over the runs of a corpus.
// The idea: price every run with one pass over its counters (PricedMap), divide what functions cost
// among those of the source that their code came from (SourceCosts), keep one number per run and
// function of the source (PerFunctionCosts), and read moments and percentiles off the mixture
// (summarize). In the order of their story: construct, add, finish. Runs that crashed are left out,
// runs that were stopped rank above every finished one. Reference: docs/03-runs-kept-apart.md. It
// never adds branch variance on top of observed counts, and extrapolates to nothing.
#include "quincunx/estimate/Observed.h"

#include "RunCosts.h"
#include "SourcePlaces.h"
#include "UsedRuns.h"
#include "estimate/figures/Notes.h"
#include "quincunx/base/Parallel.h"
#include "quincunx/base/Text.h"
#include "quincunx/estimate/SummaryStatistics.h"
#include "quincunx/profile/DenseCounts.h"
#include "quincunx/profile/Features.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace quincunx {

FunctionFigures placeOf(const Function &f, size_t image, uint32_t scope) {
  FunctionFigures out;
  const Scope &own = f.scopes[scope];
  out.name = scope == 0 ? f.name : own.function;
  if (own.file < f.files.size()) {
    out.file = f.files[own.file].path;
    out.md5 = f.files[own.file].md5;
    out.line = own.line;
  }
  out.image = image;
  return out;
}

struct Observer::Impl {
  const std::vector<Map> &maps;
  Prices prices;
  RunCosts runCosts;
  std::map<Hash, size_t> mapOf;
  std::vector<std::vector<bool>> loaded; ///< per map and run
  PerFunctionCosts functions;
  std::vector<bool> hasRun; ///< per function, also those that no figures are kept of
  const bool fixed;         ///< blocks have constant costs
  uint64_t withoutMap = 0, projected = 0;
  uint64_t withoutFaults = 0, withoutMemory = 0; ///< runs of which they are not known
  double lowSum = 0, highSum = 0, weightSum = 0;
  double costSum = 0, totalOf = 0; ///< of all requests, and their number; 0: not known
  Observed all;

  Impl(const std::vector<Map> &m, const Machine &machine, size_t runs, size_t first, size_t last);
  Status addImage(const ImageCounts &image, size_t run);
  void keepAll(size_t run, const Prices::Use &use, RunFigures &total);
  UsedRuns usedRuns(size_t map) const;
  bool knowsTotals() const { return totalOf > 0 && std::abs(totalOf - weightSum) < 0.5; }
  void takeMean(SummaryStatistics &f, double sum) const;
  void openAbove(SummaryStatistics &f) const;
  Status finishProgram();
  Result<FunctionFigures> figuresOf(size_t number, FunctionFigures place,
                                    const UsedRuns &runs) const;
  Status finishUnattributed();
  Status finishFunctions(size_t first, size_t count, const UsedRuns &runs,
                         const std::function<FunctionFigures(size_t)> &place,
                         std::vector<FunctionFigures> &to) const;
  Status finishMap(size_t map);
  Status finishLibrary();
  void findRebuilds();
  void writeNotes();
};

Observer::Impl::Impl(const std::vector<Map> &m, const Machine &machine, size_t runs, size_t first,
                     size_t last)
    : maps(m), prices(m, machine), runCosts(m, prices, first < last),
      functions(first, std::min(last, runCosts.size()), prices.constant(), runs),
      hasRun(runCosts.size()), fixed(prices.constant()) {
  all.machine = machine.name;
  all.unit = machine.unit;
  all.inputError = machine.fit.medianError;
  all.kernelShare = machine.fit.kernelShare;
  all.startUp = machine.fit.ofRuns ? machine.event("start").k1 : 0;
  all.constant = fixed && !prices.scatters();
  for (const Map &map : maps) {
    mapOf[map.hash] = all.images.size();
    all.images.push_back({map.hash, map.path, 0, false});
  }
  loaded.resize(maps.size());
}

Observer::Observer(const std::vector<Map> &maps, const Machine &machine, size_t expectedRuns,
                   size_t from, size_t to)
    : impl(std::make_unique<Impl>(maps, machine, expectedRuns, from, to)) {}
Observer::Observer(Observer &&) noexcept = default;
Observer::~Observer() = default;

Status Observer::Impl::addImage(const ImageCounts &image, size_t run) {
  const auto found = mapOf.find(image.map);
  if (found == mapOf.end()) {
    ++withoutMap;
    return Done{};
  }
  const size_t m = found->second;
  if (const Status s = checkCounts(image, maps[m]); !s)
    return s;
  loaded[m].resize(run + 1);
  if (loaded[m][run])
    return Error{"lists an image twice"};
  loaded[m][run] = true;
  ++all.images[m].runs;
  return runCosts.add(image, m);
}

/// The costs at hand become those of the run and its functions.
void Observer::Impl::keepAll(size_t run, const Prices::Use &use, RunFigures &total) {
  RunCosts::OfRun atHand = runCosts.take();
  const Prices::OfRun whole = prices.run(atHand.blocks, atHand.weighed, use);
  total.cost = whole.cost;
  total.unattributed = prices.run(Cumulants{}, use).k1;
  total.counts = {whole.cost.k1 - whole.scale * atHand.below,
                  whole.cost.k1 + whole.scale * atHand.above};
  for (auto &[function, cost] : atHand.functions) {
    cost.k = scaled(whole.scale, cost.k);
    cost.low *= whole.scale, cost.high *= whole.scale;
    projected += cost.projected;
    hasRun[function] = true;
    functions.add(function, run, cost, total.weight);
  }
}

Status Observer::add(const Run &run, double weight) {
  Observed &all = impl->all;
  if (run.outcome == Outcome::crashed) {
    ++all.crashed;
    return Done{};
  }
  // A run that was stopped may have been killed before it could write: it still ranks above the
  // others.
  if (run.outcome == Outcome::finished && run.images.empty()) {
    ++all.unrecorded;
    return Done{};
  }
  ++(run.outcome == Outcome::finished ? all.finished : all.censored);
  RunFigures total{run.identity, run.label, run.outcome, {}, {}, weight, run.wall, 0, run.features};
  for (const ImageCounts &image : run.images)
    if (const Status s = impl->addImage(image, all.runs.size()); !s)
      return Error{"run '" + escape(run.label) + "' (" + escape(image.path) + ") " +
                   s.error().text};
  impl->keepAll(all.runs.size(), Prices::useOf(run.pageFaults, run.branchMisses, run.peakMemory),
                total);
  impl->withoutFaults += !run.pageFaults;
  impl->withoutMemory += !(run.peakMemory > 0);
  impl->lowSum += weight * total.counts.low;
  impl->highSum += weight * total.counts.high;
  impl->weightSum += weight;
  all.runs.push_back(std::move(total));
  impl->functions.endRun(all.runs.size() - 1);
  return Done{};
}

Status Observer::addTotal(const Run &sums, double number) {
  Impl &i = *impl;
  for (const ImageCounts &image : sums.images) {
    const auto found = i.mapOf.find(image.map);
    if (found == i.mapOf.end())
      continue;
    if (const Status s = i.runCosts.add(image, found->second); !s)
      return s;
  }
  const RunCosts::OfRun all = i.runCosts.take();
  i.costSum += all.blocks.k1;
  for (const auto &[function, cost] : all.functions) {
    i.hasRun[function] = true;
    i.functions.addTotal(function, cost);
  }
  i.totalOf += number;
  return Done{};
}

/// All, or those that loaded a map of which there are several.
UsedRuns Observer::Impl::usedRuns(size_t map) const {
  return {all.runs, [&](size_t run) {
            return map == SIZE_MAX || !all.images[map].oneOfMany ||
                   (run < loaded[map].size() && loaded[map][run]);
          }};
}

/// The mean over all requests, in place of that over those that were kept.
void Observer::Impl::takeMean(SummaryStatistics &f, double sum) const {
  if (!knowsTotals())
    return;
  const double shift = sum / totalOf - f.moments.mean;
  f.moments.mean += shift;
  f.meanInterval = ConfidenceIntervals(static_cast<uint64_t>(totalOf)).mean(f.moments);
  if (f.min >= 0 && std::isfinite(f.meanInterval.low))
    f.meanInterval.low = std::max(f.meanInterval.low, 0.0);
  f.meanCounts = {f.meanCounts.low + shift, f.meanCounts.high + shift};
}

Status Observer::Impl::finishProgram() {
  std::vector<MixtureComponent> parts;
  for (const RunFigures &run : all.runs)
    parts.push_back({run.cost, run.weight, isCensored(run.outcome)});
  const Result<SummarizedLaw> program = summarizeRuns(parts);
  if (!program)
    return program.error();
  all.program = program->statistics;
  all.law = program->law;
  for (const RunFigures &run : all.runs)
    all.fromMachine += run.weight / weightSum * run.cost.k2;
  all.fromInputs = std::max(0.0, all.program.moments.variance - all.fromMachine);
  if (lowSum != highSum)
    all.program.meanCounts = {lowSum / weightSum, highSum / weightSum};
  takeMean(all.program, costSum);
  openAbove(all.program);
  return Done{};
}

/// Runs that were stopped would have cost more, nobody knows how much.
void Observer::Impl::openAbove(SummaryStatistics &f) const {
  if (all.censored != 0)
    f.meanInterval.high = f.deviationInterval.high = HUGE_VAL;
}

/// The figures of the `number`-th function, over all maps.
Result<FunctionFigures> Observer::Impl::figuresOf(size_t number, FunctionFigures place,
                                                  const UsedRuns &runs) const {
  const FunctionColumns &k = functions.of(number);
  FunctionFigures out = std::move(place);
  const Result<SummaryStatistics> cost = runs.costs(k, fixed),
                                  calls = runs.statistics(k.columns[1]);
  if (!cost || !calls)
    return cost ? calls.error() : cost.error();
  out.cost = *cost;
  out.calls = *calls;
  if (out.bytesFrom != ByteSource::none) {
    const Result<SummaryStatistics> bytes = runs.statistics(k.columns[2]);
    if (!bytes)
      return bytes.error();
    takeMean(out.bytes.emplace(*bytes), k.bytes);
  }
  const double d = runs.weight();
  double mean = out.cost.moments.mean;
  out.cost.meanCounts = {mean - k.below / d, mean + k.above / d};
  takeMean(out.cost, k.total);
  takeMean(out.calls, k.calls);
  openAbove(out.cost);
  mean = out.cost.moments.mean;
  const double whole = all.program.moments.mean * weightSum;
  out.share = whole > 0 ? mean * d / whole : 0;
  out.spread = prices.spreadOf(out.file, out.line);
  return out;
}

/// What runs cost outside of functions.
Status Observer::Impl::finishUnattributed() {
  Column costs;
  for (size_t i = 0; i < all.runs.size(); ++i)
    if (all.runs[i].unattributed != 0)
      costs.set(i, all.runs[i].unattributed, all.runs.size());
  if (costs.empty())
    return Done{};
  const Result<SummaryStatistics> cost = usedRuns(SIZE_MAX).statistics(costs);
  if (!cost)
    return cost.error();
  all.unattributed.emplace().name = unattributedName;
  all.unattributed->cost = *cost;
  all.unattributed->share = cost->moments.mean / all.program.moments.mean;
  return Done{};
}

/// Of `count` functions from the `first`-th over all maps on, those that ran; each on its own, so
/// all cores work.
Status Observer::Impl::finishFunctions(size_t first, size_t count, const UsedRuns &runs,
                                       const std::function<FunctionFigures(size_t)> &place,
                                       std::vector<FunctionFigures> &to) const {
  std::vector<size_t> ran;
  for (size_t f = 0; f < count; ++f)
    if (functions.has(first + f) && functions.of(first + f).ran())
      ran.push_back(f);
  std::vector<Result<FunctionFigures>> figures(ran.size(), Error{""});
  forEachParallel(ran.size(),
                  [&](size_t i) { figures[i] = figuresOf(first + ran[i], place(ran[i]), runs); });
  for (Result<FunctionFigures> &f : figures) {
    if (!f)
      return f.error();
    to.push_back(std::move(*f));
  }
  return Done{};
}

/// Functions of the source, and their groups.
Status Observer::Impl::finishMap(size_t map) {
  const SourceFunctions &sources = runCosts.sources();
  const size_t first = sources.first(map), firstGroup = sources.firstGroup(map);
  const UsedRuns runs = usedRuns(map);
  const auto placeFrom = [&](size_t from) {
    return [&, from](size_t f) { return placeOf(sources, maps, from + f, hasRun); };
  };
  if (const Status s =
          finishFunctions(first, firstGroup - first, runs, placeFrom(first), all.functions);
      !s)
    return s;
  const Status s = finishFunctions(firstGroup, sources.first(map + 1) - firstGroup, runs,
                                   placeFrom(firstGroup), all.groups);
  std::erase_if(all.groups, [](const FunctionFigures &g) { return !isGroup(g); });
  return s;
}

/// What was called and not counted.
Status Observer::Impl::finishLibrary() {
  const std::vector<std::string> &names = prices.library().names();
  const auto place = [&](size_t i) {
    FunctionFigures out;
    out.name = names[i];
    out.image = SIZE_MAX;
    out.isLibrary = true;
    out.isPriced = prices.isPriced(names[i]);
    out.bytesFrom = prices.library().bytes(i);
    out.written = prices.library().written(i);
    return out;
  };
  return finishFunctions(runCosts.sources().size(), names.size(), usedRuns(SIZE_MAX), place,
                         all.library);
}

/// Two maps of one path that no run loaded together are one program, built twice.
void Observer::Impl::findRebuilds() {
  for (size_t a = 0; a < maps.size(); ++a)
    for (size_t b = 0; b < maps.size(); ++b) {
      if (a == b || maps[a].path != maps[b].path || loaded[a].empty() || loaded[b].empty())
        continue;
      bool together = false;
      for (size_t i = 0; i < std::min(loaded[a].size(), loaded[b].size()); ++i)
        together = together || (loaded[a][i] && loaded[b][i]);
      all.images[a].oneOfMany = all.images[a].oneOfMany || !together;
    }
}

/// Which share of the costs is elsewhere than in what was counted, as far as it has a price.
std::optional<Note> noteOnLibraries(const Observed &o) {
  double share = 0;
  size_t priced = 0, unpriced = 0;
  for (const FunctionFigures &f : o.library) {
    share += f.isPriced ? f.share : 0;
    ++(f.isPriced ? priced : unpriced);
  }
  if (priced == 0)
    return {};
  std::string text = brief(100 * share, 3) + " % of the cost is in calls of " +
                     plural(priced, "function", "functions") +
                     " that nothing was counted of (libraries, or parts that were built without "
                     "the flag)";
  if (unpriced != 0)
    text += "; calls of " + std::to_string(unpriced) + " more have no price of their own";
  return Note{"elsewhere", text};
}

constexpr double normalAt95 = 1.6449; ///< the quantile of a standard normal law

void Observer::Impl::writeNotes() {
  const auto note = [&](const char *kind, std::string text) {
    all.notes.push_back({kind, std::move(text)});
  };
  all.notes = notesOn({all.finished, all.censored, all.crashed, all.unrecorded, withoutMap});
  const Interval counts = all.program.meanCounts;
  if (counts.high - counts.low > 1e-3 * all.program.moments.mean)
    note("lost-frames",
         "some calls never returned, so that counts are intervals: the mean lies between " +
             brief(counts.low) + " and " + brief(counts.high) + "; build again to count exactly");
  for (Note &n : notesOnAssembly({runCosts.withAssembly().begin(), runCosts.withAssembly().end()}))
    all.notes.push_back(std::move(n));
  if (projected != 0)
    note("projected", "moments that no law can have were moved to the nearest possible ones in " +
                          plural(projected, "place", "places"));
  if (std::any_of(all.images.begin(), all.images.end(), [](const auto &i) { return i.oneOfMany; }))
    note("rebuilt",
         "the program was rebuilt between runs: functions are listed per build, each over"
         " the runs of its build");
  if (const std::optional<Note> n = noteOnLibraries(all))
    all.notes.push_back(*n);
  if (prices.programSpread() > 0) {
    const double most = std::exp(normalAt95 * prices.programSpread());
    note("machine", "prices are of a machine and not of this program: all costs may be off by one "
                    "factor, from " +
                        brief(1 / most, 2) + " to " + brief(most, 2) + " (90 %)");
  }
  if (all.kernelShare >= 0.01)
    note("kernel", brief(100 * all.kernelShare, 2) +
                       " % of what functions cost is the kernel's (mostly page faults), shared out "
                       "in proportion to their work: samplers of user mode do not see it");
  const auto unknown = [&](const char *kind, uint64_t some, const std::string &what) {
    note(kind, plural(some, "run does not know its ", "runs do not know their ") + what +
                   ": the cost of such runs is too low (they are from record files, or from an "
                   "older quincunx)");
  };
  if (prices.chargesFaults() && withoutFaults != 0)
    unknown("no-faults", withoutFaults, "page faults, which are priced here");
  if (prices.grows() && withoutMemory != 0)
    unknown("no-memory", withoutMemory, "memory, with which work gets dearer here");
  std::set<double> threads;
  for (const RunFigures &r : all.runs)
    if (const auto asked = r.features.find(threadsFeature); asked != r.features.end())
      threads.insert(asked->second);
  if (threads.size() > 1)
    note("threads", "runs with " + brief(*threads.begin()) + " to " + brief(*threads.rbegin()) +
                        " threads are taken together: quincunx scale tells them apart");
  note("inputs", "intervals hold 90 % and assume inputs drawn as in real use");
}

Result<Observed> Observer::finish() {
  Impl &i = *impl;
  if (i.all.used() == 0)
    return Error{i.all.unrecorded != 0
                     ? "no run left a record: was the program built with the quincunx flag?"
                 : i.all.crashed != 0 ? "every run crashed; none is left to estimate from"
                                      : "the corpus has no runs"};
  i.functions.finish(i.all.runs.size() - 1);
  for (const Status &s : {i.finishProgram(), i.finishUnattributed()})
    if (!s)
      return s.error();
  i.findRebuilds();
  for (size_t m = 0; m < i.maps.size(); ++m)
    if (const Status s = i.finishMap(m); !s)
      return s.error();
  if (const Status s = i.finishLibrary(); !s)
    return s.error();
  i.writeNotes();
  return std::move(i.all);
}

} // namespace quincunx
