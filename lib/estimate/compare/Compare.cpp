// Two builds compared.
// The idea: an input is the same for both, so whatever its runs differ by is the builds or noise,
// and noise is known by repetitions (RepetitionNoise). One calibration prices both: blocks that are
// the same have the same price, and what the calibration knows of an input beyond its blocks
// (BlockCosts::scale) is the same for its runs in both builds, so that a function that did nothing
// else costs the same to the last digit. The verdict is that of the mean; percentiles stand beside
// it, with intervals by the bootstrap over inputs.
#include "quincunx/estimate/Compare.h"

#include "CarriedFit.h"
#include "FunctionChanges.h"
#include "MeasuredTimes.h"
#include "PriceErrors.h"
#include "estimate/scaling/PairedBootstrap.h"
#include "quincunx/estimate/Provenance.h"
#include "quincunx/numeric/Special.h"
#include "quincunx/profile/Timing.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

constexpr size_t groupsOfLaw = 512;

/// Gives all runs of an input the scale that they have in the build that prices were fitted to, in
/// the mean.
void shareScales(PricedBuild &fitted, PricedBuild &other, std::span<const RunPair> pairs,
                 bool isFittedAfter) {
  if (!fitted.costs().isScaled())
    return;
  std::vector<double> own(fitted.matrix().rows.size(), 1.0), its(other.matrix().rows.size(), 1.0);
  for (const RunPair &p : pairs) {
    const auto &rows = isFittedAfter ? p.after : p.before;
    double scale = 0;
    for (const size_t d : rows)
      scale += fitted.scales()[d] / static_cast<double>(rows.size());
    for (const size_t d : rows)
      own[d] = scale;
    for (const size_t d : isFittedAfter ? p.before : p.after)
      its[d] = scale;
  }
  fitted.setScales(std::move(own));
  other.setScales(std::move(its));
}

Result<CostSample> sampleOf(const PricedBuild &build, std::span<const RunPair> pairs,
                            std::vector<size_t> RunPair::*which) {
  const std::vector<Cumulants> costs = build.runs();
  std::vector<MixtureComponent> parts;
  std::vector<uint32_t> of;
  for (uint32_t p = 0; p < pairs.size(); ++p)
    for (const size_t d : pairs[p].*which) {
      MixtureComponent part;
      part.k = costs[d];
      part.weight = 1 / static_cast<double>((pairs[p].*which).size());
      parts.push_back(part);
      of.push_back(p);
    }
  return CostSample::make(std::move(parts), std::move(of), groupsOfLaw);
}

Result<std::vector<FigureChange>> figuresOf(const BuildPair &builds) {
  const Result<CostSample> before = sampleOf(builds.before, builds.pairs, &RunPair::before),
                           after = sampleOf(builds.after, builds.pairs, &RunPair::after);
  for (const auto *sample : {&before, &after})
    if (!*sample)
      return sample->error();
  std::vector<Statistic> asked = statisticsAsked({0.5, 0.9, 0.99});
  std::erase_if(asked, [](const Statistic &s) { return s.kind == Statistic::Kind::deviation; });
  const std::vector<IntervalEstimate> changes =
      relativeChanges(*before, *after, asked, builds.pairs.size());
  std::vector<FigureChange> out;
  for (size_t f = 0; f < asked.size(); ++f) {
    const IntervalEstimate was = figureOf(*before, asked[f]), is = figureOf(*after, asked[f]);
    out.push_back({asked[f].name, was.atLeast || is.atLeast, {was.value, is.value, changes[f]}});
  }
  return out;
}

/// Widens an interval by an error of the figure, relative.
void widen(IntervalEstimate &change, double half) {
  change.trust.low = change.value - std::hypot(change.value - change.trust.low, half);
  change.trust.high = change.value + std::hypot(change.trust.high - change.value, half);
}

/// Prices do not tell whether the mean went up or down.
bool isUnsure(const Comparison &c) {
  const Interval &i = c.mean().of.change.trust;
  return c.priceDeviation > 0 && i.low < -leastChange && i.high > leastChange;
}

/// Whether the mean went up or down, or what is known of it.
ChangeVerdict verdictOf(const Comparison &c, double probability) {
  const double change = c.mean().of.change.value;
  if (isUnsure(c))
    return ChangeVerdict::unknown;
  if (probability <= comparisonLevel)
    return std::abs(change) < leastChange ? ChangeVerdict::same
           : change > 0                   ? ChangeVerdict::slower
                                          : ChangeVerdict::faster;
  const bool mayHide =
      c.repetition == Repeats::unknown ? c.functions.size() + c.doubtful > 0 : !c.functions.empty();
  return mayHide && c.repetition != Repeats::exact ? ChangeVerdict::unknown : ChangeVerdict::same;
}

/// What two timings say by themselves: they were made at different times.
ChangeVerdict verdictOfClock(const MeasuredChange &m) {
  return m.time.change.trust.low > betweenSessions     ? ChangeVerdict::slower
         : m.time.change.trust.high < -betweenSessions ? ChangeVerdict::faster
                                                       : ChangeVerdict::unknown;
}

/// Inputs that went the other way than the mean.
std::vector<InputChange> inputsAgainst(const BuildPair &builds, const RepetitionNoise &noise,
                                       const CostSeries &all, const PairedCosts &program) {
  const double mean = program.difference(), relative = noise.relativeDeviation(all);
  std::vector<double> probabilities;
  for (size_t p = 0; p < builds.pairs.size(); ++p)
    probabilities.push_back(noise.probability(program, p, relative));
  probabilities = adjusted(probabilities);
  std::vector<InputChange> out;
  for (size_t p = 0; p < builds.pairs.size(); ++p) {
    const double was = program.before[p], is = program.after[p];
    if (probabilities[p] <= comparisonLevel && (is - was) * mean < 0 &&
        std::abs(is - was) >= leastChange * was)
      out.push_back({builds.pairs[p].label, {was, is, {is / was - 1, false, {}}}});
  }
  std::ranges::stable_sort(out, std::greater<>(),
                           [](const InputChange &i) { return std::abs(i.cost.change.value); });
  return out;
}

std::vector<InputChange> allInputs(const BuildPair &builds, const PairedCosts &program) {
  std::vector<InputChange> out;
  for (size_t p = 0; p < builds.pairs.size(); ++p) {
    const double was = program.before[p], is = program.after[p];
    out.push_back({builds.pairs[p].label, {was, is, {is / was - 1, false, {}}}});
  }
  return out;
}

std::string countOf(size_t n, const std::string &what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

void noteUnpaired(const PairedRuns &runs, std::vector<Note> &notes) {
  const auto say = [&](const std::vector<std::string> &labels, const std::string &what) {
    if (!labels.empty())
      notes.push_back({"unpaired", countOf(labels.size(), "input") + " left out, " + what + ": " +
                                       firstFew(labels)});
  };
  say(runs.onlyBefore, "run before only");
  say(runs.onlyAfter, "run after only");
  say(runs.others, "of another size after than before");
  say(runs.stopped, "without a finished run in one build");
}

void addNotes(Comparison &c) {
  noteUnpaired(c.runs, c.notes);
  if (c.repetition == Repeats::unknown && c.functions.size() + c.doubtful > 0)
    c.notes.push_back(
        {"repetitions",
         "no input was run twice, so whether counts repeat is not known, and a difference counts "
         "if it goes through the inputs (paired t test); quincunx run --resume --repeat 2 adds "
         "runs"});
  if (c.priceDeviation > 0)
    c.notes.push_back(
        {"prices",
         std::string("prices are those of one build, so that intervals hold what new code may cost "
                     "and what compilers make of it; compare --unit counts is exact") +
             (c.measured ? "" : ", and a clock decides (quincunx run --timed with both)")});
  if (c.doubtful > 0)
    c.notes.push_back({"doubtful", countOf(c.doubtful, "more function") +
                                       (c.doubtful == 1 ? " differs" : " differ") +
                                       " by no more than may be noise"});
  c.notes.push_back({"level", "functions are called changed at a level of 0.1 % for all " +
                                  std::to_string(c.functionsCompared) +
                                  " together (Holm); intervals hold 90 %, by a bootstrap over "
                                  "inputs"});
}

/// What is found of two builds that are priced.
Result<Comparison> found(const BuildPair &builds, PairedRuns described, const Corpus &before,
                         const Corpus &after, const Machine &machine) {
  Comparison out;
  out.machine = machine.name;
  out.unit = machine.unit;
  out.runs = std::move(described);
  const std::vector<MatchedCosts> all = matchedCosts(builds);
  std::vector<CostSeries> counted;
  for (const MatchedCosts &one : all)
    if (one.isFunction())
      counted.push_back(one.costs);
  const RepetitionNoise noise(builds.pairs, counted);
  const CostSeries whole = costsOfProgram(builds, all);
  const PairedCosts program = pairedCosts(whole, builds.pairs);
  out.inputs = allInputs(builds, program);
  out.residual = machine.fit.residual;
  Result<std::vector<FigureChange>> figures = figuresOf(builds);
  if (!figures)
    return figures.error();
  out.figures = std::move(*figures);
  FunctionChanges changes = functionChanges(builds, all, noise, program);
  out.functions = std::move(changes.found);
  out.doubtful = changes.doubtful;
  out.mostDoubtful = std::move(changes.mostDoubtful);
  out.functionsCompared = all.size();
  out.repetition = noise.kind();
  if (program.meanBefore() > 0)
    out.noise = noise.deviation(whole) / program.meanBefore();
  if (!machine.fit.functions.empty() && program.meanBefore() > 0) {
    out.priceDeviation = priceDeviation(builds, all) / program.meanBefore();
    for (FigureChange &f : out.figures)
      widen(f.of.change, normalQuantile((1 + confidenceLevel) / 2) * out.priceDeviation);
  }
  out.verdict = verdictOf(out, noise.probability(whole, program));
  const auto measured = measuredChange(before, after, builds.pairs, program);
  if (!measured)
    return measured.error();
  out.measured = *measured;
  if (out.measured && isUnsure(out))
    out.verdict = verdictOfClock(*out.measured);
  // By the clock is known of the mean alone.
  if (out.verdict != ChangeVerdict::unknown && !isUnsure(out))
    out.against = inputsAgainst(builds, noise, whole, program);
  addNotes(out);
  return out;
}

} // namespace

Result<Comparison> compare(const RunSource &before, const RunSource &after, const Machine &machine,
                           bool fittedToAfter, const ShortName &shortName) {
  Result<CountMatrix> first = readCounts(before), second = readCounts(after);
  for (const auto *counts : {&first, &second})
    if (!*counts)
      return counts->error();
  Result<RunPairs> runs = pairRuns(before, *first, after, *second);
  if (!runs)
    return runs.error();
  const std::vector<Map> &ownMaps = fittedToAfter ? after.maps : before.maps,
                         &otherMaps = fittedToAfter ? before.maps : after.maps;
  PricedBuild fitted(std::move(fittedToAfter ? *second : *first), ownMaps, machine);
  PricedBuild other(std::move(fittedToAfter ? *first : *second), otherMaps,
                    carriedFit(machine, fitted, otherMaps));
  shareScales(fitted, other, runs->pairs, fittedToAfter);
  return found(
      {fittedToAfter ? other : fitted, fittedToAfter ? fitted : other, runs->pairs, shortName},
      std::move(runs->described), before.corpus, after.corpus, machine);
}

Result<Machine> carriedTo(const std::vector<Map> &maps, const Machine &machine,
                          const RunSource &fitted) {
  Result<CountMatrix> counts = readCounts(fitted);
  if (!counts)
    return counts.error();
  return carriedFit(machine, PricedBuild(std::move(*counts), fitted.maps, machine), maps);
}

} // namespace quincunx
