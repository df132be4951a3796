// A row for each number of threads: percentiles over its runs, and how the clock agrees. Speedups
// are those of runs, never quotients of percentiles.
#include "quincunx/report/Scale.h"

#include "StrandText.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/Quantile.h"
#include "quincunx/report/Plot.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"
#include "report/runs/ParallelFigures.h"
#include "report/runs/RunDocument.h"

#include <algorithm>
#include <functional>
#include <ostream>
#include <set>

namespace quincunx {

namespace {

using Figure = double (*)(const ParallelTime &);
double speedupOf(const ParallelTime &t) { return t.speedup(); }
double efficiencyOf(const ParallelTime &t) { return t.efficiency(); }

double at(double p, const std::vector<const ParallelTime *> &runs, Figure of) {
  std::vector<double> values;
  for (const ParallelTime *t : runs)
    values.push_back(of(*t));
  return percentile(values, p);
}

/// Those that were there, where more than were asked for: one may only wait for the others.
double allThreads(const ParallelTime &t) {
  return std::max(static_cast<double>(t.threads), static_cast<double>(t.run.threads));
}

/// What threads did with their time: shares of that of all of them, in the mean over runs.
struct TimeShares {
  double busy = 0, starts = 0;                      ///< at work; idle while the process starts
  std::vector<std::pair<StrandWait, double>> waits; ///< the longest first
  double rest = 0;                                  ///< not begun, or ended
};

TimeShares sharesOf(const std::vector<const ParallelTime *> &runs) {
  TimeShares shares;
  std::map<std::pair<qx_strand_kind, uint32_t>, double> sums;
  double waited = 0;
  for (const ParallelTime *t : runs) {
    const double could = t->time * allThreads(*t) * static_cast<double>(runs.size());
    if (could <= 0)
      continue;
    shares.busy += t->alone / could;
    shares.starts += t->start * (allThreads(*t) - 1) / could;
    for (const WaitedFor &w : t->waits) {
      sums[{w.what.kind, w.what.site}] += w.time / could;
      waited += w.time / could;
    }
  }
  // A task waits while its thread executes another one: idle threads stand for all that is waited
  // for.
  const double idle = std::max(0.0, 1 - shares.busy - shares.starts);
  const double part = waited > idle ? idle / waited : 1;
  for (const auto &[what, share] : sums)
    shares.waits.push_back({{what.first, what.second}, part * share});
  std::ranges::stable_sort(shares.waits, std::greater<>(), &std::pair<StrandWait, double>::second);
  shares.rest = idle - part * waited;
  return shares;
}

/// Where threads are taken to take jobs.
std::set<uint32_t> queuesOf(const std::vector<const ParallelTime *> &runs) {
  std::set<uint32_t> sites;
  for (const ParallelTime *t : runs)
    sites.insert(t->queues.begin(), t->queues.end());
  return sites;
}

/// What is waited for there.
const char *waitName(qx_strand_kind kind) {
  return kind == QX_STRAND_JOIN   ? "the end of another"
         : kind == QX_STRAND_WAKE ? "a signal, or a job"
         : kind == QX_STRAND_TAKE ? "a semaphore"
         : kind == QX_STRAND_AWAIT || kind == QX_STRAND_CHANGE || kind == QX_STRAND_CAME_LAST
             ? "a latch, future, atomic or once"
             : kindName(kind);
}

std::string inTimes(double x) { return shortFigure(rounded(x, 3)); }

/// "-8.4 %, p90 16.4 %": the median of the errors, and how large most of them are.
std::string testText(const ClockTest &test) {
  return (test.bias < 0 ? "-" : "+") + percent(std::abs(test.bias)) + ", p90 " + percent(test.p90);
}

void printTable(const ParallelTimes &all, const RunsByThreads &groups, const Display &display,
                std::ostream &out) {
  const auto [scale, unit] = unitOf(all);
  out << " in " << escape(unit) << leftOut(all) << "\n\n";
  std::vector<std::string> headings{"threads", "runs", "p50",     "p90",
                                    "p99",     "90 %", "speedup", "efficiency"};
  if (!all.tests.empty())
    headings.emplace_back("error by clock");
  Grid grid(headings, all.tests.empty() ? 0 : 1);
  for (const auto &[threads, runs] : groups) {
    std::vector<std::string> row{std::to_string(threads), std::to_string(runs.size())};
    const TimesOfRuns times = timesOf(runs);
    const std::string mark = areGuesses(times) ? "~" : "";
    for (const double p : {0.5, 0.9, 0.99})
      row.push_back(mark + shortFigure(timeAt(p, times, all, scale)));
    row.push_back(shortFigure(timeAt(0.99, times, all, scale).trust));
    row.push_back(mark + inTimes(at(0.5, runs, speedupOf)));
    row.push_back(percent(at(0.5, runs, efficiencyOf)));
    const auto test = all.tests.find(threads);
    if (!all.tests.empty())
      row.push_back(test == all.tests.end() ? "not measured" : testText(test->second));
    grid.add(row);
  }
  grid.print(out, display);
}

void printWaits(uint32_t threads, const std::vector<const ParallelTime *> &runs,
                const ScaleReport &report, const Display &display, std::ostream &out) {
  out << "\n"
      << heading("What threads wait for at threads=" + std::to_string(threads), display)
      << ", shares of the time of all of them, in the mean\n\n";
  Grid grid({"share", "", "in"}, 2);
  const TimeShares shares = sharesOf(runs);
  const auto addUnlessNone = [&](double share, const char *what) {
    if (share >= 0.0005)
      grid.add({percent(share), what, ""});
  };
  grid.add({percent(shares.busy), "at work", ""});
  addUnlessNone(shares.starts, "start of the process");
  const size_t all = shares.waits.size(), shown = report.top == 0 ? all : std::min(report.top, all);
  for (size_t i = 0; i < shown; ++i)
    grid.add({percent(shares.waits[i].second), waitName(shares.waits[i].first.kind),
              placeText(report.sites, shares.waits[i].first.site, display)});
  addUnlessNone(shares.rest, "not begun, or ended");
  grid.print(out, display);
  printRest(shown, all, "waits", out);
  for (const uint32_t site : queuesOf(runs))
    out << "jobs seem to be taken at " << placeText(report.sites, site, display) << "\n";
}

/// Median speedups; and from how many threads on more of them hardly help.
void printSpeedups(const ParallelTimes &all, const RunsByThreads &groups, const Display &display,
                   std::ostream &out) {
  double most = 0, least = std::numeric_limits<double>::infinity();
  std::map<uint32_t, double> speedups, times;
  for (const auto &[threads, runs] : groups) {
    speedups[threads] = at(0.5, runs, speedupOf);
    times[threads] = timeAt(0.5, timesOf(runs), all, 1).value;
    most = std::max(most, speedups[threads]);
    least = std::min(least, times[threads]);
  }
  out << '\n' << heading("Speedup", display) << " by number of threads, in the median\n\n";
  for (const auto &[threads, speedup] : speedups) {
    std::string number = std::to_string(threads);
    number.insert(0, 6 - std::min<size_t>(6, number.size()), ' ');
    out << number << "  " << bar(speedup / most, display.utf8) << ' ' << inTimes(speedup) << '\n';
  }
  constexpr double hardly = 0.1;
  const auto enough =
      std::ranges::find_if(times, [&](const auto &t) { return least >= (1 - hardly) * t.second; });
  if (enough == times.end() || enough->first == times.rbegin()->first)
    return;
  if (least < enough->second)
    out << "\nmore than " << enough->first
        << (enough->first == 1 ? " thread takes" : " threads take") << " at most "
        << percent(1 - least / enough->second) << " off p50\n";
  else
    out << "\np50 is shortest with " << enough->first
        << (enough->first == 1 ? " thread\n" : " threads\n");
}

/// What times consist of, one after another, over the runs of a number of threads.
std::vector<PathPart> chainOf(const std::vector<const ParallelTime *> &runs) {
  std::vector<double> times;
  for (const ParallelTime *t : runs)
    times.push_back(t->time);
  const double worst = percentile(times, 0.99);
  const auto many =
      static_cast<double>(std::ranges::count_if(times, [&](double t) { return t >= worst; }));
  std::map<StrandPlace, PathPart> parts;
  for (const ParallelTime *t : runs)
    for (const auto &[place, time] : t->chain) {
      PathPart &part = parts.try_emplace(place, PathPart{place}).first->second;
      part.mean += time / t->time / static_cast<double>(runs.size());
      if (t->time >= worst)
        part.atWorst += time / t->time / many;
    }
  std::vector<PathPart> out;
  for (const auto &[place, part] : parts)
    out.push_back(part);
  std::ranges::stable_sort(out, std::greater<>(), &PathPart::mean);
  return out;
}

} // namespace

void printScale(const ParallelTimes &all, const ScaleReport &report, const Display &display,
                std::ostream &out) {
  const RunsByThreads groups = runsByThreads(all);
  out << heading("Wall time by number of threads", display) << onProcessors(report.processors.asked)
      << (std::isfinite(report.processors.asked) ? "" : ",");
  printTable(all, groups, display, out);
  const auto &[threads, runs] = *groups.rbegin();
  if (groups.size() > 2)
    printSpeedups(all, groups, display, out);
  if (threads > 1) {
    printWaits(threads, runs, report, display, out);
    out << '\n'
        << heading("What its time consists of at threads=" + std::to_string(threads), display)
        << ", one thing after another";
    if (const double starts = at(0.5, runs, [](const ParallelTime &t) { return t.start / t.time; });
        starts >= 0.0005)
      out << "; the start of the process: " << percent(starts);
    out << "\n\n";
    printPathParts(chainOf(runs), report.sites, report.top, display, out);
  }
  printNotes(report.notes, out);
}

namespace {

ordered_json percentilesJson(const std::vector<const ParallelTime *> &runs, Figure of) {
  ordered_json j;
  for (const auto &[name, p] : {std::pair("p10", 0.1), std::pair("p50", 0.5), std::pair("p90", 0.9),
                                std::pair("p99", 0.99)})
    j[name] = number(at(p, runs, of));
  return j;
}

ordered_json groupJson(uint32_t threads, const std::vector<const ParallelTime *> &runs,
                       const ParallelTimes &all, const ScaleReport &report) {
  ordered_json j{{"threads", threads},
                 {"runs", runs.size()},
                 {"time", timesJson(timesOf(runs), all)},
                 {"speedup", percentilesJson(runs, speedupOf)},
                 {"efficiency", percentilesJson(runs, efficiencyOf)},
                 {"waits", ordered_json::array()},
                 {"chain", ordered_json::array()},
                 {"queues", ordered_json::array()},
                 {"slowdown", nullptr},
                 {"clock", nullptr}};
  if (const auto slower = all.slowdowns.find(threads); slower != all.slowdowns.end())
    j["slowdown"] = number(slower->second);
  for (const uint32_t site : queuesOf(runs))
    j["queues"].push_back(siteJson(report.sites, site));
  for (const auto &[what, share] : sharesOf(runs).waits)
    j["waits"].push_back({{"share", number(share)},
                          {"for", waitName(what.kind)},
                          {"in", siteJson(report.sites, what.site)}});
  j["chain"] = pathPartsJson(chainOf(runs), report.sites);
  if (const auto test = all.tests.find(threads); test != all.tests.end())
    j["clock"] = {{"runs", test->second.runs},
                  {"bias", number(test->second.bias)},
                  {"medianError", number(test->second.median)},
                  {"p90Error", number(test->second.p90)},
                  {"within", withinJson(test->second)}};
  return j;
}

} // namespace

Status printScaleJson(const ParallelTimes &all, const ScaleReport &report, std::ostream &out) {
  ordered_json j{{"schema", schemaOf("scale")},
                 {"unit", all.unit},
                 {"processors", number(report.processors.asked)},
                 {"leftOut", leftOutJson(all)},
                 {"byThreads", ordered_json::array()},
                 {"runs", ordered_json::array()}};
  for (const auto &[threads, runs] : runsByThreads(all))
    j["byThreads"].push_back(groupJson(threads, runs, all, report));
  for (const ParallelTime &t : all.runs)
    j["runs"].push_back(
        {{"label", t.run.label},
         {"identity", t.run.identity},
         {"threads", t.threads},
         {"toldFrom", t.toldFrom != 0 ? ordered_json(t.toldFrom) : ordered_json(nullptr)},
         {"time", number(t.time)},
         {"withJobsAsTaken", number(t.withJobs)},
         {"inRecordedOrder", number(t.inOrder)},
         {"byDraws", {number(t.soonest), number(t.latest)}},
         {"alone", number(t.alone)},
         {"clock", t.clock ? number(*t.clock) : ordered_json(nullptr)},
         {"predictedForClock", t.clock ? number(t.here) : ordered_json(nullptr)}});
  return write(std::move(j), report.notes, out);
}

} // namespace quincunx
