// Fits prices to timed runs and judges them.
// The idea: prices come from a fit to all timed runs (TimeFit). How good they are is told by fits
// that leave a tenth of the runs out, and predict it. Those errors are the residual law, and their
// quantiles the intervals. Reference: docs/13-machines.md.
#include "quincunx/estimate/Calibrate.h"

#include "MissRates.h"
#include "Plausible.h"
#include "TimeFit.h"
#include "estimate/figures/Notes.h"
#include "estimate/price/Prices.h"
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/numeric/Quantile.h"
#include "quincunx/profile/Features.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace quincunx {

namespace {

constexpr size_t minRuns = 5, wellCovered = 40, folds = 10;
constexpr double farOff = 4;      ///< deviations
constexpr double farBeyond = 1.2; ///< what is timed, before it is worth a note
/// Of the memory of a run, that its blocks may cost; and how far from 0 they are expected.
constexpr std::array<double, 10> exponents{0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7};
constexpr double expectedGrowth = 0.2;

/// Between which of so many values another one lies with 90 %, whatever their law: those of rank
/// 0.05 (n + 1) and 0.95 (n + 1), or the outermost ones.
Interval covering(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double below = 0.05 * static_cast<double>(values.size() + 1);
  const auto rank = static_cast<size_t>(std::max(1.0, std::floor(below)));
  return {values[rank - 1], values[values.size() - rank]};
}

/// By a line of a .machine file.
bool canBeSaid(const std::string &name) { return name.find_first_of(" \t#") == std::string::npos; }

/// Of the times relative to what was predicted. What is far off, as single inputs may be, counts as
/// four deviations: the law is for all inputs.
Moments residualOf(const std::vector<JudgedRun> &judged) {
  std::vector<double> off, size;
  for (const JudgedRun &r : judged)
    off.push_back(r.time / r.predicted - 1);
  const double middle = quantile(off, 0.5);
  for (const double e : off)
    size.push_back(std::abs(e - middle));
  const double most = farOff * quantile(size, 0.5) / 0.6745; // the quartile of a normal law
  for (double &e : off)
    e = std::clamp(e, middle - most, middle + most);
  Moments m = momentsOf(off);
  m.mean = 0;
  return m;
}

/// What each run does once: its times tell that from the start of its process by chance alone, and
/// what samples say that its work takes is more than its weights say by that, in the mean. ns; at
/// most `start`, of which it is a part.
double onceOf(double start, std::span<const double> work, std::span<const double> weighed) {
  double more = 0;
  for (size_t d = 0; d < work.size(); ++d)
    more += (work[d] - weighed[d]) / static_cast<double>(work.size());
  return std::clamp(more, 0.0, start);
}

/// Of what weights say that the work of runs takes, the share that samples in user mode do not
/// hear: no more than all that these runs spent in the kernel, ns.
double kernelShareOf(std::span<const double> work, std::span<const double> weighed,
                     double inKernel) {
  const double all = std::accumulate(weighed.begin(), weighed.end(), 0.0);
  const double unheard = all - std::accumulate(work.begin(), work.end(), 0.0);
  return all > 0 ? std::clamp(unheard, 0.0, std::clamp(inKernel, 0.0, all)) / all : 0;
}

/// No event makes a run shorter: one that seems to stands for something else. True when
/// there was one.
bool forgetWorst(TimeFeatures &features, const Coefficients &c) {
  std::optional<Event> worst;
  for (size_t e = 0; e < eventCount; ++e) {
    const auto event = static_cast<Event>(e);
    const double price = features.price(event, c);
    if (price < 0 && (!worst || price < features.price(*worst, c)))
      worst = event;
  }
  if (worst)
    features.forget(*worst);
  return worst.has_value();
}

/// What the blocks of a function cost by themselves, with the misses that are carried to it.
ProgramFit::Function byItself(const CountMatrix::Columns &c, const std::vector<Map> &maps,
                              const Prices &alone, const MissRates &carried) {
  const Map &map = maps[c.map];
  ProgramFit::Function out{map.functions[c.function].name, ordinalOf(map, c.function),
                           alone.weights(c.map, c.function)};
  const std::vector<MissRate> rates = carried.of(map, c.function);
  out.carried.resize(rates.size());
  for (size_t b = 0; b < rates.size(); ++b) {
    for (size_t e = 0; e < eventCount; ++e)
      out.carried[b] += rates[b][e] * alone.event(static_cast<Event>(e)).k1;
    out.weights[b] += out.carried[b];
  }
  if (std::none_of(out.carried.begin(), out.carried.end(), [](double cost) { return cost > 0; }))
    out.carried.clear();
  return out;
}

class Calibrator {
public:
  Calibrator(const CountMatrix &m, const std::vector<Map> &all, const Machine &g,
             std::span<const TimedRun> runs, const Stopwatch &how, const MissRates &rates,
             std::span<const SampledRun> sampled)
      : matrix(m), maps(all), guess(g), timed(runs), stopwatch(how), carried(rates),
        parts(all, sampled) {
    for (const TimedRun &r : runs)
      rows.push_back(r.row), times.push_back(r.time);
  }

  Result<Calibration> run() {
    if (const Status s = check(); !s)
      return s.error();
    TimeFeatures features(matrix, maps, guess, rows, carried, parts);
    for (;;) {
      Result<Grown> best = bestGrowth(features);
      if (!best)
        return best.error();
      if (forgetWorst(features, best->fit.coefficients))
        continue;
      if (const std::vector<size_t> below =
              best->ofRuns().bytesBelowNothing(best->fit.coefficients);
          !below.empty()) {
        features.forgetBytes(below);
        continue;
      }
      out.runs = rows.size();
      if (const Status s = judge(*best); !s)
        return s.error();
      out.machine.fit.memoryExponent = best->exponent;
      out.machine.fit.memoryBase = best->exponent > 0 ? minMemory() : 0;
      price(*best);
      describe(best->fit);
      describeSamples(*best);
      if (const Status s = checkPlausible(out, starts); !s)
        return s.error();
      return std::move(out);
    }
  }

private:
  /// Fits to all runs, and the features they were made with. Times of runs are best told by the
  /// times of others, those of parts by samples: each has its own fit.
  struct Grown {
    double exponent = 0;
    TimeFeatures scaled;   ///< as without samples
    TimeFeatures features; ///< with them
    TimeFit fit;           ///< of runs
    TimeFit parts;         ///< of runs and observed parts
    bool isMoved = false;  ///< `fit` is of the guess as samples move it
    const TimeFeatures &ofRuns() const { return isMoved ? features : scaled; }
  };
  Status check() const;
  double minMemory() const;
  Result<Grown> bestGrowth(const TimeFeatures &features) const;
  Status judge(const Grown &best);
  void price(const Grown &best);
  void priceCalls(const Grown &best, const Prices &usual, size_t first,
                  ProgramFit::Function &own) const;
  double offInOtherInputs() const;
  void priceBodies(const Grown &best);
  void describeSamples(const Grown &best);
  void describe(const TimeFit &fit);

  const CountMatrix &matrix;
  const std::vector<Map> &maps;
  const Machine &guess;
  std::span<const TimedRun> timed;
  Stopwatch stopwatch;
  const MissRates &carried;
  SampledParts parts;
  std::vector<size_t> rows;
  std::vector<double> times;
  std::vector<double> starts; ///< ns, of fits that left a fold out
  /// Of each fold, by a fit that left it out.
  std::map<size_t, std::vector<TimeFeatures::Foretold>> foretold;
  Calibration out;
};

Status Calibrator::check() const {
  if (rows.size() < minRuns)
    return Error{plural(rows.size(), "input that was counted is timed",
                        "inputs that were counted are timed") +
                 "; a calibration needs " + std::to_string(minRuns) +
                 ": time more with quincunx run --timed"};
  const double low = quantile(times, 0.05), high = quantile(times, 0.95);
  if (high / low - 1 < std::max(2 * stopwatch.noise, 0.02))
    return Error{"the times of the inputs differ by less than they repeat (" +
                 brief(100 * (high / low - 1), 2) +
                 " %), so they tell no prices; time inputs of other sizes too"};
  return Done{};
}

/// Of the timed runs; 0 when it is not known of all.
double Calibrator::minMemory() const {
  double least = matrix.rows[rows[0]].peakMemory;
  for (const size_t row : rows)
    least = std::min(least, matrix.rows[row].peakMemory);
  return least;
}

/// The exponent under which the times are most likely, of some, as long as they get more so.
Result<Calibrator::Grown> Calibrator::bestGrowth(const TimeFeatures &features) const {
  const double least = minMemory();
  std::optional<Grown> best;
  double most = 0;
  for (const double exponent : exponents) {
    std::vector<double> factors;
    for (const size_t row : rows)
      factors.push_back(memoryFactor(matrix.rows[row].peakMemory, exponent, least));
    TimeFeatures scaled = features.scaled(factors);
    std::vector<size_t> all(rows.size());
    std::iota(all.begin(), all.end(), size_t{0});
    TimeFeatures sampled = scaled.sampled(all, times);
    Result<TimeFit> fit = TimeFitter(scaled, times, stopwatch).fit(all);
    if (!fit)
      return fit.error();
    const double off = exponent / expectedGrowth, likely = fit->logLikelihood - off * off / 2;
    if (best && likely <= most)
      break;
    most = likely;
    best.emplace(exponent, std::move(scaled), std::move(sampled), std::move(*fit), TimeFit{});
    if (!(least > 0))
      break;
  }
  best->parts = best->fit;
  if (best->features.samples() == 0)
    return std::move(*best);
  std::vector<size_t> all(rows.size());
  std::iota(all.begin(), all.end(), size_t{0});
  Result<TimeFit> withSamples = TimeFitter(best->features, times, stopwatch).fit(all);
  if (!withSamples)
    return withSamples.error();
  best->parts = std::move(*withSamples);
  // Of the guess as it is and as samples move it runs take the one under which times are likelier.
  Result<TimeFit> fit = TimeFitter(best->features.ofRuns(), times, stopwatch).fit(all);
  if (!fit)
    return fit.error();
  if (fit->logLikelihood > best->fit.logLikelihood) {
    best->fit = std::move(*fit);
    best->isMoved = true;
  }
  return std::move(*best);
}

/// Predicts every run from those of the other folds, and their samples. Inputs are dealt to folds
/// in the order of their times, so that each fold has short and long ones; with all numbers of
/// threads that they were run with, as one of these would tell what the others take.
Status Calibrator::judge(const Grown &best) {
  const size_t n = rows.size();
  std::vector<size_t> order(n), foldOf(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return times[a] < times[b]; });
  std::map<std::string, size_t> inputs; // in that order
  for (const size_t i : order)
    foldOf[i] =
        inputs.try_emplace(inputOf(matrix.rows[rows[i]].label), inputs.size()).first->second;
  if (inputs.size() < minRuns) // too few to leave one out
    for (size_t i = 0; i < n; ++i)
      foldOf[order[i]] = i;
  const size_t groups = std::min(folds, inputs.size() < minRuns ? n : inputs.size());
  for (size_t &fold : foldOf)
    fold %= groups;
  out.judged.resize(n);
  for (size_t fold = 0; fold < groups; ++fold) {
    std::vector<size_t> from, left;
    for (size_t i = 0; i < n; ++i) {
      if (foldOf[i] != fold)
        from.push_back(i);
      if (foldOf[i] == fold)
        left.push_back(i);
    }
    const TimeFeatures sampled = best.scaled.sampled(from, times);
    const Result<TimeFit> fit =
        TimeFitter(best.isMoved ? sampled.ofRuns() : best.scaled, times, stopwatch).fit(from);
    if (!fit)
      return fit.error();
    starts.push_back(fit->start);
    const auto [low, high] = covering(fit->leftOut);
    for (const size_t i : left) {
      const double predicted = std::max(fit->predicted[i], stopwatch.resolution);
      // A relative error e of the time: predicted = time x (1 - e).
      out.judged[i] = {
          rows[i],
          times[i],
          predicted,
          {predicted / (1 - std::min(low, 0.9)), predicted / (1 - std::min(high, 0.9))}};
    }
    if (sampled.samples() == 0)
      continue;
    const Result<TimeFit> ofParts = TimeFitter(sampled, times, stopwatch).fit(from);
    if (!ofParts)
      return ofParts.error();
    const std::vector<double> ofRun = sampled.cost(ofParts->coefficients);
    std::vector<double> work, weighed;
    for (const size_t i : from) {
      work.push_back(ofParts->unit * ofRun[i]);
      weighed.push_back(fit->predicted[i] - fit->start);
    }
    const double start = fit->start - onceOf(fit->start, work, weighed);
    std::vector<double> units(n, 0.0); // functions divide what a run is predicted to cost
    for (const size_t i : left)
      units[i] = ofRun[i] > 0 ? (fit->predicted[i] - start) / ofRun[i] : 0;
    for (const auto &[part, f] : sampled.foretell(left, ofParts->coefficients, units, times))
      foretold[part].push_back(f);
  }
  return Done{};
}

/// Gives the calls of a function, of which block `first` is the first that ran, prices of their
/// own: those of their places; calls that were not met in a timed input cost what the machine says.
void Calibrator::priceCalls(const Grown &best, const Prices &usual, size_t first,
                            ProgramFit::Function &own) const {
  const auto &blocks = best.features.blocks();
  for (const Cumulants &cost : usual.ofCalls(best.features.function(blocks[first])))
    own.calls.push_back(cost.k1);
  std::vector<double> &weights = own.weights;
  for (size_t b = first; b < blocks.size() && blocks[b].function == blocks[first].function; ++b) {
    for (const auto &called : blocks[b].called)
      weights[blocks[b].block] -= std::exchange(own.calls[called.call], 0);
    for (const auto &called : blocks[b].called) {
      const double here = best.parts.unit * best.features.price(called, best.parts.coefficients);
      own.calls[called.call] += here;
      weights[blocks[b].block] += here;
    }
  }
  if (std::ranges::all_of(own.calls, [](double cost) { return cost == 0; }))
    own.calls.clear();
}

void Calibrator::price(const Grown &best) {
  const TimeFit &fit = best.fit;
  const TimeFeatures &features = best.features;
  Machine &m = out.machine;
  m.name = "calibrated";
  m.unit = "ns";
  const auto constant = [](double k1) { return Cumulants{k1, 0, 0, 0}; };
  for (size_t c = 0; c < classCount; ++c) {
    const auto kind = static_cast<InstructionClass>(c);
    m.classes.emplace_back(className(kind),
                           constant(fit.unit * features.price(kind, fit.coefficients)));
  }
  for (const auto &[name, price] : features.callees(best.parts.coefficients))
    if (canBeSaid(name))
      m.callees[name] = constant(best.parts.unit * price);
  for (const auto &[name, price] : best.ofRuns().bytes(fit.coefficients))
    if (canBeSaid(name))
      m.bytes[name] = constant(fit.unit * price);
  for (size_t e = 0; e < eventCount; ++e)
    if (const double price = features.price(static_cast<Event>(e), fit.coefficients);
        price > 0 && features.met(static_cast<Event>(e)))
      m.events.emplace_back(eventNames[e], constant(fit.unit * price));
  m.fit.carriesMispredictions = carried.has(Event::mispredict);
  m.fit.residual = residualOf(out.judged);
  m.fit.limit =
      features.observedParts().empty() ? ProgramFit::usualLimit : ProgramFit::sampledLimit;
  const Prices alone(maps, m);
  const auto &blocks = features.blocks();
  const std::vector<double> code = features.codeOfBlocks(best.parts.coefficients);
  std::vector<double> priced(rows.size(), 0.0);
  for (size_t f = 0, b = 0; f < matrix.functions.size(); ++f) {
    ProgramFit::Function own = byItself(matrix.functions[f], maps, alone, carried);
    bool known = !own.carried.empty();
    if (features.samples() > 0 && b < blocks.size() && blocks[b].function == f)
      priceCalls(best, alone, b, own);
    if (!features.observedParts().empty())
      own.prices = own.weights;
    for (; b < blocks.size() && blocks[b].function == f; ++b, known = true) {
      const uint32_t block = blocks[b].block; // other blocks stay as they are
      const double before =
          std::exchange(own.weights[block], fit.unit * best.ofRuns().weight(b, fit.coefficients));
      double price = clampPrice(own.weights[block], before, m.fit.limit);
      if (!own.prices.empty()) {
        double all = code[b];
        for (const auto &called : blocks[b].called)
          all += features.price(called, best.parts.coefficients);
        price = own.prices[block] = clampPrice(best.parts.unit * all, before, m.fit.limit);
      }
      for (size_t d = 0; d < priced.size(); ++d)
        priced[d] += price * blocks[b].counts[d];
    }
    if (known && canBeSaid(own.name))
      m.fit.functions.push_back(std::move(own));
  }
  priceBodies(best);
  const std::vector<double> events = best.ofRuns().events(fit.coefficients);
  std::vector<double> weighed, scales;
  for (size_t d = 0; d < priced.size(); ++d)
    weighed.push_back(fit.predicted[d] - fit.start - fit.unit * events[d]);
  if (features.samples() > 0) {
    m.fit.once = onceOf(fit.start, priced, weighed);
    m.fit.kernelShare = kernelShareOf(priced, weighed,
                                      (1 - features.userShare()) *
                                          std::accumulate(times.begin(), times.end(), 0.0));
  }
  m.events.emplace(m.events.begin(), "start", constant(fit.start - m.fit.once));
  for (size_t d = 0; d < priced.size(); ++d)
    if (priced[d] > 0)
      scales.push_back((weighed[d] + m.fit.once) / priced[d]);
  m.fit.scale = scales.empty() ? 1 : std::max(quantile(scales, 0.5), 1 / m.fit.limit);
}

/// By how much more than samples scatter the time of a body is off in a fold of inputs that was
/// left out, relative: the root of the mean square over bodies, of each over its samples.
double Calibrator::offInOtherInputs() const {
  std::map<size_t, double> heard;
  double all = 0, square = 0, bodies = 0;
  for (const auto &[part, ofFolds] : foretold)
    for (const TimeFeatures::Foretold &f : ofFolds)
      heard[part] += f.heard, all += f.heard;
  for (const auto &[part, ofFolds] : foretold) {
    if (heard[part] < worthANote * all || heard[part] == 0)
      continue;
    for (const TimeFeatures::Foretold &f : ofFolds)
      if (f.heard > 0) {
        const double off = f.expected / f.heard - 1;
        square += (f.heard * off * off - 1) / heard[part];
      }
    ++bodies;
  }
  return bodies > 0 ? std::sqrt(std::max(0.0, square / bodies)) : 0;
}

/// A body with too few samples to be observed is known by these, and by the guess.
void Calibrator::priceBodies(const Grown &best) {
  std::map<size_t, double> spreads;
  const auto &observed = best.features.observedParts();
  const double elsewhere = offInOtherInputs();
  for (size_t p = 0; p < observed.size(); ++p)
    spreads[observed[p].part] = best.parts.partSpreads[p];
  for (const auto &body : best.features.sampledBodies(best.parts.coefficients)) {
    const auto at = spreads.find(body.part);
    const auto &[file, line] = parts.beginOf(body.part);
    if (line != 0 && canBeSaid(file))
      out.machine.fit.bodies.push_back(
          {file, line, body.factor,
           std::hypot(at != spreads.end() ? at->second : 1 / std::sqrt(body.samples + guessSamples),
                      elsewhere)});
  }
}

/// What samples say beside what the fit does; the fit is not believed where they disagree by far.
void Calibrator::describeSamples(const Grown &best) {
  out.samples = best.features.samples();
  out.userShare = best.features.userShare();
  const auto &observed = best.features.observedParts();
  std::string far;
  size_t number = 0;
  for (size_t p = 0; p < observed.size(); ++p) {
    const double share = observed[p].samples / out.samples;
    out.sampled.push_back({parts.nameOf(observed[p].part), !parts.isBody(observed[p].part), share,
                           share * (1 + best.parts.partErrors[p]), observed[p].samples});
    const SampledShare &s = out.sampled.back();
    if (!s.isCall && std::abs(best.parts.partErrors[p]) > farFromSamples && share > worthANote &&
        ++number <= 3)
      far += (far.empty() ? "" : ", ") + s.name + " (" + brief(100 * s.sampled, 2) +
             " % sampled, " + brief(100 * s.fitted, 2) + " % fitted)";
  }
  if (number > 0)
    out.notes.push_back(
        {"samples-disagree", "samples and times of inputs disagree about " +
                                 plural(number, "function", "functions") + ": " + far +
                                 "; were both made of the same program on a quiet machine?"});
}

void Calibrator::describe(const TimeFit &fit) {
  std::vector<double> errors, measured, predicted, relative;
  size_t inside = 0;
  for (const JudgedRun &r : out.judged) {
    errors.push_back(std::abs(r.error()));
    measured.push_back(r.time);
    predicted.push_back(r.predicted);
    relative.push_back(r.time / r.predicted);
    inside += r.time >= r.interval.low && r.time <= r.interval.high;
  }
  out.medianError = quantile(errors, 0.5);
  out.p90Error = quantile(errors, 0.9);
  out.coverage = static_cast<double>(inside) / static_cast<double>(errors.size());
  for (size_t i = 0; i < out.percentiles.size(); ++i) {
    const double p = reportedPercentiles[i];
    out.percentiles[i] = {p, percentile(measured, p), percentile(predicted, p)};
  }
  out.residual = covering(relative);
  const double longest = *std::max_element(times.begin(), times.end());
  size_t beyond = 0;
  for (const Cumulants &run : BlockCosts(matrix, maps, out.machine).runs())
    beyond += run.k1 > farBeyond * longest;
  if (beyond > 0)
    out.notes.push_back(
        {"beyond", plural(beyond, "counted run is", "counted runs are") +
                       " expected to take longer than any that was timed, which "
                       "makes percentiles up there uncertain; time the slow inputs"});
  if (out.runs < wellCovered)
    out.notes.push_back({"few-inputs", "intervals and the residual law come from " +
                                           plural(out.runs, "input", "inputs") + " only; " +
                                           std::to_string(wellCovered) + " make them steady"});
  static constexpr const char *names[featureGroups] = {
      "all work", "instruction class",    "event",
      "callee",   "callee in the kernel", "body of a function",
      "block"};
  for (size_t g = 0; g < featureGroups; ++g)
    out.departures.emplace_back(names[g], fit.departures[g]);
}

} // namespace

Result<Calibration> predictUntimed(const CountMatrix &matrix, const std::vector<Map> &maps,
                                   const Machine &machine, const SimulatedRuns *simulated) {
  const Result<MissImputation> carried = imputeMisses(matrix, maps, machine, simulated);
  if (!carried)
    return carried.error();
  Calibration out;
  out.carried = carried->to;
  out.machine = machine;
  out.machine.fit = {};
  const Prices alone(maps, out.machine);
  for (const CountMatrix::Columns &c : matrix.functions)
    if (ProgramFit::Function f = byItself(c, maps, alone, carried->rates);
        !f.carried.empty() && canBeSaid(f.name))
      out.machine.fit.functions.push_back(std::move(f));
  out.machine.fit.carriesMispredictions = carried->rates.has(Event::mispredict);
  if (out.carried && out.carried->work >= enoughWork)
    out.machine.programSpread = programSpreadWithMisses;
  return out;
}

Result<Calibration> calibrate(const CountMatrix &matrix, const std::vector<Map> &maps,
                              const Machine &guess, std::span<const TimedRun> runs,
                              const Stopwatch &stopwatch, const SimulatedRuns *simulated,
                              std::span<const SampledRun> sampled) {
  const Result<MissImputation> carried = imputeMisses(matrix, maps, guess, simulated);
  if (!carried)
    return carried.error();
  Result<Calibration> out =
      Calibrator(matrix, maps, guess, runs, stopwatch, carried->rates, sampled).run();
  if (out)
    out->carried = carried->to;
  return out;
}

} // namespace quincunx
