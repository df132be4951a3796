// What samples say of features: how far the first guess is off, part by part, and which parts are
// observed.
// The idea: prices of single instructions are off by little, code that the plain build vectorised,
// turned into memset or left out by factors. So the guess of every body is moved to its samples
// first, by as much as their number allows (a Poisson number whose rate is a gamma draw about the
// guess), and calls of others get the price that their lines were sampled with. Reference:
// docs/13-machines.md.
#include "TimeFeatures.h"

#include "quincunx/numeric/Quantile.h"

#include <algorithm>
#include <numeric>

namespace quincunx {

namespace {

/// A part with fewer is not observed: the guess is moved all the same.
constexpr double minSamples = 30;
/// Those with the most samples; the others are too short to matter.
constexpr size_t mostObserved = 80;
/// The quantile of runs at which the kernel is taken to do nothing but start and end a process.
constexpr double fewOutside = 0.1;
constexpr int callRounds = 30; ///< of dividing samples of a line among what it calls

} // namespace

/// The bodies' guesses by what was heard of each part, in samples; what a sample is, in units of
/// the guess.
double TimeFeatures::moveBodies(std::span<const double> heard) {
  std::vector<double> guessed(bodyNumber.size(), 0.0);
  for (const BlockFeature &e : executed)
    for (const BlockFeature::OfBody &b : e.bodies)
      guessed[b.body] += e.alone * inPart(e.counts, b.share);
  double samples = 0;
  for (const size_t part : partOfBody)
    samples += heard[part];
  const double all = std::accumulate(guessed.begin(), guessed.end(), 0.0);
  if (!(samples > 0 && all > 0))
    return 0;
  std::vector<double> &factors = bodyMoved;
  factors.clear();
  bodySamples.clear();
  for (const size_t part : partOfBody)
    bodySamples.push_back(heard[part]);
  for (size_t b = 0; b < guessed.size(); ++b)
    factors.push_back((heard[partOfBody[b]] + guessSamples) /
                      (guessed[b] * samples / all + guessSamples));
  for (BlockFeature &e : executed) {
    e.moved = 0;
    for (const BlockFeature::OfBody &b : e.bodies)
      e.moved += b.share * factors[b.body];
    for (BlockFeature::OfBody &b : e.bodies)
      b.portion = b.share * factors[b.body] / e.moved;
  }
  return all / samples;
}

/// Samples of a line with several calls are divided in proportion to what their prices make expect,
/// until prices stay (expectation maximisation). Then lines get prices of their own, as far as
/// their samples tell them from the callee's: what is compared or copied differs by place.
void TimeFeatures::moveCallees(std::span<const double> heard, double perSample) {
  std::map<size_t, std::map<uint32_t, double>> lines; // calls and bytes, by part and feature
  std::vector<double> calls(calleeFeatures.size(), 0.0);
  const auto add = [&](size_t part, uint32_t callee, double n) {
    lines[part][callee] += n;
    calls[callee] += n;
  };
  for (const BlockFeature &e : executed)
    for (const BlockFeature::Called &c : e.called)
      add(c.part, c.callee, inPart(e.counts, c.times));
  for (const CountedBytes &b : movedBytes)
    add(b.part, b.callee, inPart(b.counts, 1));
  for (CalleeFeature &c : calleeFeatures)
    c.guess = c.scale;
  const auto expected = [&](size_t c, double n) { return n * calleeFeatures[c].guess; };
  const auto allExpected = [&](const std::map<uint32_t, double> &line) {
    double all = 0;
    for (const auto &[callee, n] : line)
      all += expected(callee, n);
    return all;
  };
  for (int round = 0; round < callRounds; ++round) {
    std::vector<double> taken(calls.size(), 0.0);
    for (const auto &[part, calledThere] : lines)
      if (const double all = allExpected(calledThere); all > 0)
        for (const auto &[callee, n] : calledThere)
          taken[callee] += heard[part] * expected(callee, n) / all;
    for (size_t c = 0; c < calls.size(); ++c)
      if (CalleeFeature &f = calleeFeatures[c]; f.scale > 0)
        f.guess =
            (taken[c] + guessSamples) * perSample / (calls[c] + guessSamples * perSample / f.scale);
  }
  for (BlockFeature &e : executed)
    for (BlockFeature::Called &c : e.called)
      if (const double all = allExpected(lines[c.part]);
          all > 0 && !calleeFeatures[c.callee].isBytes) {
        const double own = expected(c.callee, lines[c.part][c.callee]);
        c.moved = (heard[c.part] * own / all + guessSamples) / (own / perSample + guessSamples);
      }
  for (CalleeFeature &c : calleeFeatures)
    c.scale = std::max(c.scale, c.guess);
}

std::vector<TimeFeatures::SampledBody> TimeFeatures::sampledBodies(const Coefficients &c) const {
  constexpr double least = 0.01; // a coefficient may take all of a body
  std::vector<SampledBody> out;
  for (size_t b = 0; b < bodyMoved.size(); ++b)
    out.push_back({partOfBody[b], bodySamples[b],
                   bodyMoved[b] * std::max(least, 1 + c[Feature::work][0] + c[Feature::body][b])});
  return out;
}

TimeFeatures TimeFeatures::ofRuns() const {
  TimeFeatures out = *this;
  out.observed.clear();
  out.rowOfPart.clear();
  out.addUp();
  return out;
}

/// A fit to sums has blocks below 0 that others make up for. What these others are too dear is
/// taken off all blocks of the body.
std::vector<double> TimeFeatures::codeOfBlocks(const Coefficients &c) const {
  std::vector<double> code, fitted(bodyNumber.size(), 0.0), kept(bodyNumber.size(), 0.0);
  for (size_t b = 0; b < executed.size(); ++b) {
    const BlockFeature &e = executed[b];
    double alone = weight(b, c);
    for (const BlockFeature::Called &call : e.called)
      alone -= call.all() * calleePrice(call.callee, c);
    code.push_back(std::max(0.0, alone));
    for (const BlockFeature::OfBody &body : e.bodies) {
      const double n = inPart(e.counts, body.portion);
      fitted[body.body] += alone * n;
      kept[body.body] += code.back() * n;
    }
  }
  for (size_t b = 0; b < executed.size(); ++b) {
    double factor = 0;
    for (const BlockFeature::OfBody &body : executed[b].bodies)
      factor += body.portion * (fitted[body.body] > 0 ? fitted[body.body] / kept[body.body] : 1);
    code[b] *= factor;
  }
  return code;
}

std::map<size_t, TimeFeatures::Foretold>
TimeFeatures::foretell(const std::vector<size_t> &of, const Coefficients &c,
                       std::span<const double> units, std::span<const double> times) const {
  std::map<size_t, Foretold> out;
  std::vector<double> repeats(runs(), 0.0); // that a run was executed
  double samples = 0, user = 0, cpu = 0, all = 0;
  for (const SampledParts::OfRun &run : parts.runs())
    for (const size_t d : of)
      if (runRows[d] == run.row) {
        repeats[d] += run.executions;
        all += run.executions * times[d];
        samples += run.total, user += run.user, cpu += run.cpu;
        for (const auto &[part, number] : run.samples)
          if (parts.isBody(part))
            out[part].heard += number;
      }
  if (!(user > 0 && all > 0))
    return {};
  const double perSample = std::min(1.0, user / cpu) * all / samples; // ns
  const std::vector<double> code = codeOfBlocks(c);
  for (size_t b = 0; b < executed.size(); ++b) {
    const BlockFeature &e = executed[b];
    double n = 0;
    for (const size_t d : of)
      n += repeats[d] * e.counts[d] * units[d];
    for (const BlockFeature::OfBody &body : e.bodies)
      out[partOfBody[body.body]].expected += code[b] * n * body.portion / perSample;
  }
  return out;
}

TimeFeatures TimeFeatures::sampled(const std::vector<size_t> &from,
                                   std::span<const double> times) const {
  TimeFeatures out = *this;
  std::vector<double> heard(parts.size(), 0.0);
  double samples = 0, user = 0, cpu = 0, all = 0;
  std::vector<double> outsides; // per run
  std::fill(out.executions.begin(), out.executions.end(), 0.0);
  for (const SampledParts::OfRun &run : parts.runs()) {
    const auto d =
        std::find_if(from.begin(), from.end(), [&](size_t row) { return runRows[row] == run.row; });
    if (d == from.end())
      continue;
    out.executions[*d] += run.executions;
    all += run.executions * times[*d];
    samples += run.total;
    user += run.user;
    cpu += run.cpu;
    double inParts = 0;
    for (const auto &[part, number] : run.samples)
      heard[part] += number, inParts += number;
    if (run.total >= minSamples && run.cpu > 0)
      outsides.push_back(times[*d] * (1 - inParts / run.total * std::min(1.0, run.user / run.cpu)));
  }
  if (!(samples > 0 && cpu > 0))
    return out;
  out.allSamples = samples;
  out.inUserMode = std::min(1.0, user / cpu);
  if (!outsides.empty()) // all runs start alike; what the kernel does later differs
    out.outside = quantile(outsides, fewOutside);
  const double perSample = out.moveBodies(heard);
  if (!(perSample > 0))
    return out;
  out.moveCallees(heard, perSample);
  for (size_t part = 0; part < heard.size(); ++part)
    if (heard[part] >= minSamples)
      out.observed.push_back({part, heard[part] / samples * out.inUserMode * all, heard[part]});
  std::stable_sort(out.observed.begin(), out.observed.end(),
                   [](const Observed &a, const Observed &b) { return a.samples > b.samples; });
  if (out.observed.size() > mostObserved)
    out.observed.resize(mostObserved);
  for (size_t p = 0; p < out.observed.size(); ++p)
    out.rowOfPart[out.observed[p].part] = runs() + p;
  out.addUp();
  return out;
}

} // namespace quincunx
