// The table of percentiles that HdrHistogram's outputPercentileDistribution() prints, which its
// plotter and others read. Levels have five steps in each half of the way to 100 %; a level has the
// first bin up to which as many were counted, and a bin has its highest number.
#include "quincunx/report/HdrHistogram.h"

#include "HdrRuns.h"

#include <cmath>
#include <cstdio>
#include <ostream>

namespace quincunx {

namespace {

constexpr double stepsPerHalf = 5;

template <class... Numbers>
void printLine(std::ostream &out, const char *format, Numbers... numbers) {
  char line[160];
  std::snprintf(line, sizeof line, format, numbers...);
  out << line;
}

/// The level after `level`, in percent.
double nextLevel(double level) {
  const double halves = std::floor(std::log(100 / (100 - level)) / std::log(2)); // rounded as there
  return level + 100 / (stepsPerHalf * std::exp2(halves + 1));
}

void printLevels(const HdrCounts &counts, std::ostream &out) {
  const auto all = static_cast<double>(counts.all());
  double level = 0;
  uint64_t below = 0;
  for (size_t bin = 0; bin < counts.bins(); ++bin) {
    if (counts.count(bin) == 0)
      continue;
    below += counts.count(bin);
    const auto value = static_cast<double>(HdrCounts::highest(bin));
    for (bool isLast = false; !isLast && 100 * static_cast<double>(below) / all >= level;
         level = nextLevel(level)) {
      printLine(out, "%12.3f %2.12f %10llu %14.2f\n", value, level / 100,
                static_cast<unsigned long long>(below), 1 / (1 - level / 100));
      isLast = below == counts.all(); // its further levels are the line for all
    }
  }
  printLine(out, "%12.3f %2.12f %10llu\n",
            static_cast<double>(HdrCounts::highest(counts.bins() - 1)), 1.0,
            static_cast<unsigned long long>(counts.all()));
}

struct BinMoments {
  double mean = 0, deviation = 0;
};
/// Of the middles of bins.
BinMoments momentsOf(const HdrCounts &counts) {
  const auto sum = [&](auto of) {
    double total = 0;
    for (size_t bin = 0; bin < counts.bins(); ++bin)
      total +=
          static_cast<double>(counts.count(bin)) * of(static_cast<double>(HdrCounts::middle(bin)));
    return total / static_cast<double>(counts.all());
  };
  BinMoments m;
  m.mean = sum([](double x) { return x; });
  m.deviation = std::sqrt(sum([&](double x) { return (x - m.mean) * (x - m.mean); }));
  return m;
}

/// How many doublings of the numbers there are bins for.
unsigned doublings(const HdrCounts &counts) {
  unsigned n = 1;
  for (uint64_t end = HdrCounts::linear; end <= counts.max(); end *= 2)
    ++n;
  return n;
}

} // namespace

Status printHdrPercentiles(const Observed &observed, std::ostream &out) {
  const Result<HdrRuns> runs = hdrRuns(observed);
  if (!runs)
    return runs.error();
  const HdrCounts &counts = runs->counts;
  printLine(out, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
            "1/(1-Percentile)");
  printLevels(counts, out);
  const BinMoments m = momentsOf(counts);
  printLine(out, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", m.mean, m.deviation);
  printLine(out, "#[Max     = %12.3f, Total count    = %12llu]\n",
            static_cast<double>(HdrCounts::highest(counts.bins() - 1)),
            static_cast<unsigned long long>(counts.all()));
  printLine(out, "#[Buckets = %12u, SubBuckets     = %12llu]\n", doublings(counts),
            static_cast<unsigned long long>(HdrCounts::linear));
  for (const std::string &comment : runs->comments)
    out << "#[" << comment << "]\n";
  return Done{};
}

} // namespace quincunx
