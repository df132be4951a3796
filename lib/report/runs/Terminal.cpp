// Prints the report for people. The idea: percentiles first, the program before its functions, and
// nothing without what limits it: the intervals, the runs that were left out, the notes. Every name
// and label is escaped, since a corpus may come from a stranger. It computes nothing that is not in
// the estimate.
#include "quincunx/report/Terminal.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Plot.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace quincunx {

namespace {

std::vector<std::string> tableRow(const SummaryStatistics &f, const std::string &share,
                                  const std::string &calls, const std::string &name) {
  std::vector<std::string> row;
  for (const Percentile &q : f.percentiles)
    row.push_back(figure(q));
  row.insert(row.end(), {figure(f.moments.mean), figure(f.deviation), share, calls, name});
  return row;
}

void printTable(const Observed &o, const std::vector<const FunctionFigures *> &functions,
                const Display &display, std::ostream &out) {
  Grid grid({"p50", "p90", "p99", "p99.9", "mean", "sd", "share", "calls", "function"}, 1);
  grid.add(tableRow(o.program, percent(1), "", "(program)"));
  if (o.unattributed)
    grid.add(
        tableRow(o.unattributed->cost, percent(o.unattributed->share), "", o.unattributed->name));
  const Labels labels(o.functions, o.images, display);
  for (const FunctionFigures *f : functions)
    grid.add(tableRow(f->cost, percent(f->share), figure(f->calls.moments.mean), labels.of(*f)));
  grid.print(out, display);
  printRest(functions.size(), o.functions.size(), "functions", out);
}

std::string percentileName(double p) {
  std::string s = exact(p * 100);
  if (s.size() > 5) // 99.9 and its like carry rounding
    s = figure(p * 100);
  return "p" + s;
}

void printIntervals(const Observed &o, const Display &display, std::ostream &out) {
  const SummaryStatistics &f = o.program;
  const std::string bound = o.censored != 0 ? ">= " : "";
  Grid grid({"program", "value", "90 % interval"}, 0);
  for (const Percentile &q : f.percentiles)
    grid.add({percentileName(q.p), figure(q), figure(q.trust)});
  grid.add({"mean", bound + figure(f.moments.mean), figure(f.meanInterval)});
  grid.add({"sd", bound + figure(f.deviation), figure(f.deviationInterval)});
  if (o.fromMachine > 0) {
    grid.add({"  from inputs", bound + figure(std::sqrt(o.fromInputs)), ""});
    grid.add({"  from the machine", bound + figure(std::sqrt(o.fromMachine)), ""});
  }
  grid.add({"skewness", figure(f.moments.skewness), ""});
  grid.add({"kurtosis", figure(f.moments.kurtosis), ""});
  grid.print(out, display);
}

void printSlowest(const Observed &o, const Display &display, std::ostream &out) {
  std::vector<const RunFigures *> runs;
  for (const RunFigures &r : o.runs)
    runs.push_back(&r);
  const size_t shown = std::min<size_t>(5, runs.size());
  std::partial_sort(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(shown), runs.end(),
                    [](const RunFigures *a, const RunFigures *b) {
                      if (isCensored(a->outcome) != isCensored(b->outcome))
                        return isCensored(a->outcome);
                      return a->cost.k1 != b->cost.k1 ? a->cost.k1 > b->cost.k1
                                                      : a->identity < b->identity;
                    });
  const bool perRequest = !o.request.empty();
  Grid grid(perRequest ? std::vector<std::string>{"cost", "of p50", "us", "slowest requests"}
                       : std::vector<std::string>{"cost", "of p50", "slowest inputs"},
            1);
  const double median = o.program.percentiles[0].value;
  for (size_t i = 0; i < shown; ++i) {
    const RunFigures &r = *runs[i];
    const bool stopped = isCensored(r.outcome);
    char ratio[32] = "";
    if (median > 0 && std::isfinite(median))
      std::snprintf(ratio, sizeof ratio, "x %.2f", r.cost.k1 / median);
    std::vector<std::string> row{(stopped ? ">= " : "") + figure(r.cost.k1), ratio};
    if (perRequest)
      row.push_back(figure(r.wall * 1e6));
    row.push_back(escape(r.label) + (stopped ? "  (stopped)" : ""));
    if (perRequest)
      for (const auto &[name, value] : r.features)
        row.back() += "  " + escape(name) + "=" + exact(value);
    grid.add(row);
  }
  grid.print(out, display);
}

} // namespace

Status printCalls(const ObservedCalls &o, const ReportOptions &options, std::ostream &out) {
  const auto functions = selectFunctions(o.functions, options);
  if (!functions)
    return functions.error();
  out << heading("Cost per call", options.display) << " with all it called, in " << escape(o.unit)
      << " (machine " << escape(o.machine) << "), " << o.runs << (o.runs == 1 ? " run" : " runs")
      << "\n\n";
  Grid grid({"p50", "p90", "p99", "p99.9", "max <=", "mean", "sd", "calls/run", "slowest call in",
             "function"},
            2);
  const std::vector<ImageFigures> oneImage;
  const Labels labels(o.functions, oneImage, options.display);
  for (const FunctionFigures *f : *functions) {
    std::vector<std::string> row;
    for (const Percentile &q : f->cost.percentiles)
      row.push_back(figure(q.value));
    const auto which = static_cast<size_t>(f - o.functions.data());
    const uint64_t cut = o.cut[which];
    row.insert(row.end(),
               {figure(f->cost.max), (cut > 0 ? ">= " : "") + figure(f->cost.moments.mean),
                figure(f->cost.deviation), figure(f->calls.moments.mean), escape(o.slowest[which]),
                labels.of(*f) + (cut > 0 ? "  (cut: " + std::to_string(cut) + ")" : "")});
    grid.add(row);
  }
  grid.print(out, options.display);
  printRest(functions->size(), o.functions.size(), "functions", out);
  out << "\n";
  printNotes(o.notes, out);
  return Done{};
}

Status printReport(const Observed &o, const ReportOptions &options, std::ostream &out) {
  const auto functions = selectFunctions(o.functions, options);
  if (!functions)
    return functions.error();
  const Display &c = options.display;
  out << heading(
             o.request.empty() ? "Cost per run" : "Cost per request of " + c.function(o.request), c)
      << " in " << escape(o.unit) << " (machine " << escape(o.machine) << "), " << runsLine(o)
      << "\n\n";
  printTable(o, *functions, c, out);
  out << "\n";
  printIntervals(o, c, out);
  out << "\n" << heading("distribution of the program's cost", c) << "\n";
  sketch(o, c.utf8, out);
  out << "\n";
  printSlowest(o, c, out);
  out << "\n";
  printNotes(o.notes, out);
  return Done{};
}

} // namespace quincunx
