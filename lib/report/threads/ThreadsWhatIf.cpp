// A row for each figure of each number of threads. Speedups are over what the same run costs on one
// processor, before and after.
#include "quincunx/report/ThreadsWhatIf.h"

#include "StrandText.h"
#include "quincunx/base/Text.h"
#include "report/layout/AppliedChanges.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"
#include "report/runs/ParallelFigures.h"
#include "report/runs/RunDocument.h"

#include <cmath>
#include <ostream>

namespace quincunx {

namespace {

TimesOfRuns changedTimes(const std::vector<const ParallelTime *> &runs) {
  TimesOfRuns times;
  for (const ParallelTime *t : runs)
    times.push_back(&*t->changed);
  return times;
}

/// "-31.2 %"; nothing where there is no share.
std::string changeText(double before, double after) {
  const double share = after / before - 1;
  if (!std::isfinite(share))
    return "";
  const std::string text = percent(std::abs(share));
  return text == percent(0) ? text : (share < 0 ? "-" : "+") + text;
}

} // namespace

void printThreadsWhatIf(const ParallelTimes &all, const ThreadsWhatIf &question,
                        const Display &display, std::ostream &out) {
  out << heading("Wall time by number of threads", display) << onProcessors(question.processors);
  const auto [scale, unit] = unitOf(all);
  out << ", in " << escape(unit) << leftOut(all) << "\n";
  printChanges(question.changes, display, out);
  out << "\n";
  Grid grid({"threads", "runs", "", "before", "90 % interval", "after", "90 % interval", "change"},
            0);
  for (const auto &[threads, runs] : runsByThreads(all)) {
    const TimesOfRuns before = timesOf(runs), after = changedTimes(runs);
    std::vector<std::string> group{std::to_string(threads), std::to_string(runs.size())};
    const auto marked = [&](const TimesOfRuns &of, const std::string &text) {
      return (areGuesses(of) ? "~" : "") + text;
    };
    for (const double p : question.percentiles) {
      const Percentile was = timeAt(p, before, all, scale), is = timeAt(p, after, all, scale);
      grid.add({group[0], group[1], "p" + exact(rounded(100 * p, 12)),
                marked(before, shortFigure(was)), shortFigure(was.trust),
                marked(after, shortFigure(is)), shortFigure(is.trust),
                changeText(was.value, is.value)});
      group = {"", ""};
    }
    const double was = medianSpeedup(before), is = medianSpeedup(after);
    grid.add({group[0], group[1], "speedup", marked(before, shortFigure(rounded(was, 3))), "",
              marked(after, shortFigure(rounded(is, 3))), "", changeText(was, is)});
  }
  grid.print(out, display);
  printNotes(question.notes, out);
}

namespace {

ordered_json figuresJson(const TimesOfRuns &runs, const std::vector<double> &percentiles,
                         const ParallelTimes &all) {
  ordered_json times;
  for (const double p : percentiles)
    times["p" + exact(rounded(100 * p, 12))] = toJson(timeAt(p, runs, all, 1));
  return {{"time", times}, {"speedup", number(medianSpeedup(runs))}};
}

ordered_json runJson(const SimulatedTime &t) {
  return {{"time", number(t.time)},
          {"withJobsAsTaken", number(t.withJobs)},
          {"inRecordedOrder", number(t.inOrder)},
          {"byDraws", {number(t.soonest), number(t.latest)}},
          {"alone", number(t.alone)}};
}

} // namespace

Status printThreadsWhatIfJson(const ParallelTimes &all, const ThreadsWhatIf &question,
                              std::ostream &out) {
  ordered_json j{{"schema", schemaOf("whatif-threads")},
                 {"unit", all.unit},
                 {"processors", number(question.processors)},
                 {"changes", toJson(question.changes)},
                 {"leftOut", leftOutJson(all)},
                 {"byThreads", ordered_json::array()},
                 {"runs", ordered_json::array()}};
  for (const auto &[threads, runs] : runsByThreads(all)) {
    const auto test = all.tests.find(threads);
    j["byThreads"].push_back(
        {{"threads", threads},
         {"runs", runs.size()},
         {"within", test == all.tests.end() || question.changesThreads ? ordered_json()
                                                                       : withinJson(test->second)},
         {"before", figuresJson(timesOf(runs), question.percentiles, all)},
         {"after", figuresJson(changedTimes(runs), question.percentiles, all)}});
  }
  for (const ParallelTime &t : all.runs)
    j["runs"].push_back({{"label", t.run.label},
                         {"identity", t.run.identity},
                         {"threads", t.threads},
                         {"before", runJson(t)},
                         {"after", runJson(*t.changed)}});
  return write(std::move(j), question.notes, out);
}

} // namespace quincunx
