// Other sizes of inputs.
// The idea: a run that changes its size keeps its place among the runs of its size, where enough
// runs are near both sizes (NearRuns.h); where they are not, it keeps its deviation from a law of
// growth, which has to predict the larger half of the sizes from the smaller one first. So each run
// stands for itself, nobody's size is left out, and a factor of 1 changes nothing. Intervals are
// those of all of these steps for runs drawn again. Reference: docs/17-what-if.md.
#include "Resize.h"

#include "InputMix.h"
#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace quincunx {

namespace {

/// Share of the runs that no law may carry while the others are answered for.
constexpr double maxOpen = 0.05;
/// The runs that stand for each of many sizes.
constexpr size_t maxNear = 32;
/// Parts that the law of a sample of runs keeps apart, where costs are random.
constexpr size_t drawGroups = 128;
constexpr size_t resizeDraws = 200;

std::vector<Sized> withWeight(std::vector<Sized> all, const std::vector<MixtureComponent> &parts) {
  std::erase_if(all, [&](const Sized &s) { return parts[s.run].weight <= 0; });
  return all;
}

class Resizer {
public:
  Resizer(const std::vector<CountMatrix::Row> &r, const CostSample &b,
          const std::vector<MixtureComponent> &p, const SizeChange &c,
          const std::vector<Statistic> &a, size_t g)
      : rows(r), before(b), parts(p), change(c), asked(a), groups(g),
        sized(withWeight(sizesOf(r, c.feature), p)) {
    std::vector<bool> hasSize(parts.size());
    for (const Sized &s : sized)
      hasSize[s.run] = true;
    for (uint32_t d = 0; d < parts.size() && change.isFactor; ++d)
      if (!hasSize[d] && parts[d].weight > 0)
        others.push_back(d);
  }
  Result<Resized> run();

private:
  /// How a run gets to its new size: by its place from window to window, or by the law.
  struct Way {
    bool stays = false;
    std::optional<NearRuns::Window> from, to;
    bool byLaw() const { return !stays && (!from || !to); }
  };

  Result<Resized> one();
  void findWays();
  Status extrapolate();
  Result<SizePrediction> predict();
  std::string advice() const;
  double doubt(const Statistic &a, double value) const;
  MixtureComponent moved(size_t i, double byLaw, std::span<const uint32_t> times = {}) const;
  void take(const std::vector<uint32_t> &drawn, const std::vector<double> &byLaw);
  void estimate();

  const std::vector<CountMatrix::Row> &rows;
  const CostSample &before;
  const std::vector<MixtureComponent> &parts;
  const SizeChange &change;
  const std::vector<Statistic> &asked;
  const size_t groups;
  const std::vector<Sized> sized;
  std::vector<uint32_t> others; ///< runs without a size, which stay as they are
  const NearRuns near{sized, parts};
  std::vector<Way> ways;                                   ///< parallel to `sized`, as is `targets`
  std::vector<double> targets;                             ///< of those that go by the law
  std::vector<std::vector<double>> drawnAfter, drawnMoved; ///< per figure
  std::mt19937_64 random{3};
  Resized out;
};

/// All runs have one size, and runs that have it, or nearly, stand for it.
Result<Resized> Resizer::one() {
  const NearRuns::Window w = *near.around(change.value, SIZE_MAX);
  std::vector<uint32_t> run;
  for (size_t j = w.first; j < w.last; ++j)
    run.push_back(sized[j].run);
  Result<CostSample> world = CostSample::make(near.at(w), std::move(run), groups);
  if (!world)
    return world.error();
  out.world = std::move(*world);
  estimate();
  return std::move(out);
}

void Resizer::findWays() {
  double weight = 0;
  for (const Sized &s : sized) {
    const double to = change.isFactor ? change.value * s.size : change.value;
    Way way{to == s.size, {}, {}};
    if (!way.stays && change.isFactor) {
      way.from = near.around(s.size, maxNear);
      way.to = near.around(to, maxNear);
    }
    targets.push_back(way.byLaw() ? to : s.size);
    weight += parts[s.run].weight;
    if (way.byLaw()) {
      SizesBeyond &b = out.beyond;
      b.low = b.share > 0 ? std::min(b.low, to) : to;
      b.high = std::max(b.high, to);
      b.share += parts[s.run].weight;
      b.grow = change.isFactor ? change.value > 1 : to > sized.front().size;
      b.runs.push_back(s.run);
    }
    ways.push_back(way);
  }
  for (const uint32_t d : others)
    weight += parts[d].weight;
  out.beyond.share /= weight;
}

/// By how much the law may be off in a figure.
double Resizer::doubt(const Statistic &a, double value) const {
  if (!out.law)
    return 0;
  const bool isTail = a.kind != Statistic::Kind::mean && !(a.p > 0 && a.p < 0.95);
  return std::isfinite(value) ? value * (isTail ? out.law->p99Doubt : out.law->meanDoubt) : 0;
}

/// Runs that would make the law unnecessary.
std::string Resizer::advice() const {
  const double low = out.beyond.low * (1 - nearSize), high = out.beyond.high * (1 + nearSize);
  const double width = std::log((1 + nearSize) / (1 - nearSize));
  const double n = NearRuns::enough * std::ceil(std::log(high / low) / width - 1e-9);
  return brief(n) + " runs of " + escape(change.feature) + " from " + brief(low, 3) + " to " +
         brief(high, 3) + (n > NearRuns::enough ? ", spread evenly over its logarithm," : "") +
         " would do";
}

/// By the size alone; where that fails, beside another feature, which each run keeps.
Result<SizePrediction> Resizer::predict() {
  std::vector<double> n, y;
  std::set<std::string> names;
  for (const Sized &s : sized) {
    if (parts[s.run].open)
      return Error{"there is no size law for runs that were stopped: what they cost is not known"};
    n.push_back(s.size);
    y.push_back(parts[s.run].k.k1);
    for (const auto &[name, value] : rows[s.run].features)
      names.insert(name);
  }
  const TakePrediction takes = [&](const auto &drawn, const auto &costs) { take(drawn, costs); };
  const TakePrediction each = asked.empty() ? TakePrediction() : takes;
  Result<SizePrediction> best = predictAtSizes(n, y, targets, each);
  if (best)
    return best;
  names.erase(change.feature);
  const Error alone = best.error();
  for (const std::string &name : names) {
    std::vector<double> other;
    for (const Sized &s : sized)
      if (const auto at = rows[s.run].features.find(name); at != rows[s.run].features.end())
        other.push_back(at->second);
    if (other.size() < n.size() ||
        std::equal(other.begin() + 1, other.end(), other.begin())) // always the same
      continue;
    Result<SizePrediction> p = predictAtSizes(n, y, targets, {}, other);
    if (p && (!best || p->law.error < best->law.error)) {
      best = std::move(p);
      out.second = name;
    }
  }
  if (!best)
    return alone;
  std::vector<double> other;
  for (const Sized &s : sized)
    other.push_back(rows[s.run].features.at(out.second));
  return predictAtSizes(n, y, targets, each, other);
}

/// Fills targets that the law carries, or leaves them open.
Status Resizer::extrapolate() {
  Result<SizePrediction> law = predict();
  if (law) {
    out.law = std::move(*law);
    return Done{};
  }
  const std::string why = signedPercent(out.beyond.share).substr(1) +
                          " of the sizes asked for have fewer than " +
                          std::to_string(NearRuns::enough) + " runs within 15 %, and " +
                          law.error().text + "; " + advice();
  if (asked.empty() || !change.isFactor || change.value < 1 || out.beyond.share > maxOpen)
    return Error{why};
  out.open = why;
  return Done{};
}

MixtureComponent Resizer::moved(size_t i, double byLaw, std::span<const uint32_t> times) const {
  MixtureComponent own = parts[sized[i].run];
  if (ways[i].stays)
    return own;
  if (!ways[i].byLaw())
    return near.carried(i, *ways[i].from, *ways[i].to, times);
  own.open = !out.open.empty();
  return own.open ? own : grown(own, byLaw);
}

/// Another sample of the runs, and what its law says.
void Resizer::take(const std::vector<uint32_t> &drawn, const std::vector<double> &byLaw) {
  std::vector<uint32_t> times(sized.size());
  for (const uint32_t i : drawn)
    ++times[i];
  std::vector<MixtureComponent> was, is;
  for (size_t i = 0; i < drawn.size(); ++i) {
    was.push_back(before.parts[sized[drawn[i]].run]);
    is.push_back(moved(drawn[i], byLaw[i], times));
  }
  for (size_t i = 0; i < others.size(); ++i) {
    const uint32_t d = others[random() % others.size()];
    was.push_back(before.parts[d]);
    is.push_back(parts[d]);
  }
  const Result<CostSample> one = CostSample::make(std::move(was), {}, drawGroups);
  const Result<CostSample> other = CostSample::make(std::move(is), {}, drawGroups);
  for (size_t f = 0; f < asked.size() && one && other; ++f) {
    drawnAfter[f].push_back(valueOf(*other, asked[f]));
    drawnMoved[f].push_back(drawnAfter[f].back() - valueOf(*one, asked[f]));
  }
}

/// Figures of a world whose runs are known.
void Resizer::estimate() {
  for (const Statistic &a : asked)
    out.after.push_back(figureOf(out.world, a));
  out.difference = differences(before, out.world, asked, rows.size());
}

Result<Resized> Resizer::run() {
  out.without = others.size();
  if (!(change.value > 0))
    return Error{"a size is positive"};
  if (sized.empty())
    return Error{"no run that counts has a positive " + escape(change.feature)};
  if (!change.isFactor && near.around(change.value, SIZE_MAX))
    return one();
  findWays();
  drawnAfter.resize(asked.size());
  drawnMoved.resize(asked.size());
  if (out.beyond.share > 0)
    if (Status s = extrapolate(); !s)
      return s.error();
  std::vector<MixtureComponent> to = parts;
  for (size_t d = 0; d < to.size() && !change.isFactor; ++d)
    to[d].weight = 0; // but for runs that get the size
  for (size_t i = 0; i < sized.size(); ++i)
    to[sized[i].run] = moved(i, out.law ? out.law->costs[i] : 0);
  Result<CostSample> world = CostSample::make(std::move(to), {}, groups);
  if (!world)
    return world.error();
  out.world = std::move(*world);
  estimate();
  const bool same = std::all_of(ways.begin(), ways.end(), [](const Way &w) { return w.stays; });
  if (asked.empty() || same)
    return std::move(out);
  std::vector<uint32_t> drawn(sized.size());
  for (size_t i = 0; i < resizeDraws && !out.law; ++i) {
    for (uint32_t &d : drawn)
      d = static_cast<uint32_t>(random() % sized.size());
    take(drawn, std::vector<double>(drawn.size()));
  }
  for (size_t f = 0; f < asked.size(); ++f) {
    const auto runs = static_cast<double>(out.world.runs);
    IntervalEstimate &after = out.after[f], &difference = out.difference[f];
    const Interval again = bootstrapInterval(std::move(drawnAfter[f]), after, asked[f], runs);
    const bool ranked = asked[f].kind == Statistic::Kind::percentile;
    after.trust = ranked ? hull(after.trust, again) : again;
    difference.trust = bootstrapInterval(std::move(drawnMoved[f]), difference, asked[f], runs);
    const double off = doubt(asked[f], after.value);
    for (Interval *i : {&after.trust, &difference.trust})
      *i = {i->low - off, i->high + off};
  }
  if (!out.open.empty()) {
    openBeyond(out, asked);
    for (size_t f = 0; f < asked.size(); ++f)
      out.after[f].atLeast = out.difference[f].atLeast =
          asked[f].kind != Statistic::Kind::percentile || out.after[f].atLeast;
  }
  return std::move(out);
}

} // namespace

std::vector<Sized> sizesOf(const std::vector<CountMatrix::Row> &rows, const std::string &feature) {
  std::vector<Sized> all;
  for (uint32_t d = 0; d < rows.size(); ++d)
    if (const auto at = rows[d].features.find(feature);
        at != rows[d].features.end() && at->second > 0)
      all.push_back({at->second, d});
  std::sort(all.begin(), all.end(), [](const Sized &a, const Sized &b) {
    return a.size != b.size ? a.size < b.size : a.run < b.run;
  });
  return all;
}

std::string sizesIn(const std::vector<CountMatrix::Row> &rows, const std::string &feature) {
  const std::vector<Sized> all = sizesOf(rows, feature);
  if (all.empty())
    return "no run has it";
  return plural(all.size(), "run has ", "runs have ") + escape(feature) + " from " +
         brief(all.front().size) + " to " + brief(all.back().size);
}

void openBeyond(Resized &r, const std::vector<Statistic> &asked) {
  std::vector<MixtureComponent> least = r.world.parts, most = r.world.parts;
  for (const uint32_t run : r.beyond.runs) { // one part per run
    least[run].k = {}, least[run].open = false;
    most[run].open = true;
  }
  const Result<CostSample> low = CostSample::make(std::move(least), r.world.run);
  const Result<CostSample> high = CostSample::make(std::move(most), r.world.run);
  for (size_t f = 0; f < r.after.size() && low && high; ++f) {
    IntervalEstimate &after = r.after[f], &difference = r.difference[f];
    const Interval wide{figureOf(*low, asked[f]).trust.low,
                        asked[f].kind == Statistic::Kind::percentile
                            ? figureOf(*high, asked[f]).trust.high
                            : HUGE_VAL};
    difference.trust.low -= std::max(0.0, after.trust.low - wide.low);
    difference.trust.high += std::max(0.0, wide.high - after.trust.high);
    after.trust = hull(after.trust, wide);
  }
}

std::vector<Note> notesOn(const Resized &r, const std::string &feature) {
  std::vector<Note> notes;
  const std::string name = escape(feature);
  if (r.law)
    notes.push_back(
        {"size-law",
         signedPercent(r.beyond.share).substr(1) + " of the sizes asked for, from " +
             brief(r.beyond.low, 3) + " to " + brief(r.beyond.high, 3) +
             ", have too few runs near them; the cost of these is taken to grow as " +
             r.law->law.text(name, escape(r.second)) +
             (r.second.empty() ? ""
                               : ", where " + escape(r.second) + " of each run stays as it is") +
             "; from the smaller half of the sizes the larger half is predicted with an error of " +
             signedPercent(r.law->meanCheck) + " in the mean and " +
             signedPercent(r.law->p99Check) +
             " in p99, and the standard deviation is the least sure of the figures"});
  if (!r.open.empty())
    notes.push_back({"size-open", r.open + "; what they cost is open, so that mean, deviation and "
                                           "the percentiles above them are lower bounds"});
  if (r.without > 0)
    notes.push_back({"without-size", plural(r.without, "run has no ", "runs have no ") + name +
                                         " above 0; what these cost is left as it is"});
  return notes;
}

Result<Resized> resize(const std::vector<CountMatrix::Row> &rows, const CostSample &before,
                       const std::vector<MixtureComponent> &parts, const SizeChange &change,
                       const std::vector<Statistic> &asked, size_t groups) {
  return Resizer(rows, before, parts, change, asked, groups).run();
}

} // namespace quincunx
