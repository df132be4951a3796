// Three questions to a fit. Their limits are far from what quiet machines give (docs/13-machines.md
// has both): in between a fit is noted, and its intervals are wide.
#include "Plausible.h"

#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/Quantile.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

constexpr double poor = 0.25;         ///< an error of an input, in the median
constexpr double wandering = 1;       ///< starts, of the median time
constexpr double mostOfSamples = 0.5; ///< in functions about which samples disagree

std::vector<double> timesOf(const Calibration &c) {
  std::vector<double> times;
  for (const JudgedRun &r : c.judged)
    times.push_back(r.time);
  return times;
}

/// What one time for all inputs is off by, in the median.
double errorOfOneTime(const std::vector<double> &times) {
  const double middle = quantile(times, 0.5);
  std::vector<double> errors;
  for (const double t : times)
    errors.push_back(std::abs(middle / t - 1));
  return quantile(errors, 0.5);
}

std::string perCent(double x) { return brief(100 * x, 2) + " %"; }
std::string inMs(double ns) { return brief(ns / 1e6, 3) + " ms"; }

Status checkErrors(const Calibration &c, const std::vector<double> &times) {
  const double ofOne = errorOfOneTime(times);
  if (c.medianError <= poor || c.medianError < ofOne)
    return Done{};
  return Error{"the times do not follow what was counted: an input that was left out is off by " +
               perCent(c.medianError) + " in the median, and by " + perCent(ofOne) +
               " if all take the same; were they of the same program and inputs, on a machine that "
               "did nothing else? (quincunx corpus rm --timings, then time again)"};
}

Status checkStarts(const std::vector<double> &starts, const std::vector<double> &times) {
  const auto [least, most] = std::ranges::minmax(starts);
  if (most - least <= wandering * quantile(times, 0.5))
    return Done{};
  return Error{"what a run takes before and after its work cannot be told: between " + inMs(least) +
               " and " + inMs(most) + " when a tenth of the inputs is left out, where they take " +
               inMs(quantile(times, 0.5)) +
               " in the median; time more inputs, short ones and long ones"};
}

Status checkSamples(const Calibration &c) {
  double far = 0; // of all samples
  const SampledShare *worst = nullptr;
  for (const SampledShare &s : c.sampled) {
    if (s.isCall || s.sampled <= worthANote || std::abs(s.fitted / s.sampled - 1) <= farFromSamples)
      continue;
    far += s.sampled;
    if (!worst || std::abs(s.fitted - s.sampled) > std::abs(worst->fitted - worst->sampled))
      worst = &s;
  }
  if (far <= mostOfSamples)
    return Done{};
  return Error{"samples and times contradict each other about functions that take " + perCent(far) +
               " of the time (" + escape(worst->name) + ": " + perCent(worst->sampled) +
               " sampled, " + perCent(worst->fitted) +
               " fitted); time and sample again on a machine that does nothing else (quincunx "
               "corpus rm --timings)"};
}

} // namespace

Status checkPlausible(const Calibration &fitted, const std::vector<double> &starts) {
  const std::vector<double> times = timesOf(fitted);
  if (const Status s = checkErrors(fitted, times); !s)
    return s;
  if (const Status s = checkStarts(starts, times); !s)
    return s;
  return checkSamples(fitted);
}

} // namespace quincunx
