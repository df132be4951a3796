// Percentiles of wall times over the runs of each number of threads.
#pragma once

#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/ParallelTimes.h"
#include "quincunx/report/Display.h"
#include "report/layout/JsonDocument.h"

#include <iosfwd>
#include <map>
#include <vector>

namespace quincunx {

using RunsByThreads = std::map<uint32_t, std::vector<const ParallelTime *>>;
RunsByThreads runsByThreads(const ParallelTimes &times);

using TimesOfRuns = std::vector<const SimulatedTime *>;
TimesOfRuns timesOf(const std::vector<const ParallelTime *> &runs);

/// Half of them hang on what was chance.
bool areGuesses(const TimesOfRuns &runs);

/// A percentile of times and where it lies with 90 %: by order of the runs, by as much more or less
/// as times of inputs are off by the clock, in the median, and by what was chance.
Percentile timeAt(double p, const TimesOfRuns &runs, const ParallelTimes &all, double scale);

/// A row for each number of threads, in the unit of `all`; and a blank line; nothing where no run
/// has two.
void printWallTimes(const ParallelTimes &all, const Display &display, std::ostream &out);
/// Efficiency and its factors, and a blank line.
void printEfficiencies(const ParallelTimes &all, const Display &display, std::ostream &out);
ordered_json wallTimesJson(const ParallelTimes &all);
/// p50, p90 and p99, in the unit of `all`.
ordered_json timesJson(const TimesOfRuns &runs, const ParallelTimes &all);
/// ClockTest::within; null: it cannot be said.
ordered_json withinJson(const ClockTest &test);
double medianSpeedup(const TimesOfRuns &runs);

/// That of the longest time, and how many of it are in one of `all.unit`.
std::pair<double, const char *> unitOf(const ParallelTimes &all);

} // namespace quincunx
