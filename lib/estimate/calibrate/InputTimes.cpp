// Times of inputs from repetitions, and what disturbed these.
//
// The idea: disturbances (interrupts, other programs, cold caches) only add, so the least of N
// repetitions is close to the undisturbed time, and a median would follow the load. How far it
// scatters is seen by splitting the repetitions in halves: with a and b the least of each half,
//
//   noise = 1.4826 median |ln(a / b)| / sqrt(2),
//
// over all inputs and two ways to split (1.4826: a normal law's deviation over its median absolute
// one). Neither way splits by time, so that of a drift no more than two rounds get into it. Drift
// is the median of slopes between rounds (Theil and Sen), a round being the median over inputs of
// ln(t / median of the input). Nothing is corrected: what is wrong is told in notes.
#include "quincunx/estimate/InputTimes.h"

#include "estimate/figures/Notes.h"
#include "quincunx/numeric/Quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace quincunx {

namespace {

constexpr double normalMad = 1.4826; ///< deviation of a normal law over its median absolute one
constexpr double farAbove = 1.5;     ///< times the least: disturbed

double median(std::vector<double> values) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                        : quantile(std::move(values), 0.5);
}

double medianMagnitude(std::vector<double> values) {
  for (double &value : values)
    value = std::abs(value);
  return median(std::move(values));
}

std::vector<double> times(const std::vector<Repetition> &repetitions) {
  std::vector<double> out;
  for (const Repetition &r : repetitions)
    out.push_back(r.cpu());
  return out;
}

/// 0 where the least is 0: too short for the clock.
double spreadOf(const std::vector<double> &all) {
  const double least = *std::min_element(all.begin(), all.end());
  return least > 0 ? median(all) / least - 1 : 0;
}

std::optional<double> minCycles(const std::vector<Repetition> &repetitions) {
  std::optional<double> least;
  for (const Repetition &r : repetitions) {
    if (!r.cycles)
      return std::nullopt;
    least = std::min(least.value_or(*r.cycles), *r.cycles);
  }
  return least;
}

size_t disturbedOf(const std::vector<Repetition> &repetitions, double least) {
  std::vector<double> switches;
  for (const Repetition &r : repetitions)
    switches.push_back(static_cast<double>(r.involuntarySwitches));
  const double usual = median(switches);
  return static_cast<size_t>(
      std::count_if(repetitions.begin(), repetitions.end(), [&](const Repetition &r) {
        return r.cpu() > farAbove * least ||
               static_cast<double>(r.involuntarySwitches) > 2 * usual + 2;
      }));
}

TimedInput estimate(const Timing &timing) {
  TimedInput input;
  input.label = timing.label;
  input.arguments = timing.arguments;
  input.standardInput = timing.standardInput;
  const std::vector<double> all = times(timing.repetitions);
  input.time = *std::min_element(all.begin(), all.end());
  input.cycles = minCycles(timing.repetitions);
  input.spread = spreadOf(all);
  input.repetitions = all.size();
  input.disturbed = disturbedOf(timing.repetitions, input.time);
  return input;
}

/// ln(a / b) of two halves of an input's repetitions, which are in the order of rounds: 0 2 4 ...
/// against 1 3 5 ..., and 0 3 4 7 ... against 1 2 5 6 ...
void addHalves(const std::vector<double> &all, std::vector<double> &differences) {
  if (all.size() < 2)
    return;
  for (const size_t shift : {0u, 1u}) {
    double least[2] = {HUGE_VAL, HUGE_VAL};
    for (size_t i = 0; i < all.size(); ++i) {
      const size_t half = shift == 0 ? i % 2 : (i + 1) / 2 % 2;
      least[half] = std::min(least[half], all[i]);
    }
    if (least[0] > 0 && least[1] > 0)
      differences.push_back(std::log(least[0] / least[1]));
  }
}

double noiseOf(const std::vector<Timing> &timings) {
  std::vector<double> differences;
  for (const Timing &timing : timings)
    addHalves(times(timing.repetitions), differences);
  return normalMad * medianMagnitude(std::move(differences)) / std::numbers::sqrt2;
}

Drift driftOf(const std::vector<Timing> &timings) {
  std::map<uint32_t, std::vector<double>> rounds;
  for (const Timing &timing : timings)
    if (const double usual = median(times(timing.repetitions)); usual > 0)
      for (const Repetition &r : timing.repetitions)
        if (r.cpu() > 0)
          rounds[r.round].push_back(std::log(r.cpu() / usual));
  Drift drift;
  drift.error = std::numeric_limits<double>::infinity();
  if (rounds.empty())
    return drift;
  drift.rounds = rounds.rbegin()->first - rounds.begin()->first + 1;
  std::vector<double> x, y, slopes, away;
  for (auto &[round, all] : rounds) {
    x.push_back(round);
    y.push_back(median(std::move(all)));
  }
  const size_t n = x.size();
  double mean = 0, squares = 0;
  for (size_t i = 0; i < n; ++i) {
    mean += x[i] / static_cast<double>(n);
    for (size_t j = 0; j < i; ++j)
      slopes.push_back((y[i] - y[j]) / (x[i] - x[j]));
  }
  if (n < 3)
    return drift;
  drift.perRound = median(slopes);
  for (size_t i = 0; i < n; ++i) {
    away.push_back(y[i] - drift.perRound * x[i]);
    squares += (x[i] - mean) * (x[i] - mean);
  }
  const double level = median(away);
  for (double &d : away)
    d -= level;
  // As for a line by least squares, of which n - 2 of n distances are free.
  const double freedom = static_cast<double>(n) / static_cast<double>(n - 2);
  drift.error = normalMad * medianMagnitude(std::move(away)) * std::sqrt(freedom / squares);
  return drift;
}

double variationOf(const std::vector<TimedInput> &inputs) {
  const auto n = static_cast<double>(inputs.size());
  double mean = 0, squares = 0;
  for (const TimedInput &input : inputs)
    mean += input.time / n;
  for (const TimedInput &input : inputs)
    squares += (input.time - mean) * (input.time - mean);
  return n < 2 || mean <= 0 ? 0 : std::sqrt(squares / (n - 1)) / mean;
}

std::optional<TimedStartUp> startUpOf(const std::vector<StartUp> &startUps) {
  if (startUps.empty())
    return std::nullopt;
  std::vector<double> all;
  for (const StartUp &one : startUps)
    all.push_back(one.cpu());
  return TimedStartUp{*std::min_element(all.begin(), all.end()), spreadOf(all), all.size()};
}

std::string percent(double share) { return brief(100 * share, 2) + " %"; }

std::vector<Note> notesOn(const InputTimes &timed) {
  std::vector<Note> notes;
  const auto note = [&](const char *kind, const std::string &text) {
    notes.push_back({kind, text});
  };
  if (!timed.frequency)
    note("no-counters",
         "not all timed runs have hardware counters, so how many cycles a second has "
         "is not known, nor whether that changed");
  const auto few = std::count_if(timed.inputs.begin(), timed.inputs.end(),
                                 [](const TimedInput &input) { return input.repetitions < 3; });
  if (few > 0)
    note("few-repetitions",
         plural(static_cast<uint64_t>(few), "input has", "inputs have") +
             " fewer than 3 repetitions: what disturbed these cannot be told from what they take");
  const Drift &d = timed.drift;
  const double whole = d.perRound * static_cast<double>(d.rounds > 0 ? d.rounds - 1 : 0);
  if (std::abs(whole) > timed.noise && std::abs(d.perRound) > 3 * d.error)
    note("drift", "times of the same input changed by " + signedPercent(whole) + " over " +
                      std::to_string(d.rounds) +
                      " rounds, more than the noise: the processor's frequency or its load changed "
                      "while it was timed");
  if (timed.disturbed > 0.2)
    note("disturbed", percent(timed.disturbed) +
                          " of the repetitions were disturbed by something else on the machine; "
                          "time again on a quiet one, or with a larger --repeat");
  if (timed.inputs.size() >= 2 && timed.variation < 2 * timed.noise)
    note("constant-times", "times differ by " + percent(timed.variation) +
                               " between inputs, less than twice the noise: they say little about "
                               "what costs how much");
  return notes;
}

} // namespace

InputTimes estimateTimes(const std::vector<Timing> &timings, const std::vector<StartUp> &startUps) {
  InputTimes timed;
  double wall = 0, cpu = 0;
  size_t disturbed = 0;
  std::vector<double> all, frequencies;
  for (const Timing &timing : timings) {
    if (timing.repetitions.empty())
      continue;
    const TimedInput &input = timed.inputs.emplace_back(estimate(timing));
    timed.repetitions += input.repetitions;
    disturbed += input.disturbed;
    all.push_back(input.time);
    if (input.cycles && input.time > 0)
      frequencies.push_back(*input.cycles / input.time);
    for (const Repetition &r : timing.repetitions)
      wall += r.wall, cpu += r.cpu();
  }
  timed.startUp = startUpOf(startUps);
  timed.noise = noiseOf(timings);
  if (timed.inputs.empty())
    return timed;
  timed.median = median(all);
  timed.variation = variationOf(timed.inputs);
  if (frequencies.size() == timed.inputs.size())
    timed.frequency = median(frequencies);
  timed.drift = driftOf(timings);
  timed.waiting = wall > cpu ? 1 - cpu / wall : 0;
  timed.disturbed = static_cast<double>(disturbed) / static_cast<double>(timed.repetitions);
  timed.notes = notesOn(timed);
  return timed;
}

} // namespace quincunx
