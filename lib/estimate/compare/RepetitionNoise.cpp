// Noise of counts, by repetitions.
// The idea: nothing but the build and noise differs between two runs of one input, and the noise is
// known from runs of one build. Where all repetitions of all functions are equal there is none, and
// each difference is an effect. Else the difference of the means over inputs,
//   D = sum_d (a_d - b_d) / n,   Var[D] = sum_d (s_ad^2 / r_ad + s_bd^2 / r_bd) / n^2,
// is held against Student's law, with Satterthwaite's degrees of freedom; inputs that were not
// repeated have the relative noise of the others. A function that never differed in N repetitions
// of a program that is noisy elsewhere may be noisy seldom: with no effect, all m of n pairs that
// differ are among the n of n + N equally likely ones with the probability C(n, m) / C(n + N, m),
// and the runs of an input that differ are all those of one build with 1 / C(r_b + r_a, r_a).
// Without any repetition noise is known only by how differences go from input to input, which are
// then asked to be more alike than noise would make them (paired t test).
#include "RepetitionNoise.h"

#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {

/// Of sums of the same numbers in another order.
constexpr double rounding = 1e-9;

/// P(|T| >= t) of Student's law.
double studentBeyond(double t, double freedom) {
  return std::isfinite(t) ? betaCdf(freedom / 2, 0.5, freedom / (freedom + t * t)) : 0;
}

double at(const std::vector<double> &costs, size_t row) { return costs.empty() ? 0 : costs[row]; }

double meanOf(const std::vector<double> &costs, std::span<const size_t> rows) {
  double sum = 0;
  for (const size_t row : rows)
    sum += at(costs, row);
  return sum / static_cast<double>(rows.size());
}

/// The variance of one run from its mean, over the runs of an input; 0: nothing but rounding.
double varianceOfRuns(const std::vector<double> &costs, std::span<const size_t> rows) {
  const double mean = meanOf(costs, rows);
  double sum = 0;
  for (const size_t row : rows)
    if (const double d = at(costs, row) - mean; std::abs(d) > rounding * std::abs(mean))
      sum += d * d;
  return sum / static_cast<double>(rows.size() - 1);
}

double average(const std::vector<double> &x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

} // namespace

double PairedCosts::meanBefore() const { return average(before); }
double PairedCosts::meanAfter() const { return average(after); }
double PairedCosts::difference() const {
  double sum = 0;
  for (size_t d = 0; d < before.size(); ++d)
    sum += after[d] - before[d];
  return sum / static_cast<double>(before.size());
}

PairedCosts pairedCosts(const CostSeries &costs, std::span<const RunPair> pairs) {
  PairedCosts out;
  for (const RunPair &p : pairs) {
    const double was = meanOf(costs.before, p.before), is = meanOf(costs.after, p.after);
    out.before.push_back(was);
    out.after.push_back(std::abs(is - was) <= rounding * std::abs(was) ? was : is);
  }
  return out;
}

RepetitionNoise::RepetitionNoise(std::span<const RunPair> of, std::span<const CostSeries> counted)
    : pairs(of) {
  for (const RunPair &p : pairs)
    repetitions += static_cast<double>(p.before.size() - 1 + p.after.size() - 1);
  if (repetitions == 0)
    return;
  repetition =
      std::ranges::all_of(counted, [&](const CostSeries &c) { return varianceOf(c).variance == 0; })
          ? Repeats::exact
          : Repeats::noisy;
}

double RepetitionNoise::relativeDeviation(const CostSeries &costs) const {
  double sum = 0;
  for (const RunPair &p : pairs)
    for (const auto &[series, rows] :
         {std::pair{&costs.before, &p.before}, {&costs.after, &p.after}})
      if (const double mean = meanOf(*series, *rows); rows->size() > 1 && mean > 0)
        sum +=
            static_cast<double>(rows->size() - 1) * varianceOfRuns(*series, *rows) / (mean * mean);
  return repetitions > 0 ? std::sqrt(sum / repetitions) : 0;
}

RepetitionNoise::Variance RepetitionNoise::varianceOf(const CostSeries &costs) const {
  const double pooled = relativeDeviation(costs), inputs = static_cast<double>(pairs.size());
  Variance out;
  double squares = 0;
  for (const RunPair &p : pairs)
    for (const auto &[series, rows] :
         {std::pair{&costs.before, &p.before}, {&costs.after, &p.after}}) {
      const bool isRepeated = rows->size() > 1;
      const double runs = static_cast<double>(rows->size()),
                   imputed = pooled * meanOf(*series, *rows);
      const double variance = (isRepeated ? varianceOfRuns(*series, *rows) : imputed * imputed) /
                              (runs * inputs * inputs);
      out.variance += variance;
      squares += variance * variance / (isRepeated ? runs - 1 : std::max(1.0, repetitions));
    }
  out.freedom = squares > 0 ? std::max(1.0, out.variance * out.variance / squares) : 1;
  return out;
}

double RepetitionNoise::deviation(const CostSeries &costs) const {
  return std::sqrt(varianceOf(costs).variance);
}

double RepetitionNoise::ofRareNoise(const PairedCosts &paired) const {
  double ofPairs = 1, ofRuns = 1, left = static_cast<double>(pairs.size());
  for (size_t d = 0; d < pairs.size(); ++d)
    if (paired.before[d] != paired.after[d]) {
      ofPairs *= left / (left + repetitions);
      --left;
      for (size_t i = 1; i <= pairs[d].after.size(); ++i)
        ofRuns *= static_cast<double>(i) / static_cast<double>(pairs[d].before.size() + i);
    }
  return std::min(1.0, 2 * std::min(ofPairs, ofRuns));
}

double RepetitionNoise::ofInputs(const PairedCosts &paired) const {
  const auto n = static_cast<double>(pairs.size());
  if (n < 2)
    return 1;
  const double difference = paired.difference();
  double squares = 0;
  for (size_t d = 0; d < pairs.size(); ++d) {
    const double from = paired.after[d] - paired.before[d] - difference;
    if (std::abs(from) > rounding * std::abs(difference))
      squares += from * from;
  }
  return studentBeyond(difference / std::sqrt(squares / (n - 1) / n), n - 1);
}

double RepetitionNoise::probability(const CostSeries &costs, const PairedCosts &paired) const {
  if (paired.before == paired.after)
    return 1;
  if (repetition == Repeats::unknown)
    return ofInputs(paired);
  if (const Variance v = varianceOf(costs); v.variance > 0)
    return studentBeyond(paired.difference() / std::sqrt(v.variance), v.freedom);
  return repetition == Repeats::exact ? 0 : ofRareNoise(paired);
}

double RepetitionNoise::probability(const PairedCosts &all, size_t pair, double relative) const {
  const double was = all.before[pair], is = all.after[pair];
  if (was == is || repetition == Repeats::unknown)
    return 1;
  const auto runs = [](const auto &rows) { return static_cast<double>(rows.size()); };
  const double variance =
      relative * relative *
      (was * was / runs(pairs[pair].before) + is * is / runs(pairs[pair].after));
  return studentBeyond((is - was) / std::sqrt(variance), repetitions);
}

std::vector<double> adjusted(std::span<const double> probabilities) {
  std::vector<size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return probabilities[i]; });
  std::vector<double> out(order.size());
  double least = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, probabilities[order[i]] * static_cast<double>(order.size() - i));
    out[order[i]] = std::min(1.0, least);
  }
  return out;
}

} // namespace quincunx
