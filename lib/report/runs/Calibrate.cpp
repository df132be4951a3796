// Prints how good a calibration is. Errors of inputs that were predicted by a fit without them come
// first, as they are what a user can expect of inputs that were not timed.
#include "quincunx/report/Calibrate.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace quincunx {

namespace {

/// "1.234 ms": the largest unit of which there is one.
std::string duration(double ns) {
  const auto [factor, unit] = suitedUnit(ns, "ns");
  return figure(factor * ns) + " " + unit;
}

std::string plusPercent(double x) {
  const std::string s = percent(x);
  return x >= 0 ? "+" + s : s;
}

/// Those that are missed most, by the logarithm of the factor.
std::vector<const JudgedRun *> missed(const Calibration &c) {
  std::vector<const JudgedRun *> runs;
  for (const JudgedRun &r : c.judged)
    runs.push_back(&r);
  const auto factor = [](const JudgedRun *r) { return std::abs(std::log(r->predicted / r->time)); };
  std::stable_sort(runs.begin(), runs.end(),
                   [&](const JudgedRun *a, const JudgedRun *b) { return factor(a) > factor(b); });
  return runs;
}

void printMeasured(const Calibration &c, const InputTimes &timed, std::ostream &out) {
  const auto [least, most] =
      std::minmax_element(c.judged.begin(), c.judged.end(),
                          [](const JudgedRun &a, const JudgedRun &b) { return a.time < b.time; });
  out << c.runs << " timed inputs of " << duration(least->time) << " to " << duration(most->time)
      << ", noise "
      << (std::isfinite(timed.noise) ? percent(timed.noise) : "not known (each was timed once)")
      << "; start of the process " << duration(c.machine.event("start").k1);
  if (timed.startUp)
    out << " (" << duration(timed.startUp->time * 1e9) << " until its entry point)";
  out << "\n";
}

void printCarried(const Calibration &c, std::ostream &out) {
  if (c.carried)
    out << "misses carried from simulated runs to " << c.carried->functions << " of "
        << c.carried->all << " functions, " << percent(c.carried->work) << " of the work\n";
}

/// The largest parts, as sampled and as fitted.
void printSamples(const Calibration &c, size_t top, const Display &display, std::ostream &out) {
  if (c.samples == 0)
    return;
  out << static_cast<uint64_t>(c.samples) << " samples of where the program is; "
      << percent(c.userShare) << " of its processor time is in user mode, where they are taken\n";
  Grid parts({"sampled", "fitted", "function that begins at"}, 1);
  for (size_t i = 0; i < std::min(top, c.sampled.size()); ++i) {
    const SampledShare &s = c.sampled[i];
    parts.add({percent(s.sampled), percent(s.fitted),
               s.isCall ? "calls of libraries at " + escape(s.name) : escape(s.name)});
  }
  parts.print(out, display);
  out << "\n";
}

} // namespace

void printCalibration(const Calibration &c, const CountMatrix &matrix, const InputTimes &timed,
                      size_t top, const Display &display, std::ostream &out) {
  out << heading("Calibration", display) << ": ";
  if (c.runs == 0) {
    out << "no input is timed; prices are those of " << escape(c.machine.name) << "\n";
    printCarried(c, out);
    out << "\n";
    printNotes(c.notes, out);
    return;
  }
  printMeasured(c, timed, out);
  printCarried(c, out);
  out << "\n";
  Grid quality({"times of inputs", "measured", "predicted", "error"}, 0);
  quality.add({"each: median", "", "", percent(c.medianError)});
  quality.add({"each: p90", "", "", percent(c.p90Error)});
  for (const JudgedPercentile &q : c.percentiles)
    quality.add({"their p" + exact(100 * q.p), duration(q.measured), duration(q.predicted),
                 plusPercent(q.error())});
  quality.print(out, display);
  out << percent(c.coverage)
      << " of them lie in their 90 % intervals; every input was predicted by a fit "
      << "without it\n\n";
  Grid worst({"measured", "predicted", "error", "inputs missed most"}, 1);
  const auto runs = missed(c);
  for (size_t i = 0; i < std::min(top, runs.size()); ++i)
    worst.add({duration(runs[i]->time), duration(runs[i]->predicted), plusPercent(runs[i]->error()),
               escape(matrix.rows[runs[i]->row].label)});
  worst.print(out, display);
  out << "\n";
  printSamples(c, top, display, out);
  printNotes(c.notes, out);
}

Status printCalibrationJson(const Calibration &c, const CountMatrix &matrix,
                            const InputTimes &timed, const std::string &corpus, std::ostream &out) {
  ordered_json j{{"schema", schemaOf("calibrate")}, {"corpus", corpus},
                 {"unit", c.machine.unit},          {"timed", c.runs},
                 {"noise", number(timed.noise)},    {"start", number(c.machine.event("start").k1)}};
  if (c.carried)
    j["misses"] = {{"functions", c.carried->functions},
                   {"of", c.carried->all},
                   {"work", number(c.carried->work)}};
  if (c.runs == 0) {
    j["machine"] = c.machine.name;
    return write(std::move(j), c.notes, out);
  }
  j["error"] = {{"median", number(c.medianError)}, {"p90", number(c.p90Error)}};
  j["coverage"] = number(c.coverage);
  for (size_t i = 0; i < c.percentiles.size(); ++i) {
    const JudgedPercentile &q = c.percentiles[i];
    j["percentiles"][percentileNames[i]] = {{"measured", number(q.measured)},
                                            {"predicted", number(q.predicted)},
                                            {"error", number(q.error())}};
  }
  const Moments &r = c.machine.fit.residual;
  j["residual"] = {{"interval", toJson(c.residual)},
                   {"deviation", number(r.deviation())},
                   {"skewness", number(r.skewness)},
                   {"kurtosis", number(r.kurtosis)}};
  for (const auto &[group, departure] : c.departures)
    j["departures"][group] = number(departure);
  if (c.samples > 0)
    j["samples"] = {{"number", number(c.samples)}, {"userShare", number(c.userShare)}};
  for (const SampledShare &s : c.sampled)
    j["samples"]["parts"].push_back({{"place", s.name},
                                     {"library", s.isCall},
                                     {"sampled", number(s.sampled)},
                                     {"fitted", number(s.fitted)}});
  j["inputs"] = ordered_json::array();
  for (const JudgedRun &run : c.judged)
    j["inputs"].push_back({{"label", matrix.rows[run.row].label},
                           {"measured", number(run.time)},
                           {"predicted", number(run.predicted)},
                           {"interval", toJson(run.interval)},
                           {"error", number(run.error())}});
  return write(std::move(j), c.notes, out);
}

} // namespace quincunx
