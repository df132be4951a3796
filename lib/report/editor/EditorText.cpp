// Writes figures of functions and lines in few words, and the distribution of a function as a table
// with a sketch. Every name is escaped, since a corpus may come from a stranger.
#include "EditorText.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Plot.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"
#include "report/runs/FunctionTables.h"
#include "report/runs/LineText.h"

#include <algorithm>
#include <sstream>

namespace quincunx {

namespace {

std::string callsText(const FunctionFigures &f) {
  const std::string calls = callsOf(f, rounded(f.calls.moments.mean, 4));
  return calls.empty() ? "inlined" : calls + (calls == "1" ? " call" : " calls");
}

bool isAverage(const FunctionFigures &f) { return f.total && !f.total->isRecorded; }

std::vector<std::string> costRow(const std::string &name, const SummaryStatistics &s,
                                 const std::string &share, const Observed &o) {
  std::vector<std::string> row{name};
  for (const Percentile &q : s.percentiles)
    row.push_back(shown(q, o));
  row.insert(row.end(), {shown(s.max, o), shown(s.moments.mean, o), share});
  return row;
}

/// p50 to share, of what is known.
void printFigures(const FunctionFigures &f, const EditorCorpus &corpus, std::ostream &out) {
  const Observed &o = corpus.observed;
  std::vector<size_t> none;
  if (!hasPercentiles(o))
    none = {1, 2, 3, 4, 5};
  Grid grid(without({"per run", "p50", "p90", "p99", "p99.9", "max", none.empty() ? "mean" : "cost",
                     "share"},
                    none),
            0);
  const auto add = [&](std::vector<std::string> row) { grid.add(without(std::move(row), none)); };
  if (f.total)
    add(costRow(isAverage(f) ? "~total" : "total", f.total->cost, percent(f.total->share), o));
  if (f.isPriced)
    add(costRow("self", f.cost, percent(f.share), o));
  if (!f.inlined)
    add(costRow("calls", f.calls, "", o));
  if (f.call)
    add(costRow("a call", *f.call, "", o));
  grid.print(out, corpus.display);
}

/// How the total was distributed over runs, and of which run it was the most.
void printRuns(const std::vector<double> &totals, const Observed &o, std::ostream &out) {
  std::vector<double> values;
  size_t open = 0, slowest = 0;
  for (const bool stopped : {false, true})
    for (size_t d = 0; d < totals.size(); ++d)
      if (isCensored(o.runs[d].outcome) == stopped) {
        values.push_back(totals[d]);
        open += stopped;
      }
  for (size_t d = 0; d < totals.size(); ++d)
    if (totals[d] > totals[slowest])
      slowest = d;
  if (values.size() < 2)
    return;
  out << "slowest input: " << shown(totals[slowest], o) << "  " << escape(o.runs[slowest].label)
      << "\n";
  const size_t closed = values.size() - open;
  const Result<DistributionPtr> law = makeSteps(values, open);
  if (!law || closed == 0)
    return;
  const auto [low, high] =
      std::minmax_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(closed));
  if (*low == *high)
    return;
  out << "\ntotal, share of runs:\n";
  sketch(**law, {*low, *high}, static_cast<double>(open) / static_cast<double>(values.size()), true,
         out);
}

} // namespace

std::string placeOf(const FunctionFigures &f) {
  return f.file.empty() ? "" : escape(fileName(f.file)) + ":" + std::to_string(f.line);
}

std::string nameOf(const FunctionFigures &f, const EditorCorpus &corpus) {
  return rowName(f, corpus.display);
}

std::string lensText(const FunctionFigures &f, const Observed &o) {
  const SummaryStatistics &cost = f.total ? f.total->cost : f.cost;
  std::string s = f.total ? "total " : "self ";
  s += hasPercentiles(o) ? "p50 " : "";
  s += isAverage(f) ? "~" : "";
  s += hasPercentiles(o) ? shown(cost.percentiles[0], o) + ", p99 " + shown(cost.percentiles[2], o)
                         : shown(cost.moments.mean, o);
  return s + " " + escape(o.unit) + " · " + percent(f.total ? f.total->share : f.share) + " · " +
         callsText(f);
}

namespace {
std::string times(const LineText &text) {
  return text.mean + (text.mean == "1" ? " time" : " times");
}
} // namespace

std::string hintText(const LineFigures &f) {
  const LineText text(f);
  return times(text) + " · " + text.share;
}

std::string lineText(const LineFigures &f) {
  const LineText text(f);
  return "executed " + times(text) + " per run, p99 " + text.p99 + "; " + text.share +
         " of the program's mean cost";
}

std::string functionText(const FunctionFigures &f, const EditorCorpus &corpus) {
  std::ostringstream out;
  const std::string place = placeOf(f);
  out << nameOf(f, corpus)
      << (f.isLibrary     ? " (library)"
          : place.empty() ? ""
                          : "  " + place)
      << "\n"
      << escape(corpus.observed.unit) << ", " << runsLine(corpus.observed) << "\n\n";
  printFigures(f, corpus, out);
  if (isAverage(f))
    out << "~ takes each call as the average one of its run\n";
  if (const std::vector<double> *totals = corpus.totalsOf(f))
    printRuns(*totals, corpus.observed, out);
  return out.str();
}

} // namespace quincunx
