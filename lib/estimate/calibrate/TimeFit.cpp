// Fits prices to the times of runs.
// The idea: first one scale for the guess and a start-up, by least squares of relative errors; then
// what is left is explained by coefficients of features, with as much freedom per group as the data
// make likely (numeric/VarianceComponents). Everything is relative to the measured time, as errors
// are judged. Reference: docs/13-machines.md.
#include "TimeFit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quincunx {

namespace {
/// What is expected of coefficients beforehand, as variances, in the order of Feature: all work off
/// by two fifths, the prices of single things by a half, those of events by more. It matters
/// where runs are few.
constexpr std::array<double, featureGroups> expectedDepartures{0.2, 0.3, 0.5, 0.3, 0.3, 0.3, 0.3};
constexpr double expectedNoise = 0.0009; ///< times repeat within 3 %
/// The start-up may be off by a third.
constexpr double startDeparture = 0.3;

double square(double x) { return x * x; }
} // namespace

TimeFitter::TimeFitter(const TimeFeatures &f, std::span<const double> t, const Stopwatch &how)
    : features(f), times(t.begin(), t.end()), stopwatch(how) {
  for (const TimeFeatures::Observed &part : f.observedParts())
    times.push_back(part.time);
  for (size_t g = 0; g < featureGroups; ++g)
    grams[g] = f.gram(static_cast<Feature>(g));
}

/// Least squares of (unit x cost + start) / time - 1, neither below 0. The start was measured until
/// the entry point; samples say what is outside of functions on the whole, the end too.
void TimeFitter::fitBase(const std::vector<size_t> &from, TimeFit &fit) const {
  const std::vector<double> &cost = features.guessed();
  double cc = 0, c1 = 0, c = 0, one = 0, once = 0;
  for (const size_t d : from) {
    const double a = cost[d] / times[d], b = 1 / times[d];
    cc += a * a, c1 += a * b, one += b * b, c += a, once += b;
  }
  const double alone = cc > 0 ? c / cc : 0;
  if (stopwatch.startUp) {
    double least = times[from.front()];
    for (const size_t d : from)
      least = std::min(least, times[d]);
    fit.start = std::max(*stopwatch.startUp, std::min(features.outsideOfParts(), least));
    fit.unit = cc > 0 ? std::max(0.0, (c - fit.start * c1) / cc) : 0;
    return;
  }
  const double determinant = cc * one - c1 * c1;
  if (determinant > 1e-12 * cc * one) {
    fit.unit = (c * one - once * c1) / determinant;
    fit.start = (once * cc - c * c1) / determinant;
  }
  if (fit.start <= 0)
    fit.unit = alone, fit.start = 0;
  else if (fit.unit <= 0)
    fit.unit = 0, fit.start = once / one;
}

/// What is known of the noise of a row, relative: its variance.
double TimeFitter::knownNoise(size_t d) const {
  if (d < features.runs())
    return square(stopwatch.noise) + square(stopwatch.resolution / times[d]) + 1e-8;
  return 1 / features.observedParts()[d - features.runs()].samples;
}

/// With N the variance of the noise of an observation and V that of all observations, the fitted
/// value differs from it by N (V^-1 r), and is known with variance N - N^2 (V^-1)_ii, where leaving
/// it out gives (V^-1 r)_i / (V^-1)_ii.
void TimeFitter::judgeParts(const VarianceComponents &fitted, size_t runs, TimeFit &fit) const {
  for (size_t i = runs; i < fitted.dual.size(); ++i) {
    const double noise = knownNoise(features.runs() + i - runs) + fitted.noise;
    const double inverse = fitted.leftOut[i] != 0 ? fitted.dual[i] / fitted.leftOut[i] : 1 / noise;
    fit.partErrors.push_back(-noise * fitted.dual[i]);
    fit.partSpreads.push_back(std::sqrt(std::max(0.0, noise - square(noise) * inverse)));
  }
}

/// The variance components of relative times of the rows `from` about unit and start of `fit`.
Result<VarianceComponents> TimeFitter::fitComponents(const std::vector<size_t> &from,
                                                     const TimeFit &fit) const {
  const size_t n = from.size(), all = features.rows(), runs = features.runs();
  std::vector<Gram> groups;
  std::vector<double> observed, known;
  for (const Gram &whole : grams) {
    Gram &part = groups.emplace_back(n * n);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j)
        part[i * n + j] =
            whole[from[i] * all + from[j]] * square(fit.unit) / (times[from[i]] * times[from[j]]);
  }
  Gram &start = groups.emplace_back(n * n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (from[i] < runs && from[j] < runs)
        start[i * n + j] = square(fit.start) / (times[from[i]] * times[from[j]]);
  for (const size_t d : from) {
    const double base = fit.unit * features.guessed()[d] + (d < runs ? fit.start : 0);
    observed.push_back(1 - base / times[d]);
    known.push_back(knownNoise(d));
  }
  std::vector<double> expected(expectedDepartures.begin(), expectedDepartures.end());
  expected.push_back(square(startDeparture));
  expected.push_back(expectedNoise);
  return fitVarianceComponents(groups, expected, observed, known);
}

Result<TimeFit> TimeFitter::fit(const std::vector<size_t> &fromRuns) const {
  TimeFit out;
  fitBase(fromRuns, out);
  if (!(out.unit > 0))
    return Error{
        "times do not grow with what the runs did: were they of the same program and inputs?"};
  std::vector<size_t> from = fromRuns;
  for (size_t d = features.runs(); d < features.rows(); ++d)
    from.push_back(d);
  const Result<VarianceComponents> fitted = fitComponents(from, out);
  if (!fitted)
    return fitted.error();
  std::vector<double> weights(features.rows(), 0.0);
  double startWeight = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    weights[from[i]] = out.unit * fitted->dual[i] / times[from[i]];
    if (from[i] < features.runs())
      startWeight += fitted->dual[i] / times[from[i]];
  }
  for (size_t g = 0; g < featureGroups; ++g) {
    std::vector<double> &c = out.coefficients.of[g];
    c = features.dot(static_cast<Feature>(g), weights);
    for (double &x : c)
      x *= fitted->variances[g];
    out.departures[g] = std::sqrt(fitted->variances[g]);
  }
  out.start =
      std::max(0.0, out.start + fitted->variances[featureGroups] * square(out.start) * startWeight);
  out.predicted = features.cost(out.coefficients);
  for (double &t : out.predicted)
    t = t * out.unit + out.start;
  out.leftOut.assign(fitted->leftOut.begin(),
                     fitted->leftOut.begin() + static_cast<ptrdiff_t>(fromRuns.size()));
  judgeParts(*fitted, fromRuns.size(), out);
  out.logLikelihood = fitted->logLikelihood;
  return out;
}

} // namespace quincunx
