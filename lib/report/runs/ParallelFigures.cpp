#include "ParallelFigures.h"

#include "RunDocument.h"
#include "quincunx/numeric/Quantile.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <limits>
#include <ostream>

namespace quincunx {

RunsByThreads runsByThreads(const ParallelTimes &times) {
  RunsByThreads groups;
  for (const ParallelTime &t : times.runs)
    groups[t.threads].push_back(&t);
  return groups;
}

TimesOfRuns timesOf(const std::vector<const ParallelTime *> &runs) {
  return {runs.begin(), runs.end()};
}

bool areGuesses(const TimesOfRuns &runs) {
  return 2 * std::ranges::count_if(runs, &SimulatedTime::isGuess) >= std::ssize(runs);
}

Percentile timeAt(double p, const TimesOfRuns &runs, const ParallelTimes &all, double scale) {
  std::vector<double> values;
  for (const SimulatedTime *t : runs)
    values.push_back(t->time * scale);
  std::ranges::sort(values);
  double off = 0;
  for (const auto &[threads, test] : all.tests)
    off = std::max(off, test.median);
  // What was chance may have been otherwise.
  double least = 1, most = 1;
  for (const SimulatedTime *t : runs) {
    const double from = std::min({t->withJobs, t->inOrder, t->soonest}),
                 to = std::max({t->withJobs, t->inOrder, t->latest});
    least = std::min({least, t->evenness, t->time > 0 ? from / t->time : 1});
    most = std::max(most, t->time > 0 ? to / t->time : 1);
  }
  constexpr double open = std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(values.size());
  const Ranks ranks = quantileRanks(values.size(), p);
  return {p,
          percentile(values, p),
          n > 1 && n * (1 - p) < 1 - 1e-9,
          {ranks.low == 0 ? -open : values[ranks.low - 1] * least / (1 + off),
           ranks.high == 0 ? open : values[ranks.high - 1] * most * (1 + off)}};
}

ordered_json withinJson(const ClockTest &test) {
  const std::optional<double> within = test.within();
  return within ? number(*within) : ordered_json();
}

double medianSpeedup(const TimesOfRuns &runs) {
  std::vector<double> values;
  for (const SimulatedTime *t : runs)
    values.push_back(t->speedup());
  return percentile(values, 0.5);
}

ordered_json timesJson(const TimesOfRuns &runs, const ParallelTimes &all) {
  ordered_json j;
  for (const auto &[name, p] :
       {std::pair("p50", 0.5), std::pair("p90", 0.9), std::pair("p99", 0.99)})
    j[name] = toJson(timeAt(p, runs, all, 1));
  return j;
}

void printWallTimes(const ParallelTimes &all, const Display &display, std::ostream &out) {
  const RunsByThreads groups = runsByThreads(all);
  if (groups.rbegin()->first < 2)
    return;
  Grid grid({"threads", "runs", "p50", "p90", "p99", "90 %", "speedup", ""}, 1);
  for (const auto &[threads, runs] : groups) {
    const TimesOfRuns times = timesOf(runs);
    const std::string mark = areGuesses(times) ? "~" : "";
    std::vector<std::string> row{std::to_string(threads), std::to_string(runs.size())};
    for (const double p : {0.5, 0.9, 0.99})
      row.push_back(mark + shortFigure(timeAt(p, times, all, 1)));
    row.push_back(shortFigure(timeAt(0.99, times, all, 1).trust));
    row.push_back(mark + shortFigure(rounded(medianSpeedup(times), 3)));
    row.emplace_back("wall time, simulated");
    grid.add(row);
  }
  grid.print(out, display);
  out << "\n";
}

namespace {

struct Factor {
  const char *name;
  const char *key;
  double (*of)(const ParallelTime &);
};
constexpr Factor factors[] = {
    {"efficiency", "efficiency", [](const ParallelTime &t) { return t.efficiency(); }},
    {"load balance", "loadBalance", [](const ParallelTime &t) { return t.loadBalance(); }},
    {"serialisation", "serialisation", [](const ParallelTime &t) { return t.serialisation(); }}};

double factorAt(double p, const std::vector<const ParallelTime *> &runs, const Factor &factor) {
  std::vector<double> values;
  for (const ParallelTime *t : runs)
    values.push_back(factor.of(*t));
  return percentile(values, p);
}

} // namespace

void printEfficiencies(const ParallelTimes &all, const Display &display, std::ostream &out) {
  out << heading("Efficiency = load balance x serialisation", display)
      << " in the median, and p1, which few runs are below\n\n";
  std::vector<std::string> headings{"threads"};
  for (const Factor &factor : factors)
    for (const char *name : {factor.name, "p1"})
      headings.emplace_back(name);
  Grid grid(headings, 0);
  for (const auto &[threads, runs] : runsByThreads(all)) {
    std::vector<std::string> row{std::to_string(threads)};
    for (const Factor &factor : factors)
      for (const double p : {0.5, 0.01})
        row.push_back(percent(factorAt(p, runs, factor)));
    grid.add(row);
  }
  grid.print(out, display);
  out << "\nload balance: work of a thread in the mean over that of the busiest one; "
         "serialisation: "
         "the\nshare of the time in which that one is at work (POP metrics)\n\n";
}

ordered_json wallTimesJson(const ParallelTimes &all) {
  ordered_json j = ordered_json::array();
  for (const auto &[threads, runs] : runsByThreads(all)) {
    const TimesOfRuns times = timesOf(runs);
    j.push_back({{"threads", threads},
                 {"runs", runs.size()},
                 {"time", timesJson(times, all)},
                 {"speedup", number(medianSpeedup(times))}});
    for (const Factor &factor : factors)
      for (const auto &[name, p] :
           {std::pair("p1", 0.01), std::pair("p10", 0.1), std::pair("p50", 0.5)})
        j.back()[factor.key][name] = number(factorAt(p, runs, factor));
  }
  return j;
}

std::pair<double, const char *> unitOf(const ParallelTimes &all) {
  double largest = 0;
  for (const ParallelTime &t : all.runs)
    largest = std::max(largest, t.time);
  return isTime(all.unit) ? suitedUnit(largest, all.unit) : std::pair(1.0, all.unit.c_str());
}

} // namespace quincunx
