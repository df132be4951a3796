// Prints the report for people. The idea: percentiles first, the program before its functions, and
// nothing without what limits it: the intervals, the runs that were left out, the notes. Every name
// and label is escaped, since a corpus may come from a stranger. It computes nothing that is not in
// the estimate.
#include "quincunx/report/Terminal.h"

#include "ParallelFigures.h"

#include "FunctionTables.h"
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
    if (hasPercentiles(o))
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

/// The largest run; where costs are random none is, and it is what the costliest one takes, or
/// what one in a thousand does.
double mostOf(const Observed &o) {
  if (std::isfinite(o.program.max))
    return o.program.max;
  const double far = o.program.percentiles.back().value;
  double most = std::isfinite(far) ? far : 0;
  for (const RunFigures &r : o.runs)
    most = std::max(most, r.cost.k1);
  return most;
}

/// The program in two lines: its figures, and how far they are known.
void printProgram(const Observed &o, const Display &display, std::ostream &out) {
  const SummaryStatistics &f = o.program;
  const std::string bound = o.censored != 0 ? ">= " : "";
  const auto within = [](const Interval &i) {
    const auto end = [](double x) { return std::isfinite(x) ? figure(rounded(x, 3)) : "open"; };
    return end(i.low) + " .. " + end(i.high);
  };
  if (!hasPercentiles(o)) {
    Grid grid({"", "cost"}, 0);
    grid.add({"program", bound + shown(f.moments.mean, o)});
    grid.print(out, display);
    return;
  }
  std::vector<std::string> names{""}, values{"program"}, trust{"90 %"};
  for (const Percentile &q : f.percentiles) {
    names.push_back(percentileName(q.p));
    values.push_back(shown(q, o));
    trust.push_back(within(q.trust));
  }
  names.insert(names.end(), {"max", "mean", "sd"});
  values.insert(values.end(), {bound + shown(mostOf(o), o), bound + shown(f.moments.mean, o),
                               bound + shown(f.deviation, o)});
  trust.insert(trust.end(), {"", within(f.meanInterval), within(f.deviationInterval)});
  Grid grid(names, 0);
  grid.add(values);
  grid.add(trust);
  grid.print(out, display);
}

void printSlowest(const Observed &o, size_t most, const Display &display, std::ostream &out) {
  std::vector<const RunFigures *> runs;
  for (const RunFigures &r : o.runs)
    runs.push_back(&r);
  const size_t number = std::min(most, runs.size());
  std::partial_sort(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(number), runs.end(),
                    [](const RunFigures *a, const RunFigures *b) {
                      if (isCensored(a->outcome) != isCensored(b->outcome))
                        return isCensored(a->outcome);
                      return a->cost.k1 != b->cost.k1 ? a->cost.k1 > b->cost.k1
                                                      : a->identity < b->identity;
                    });
  const bool perRequest = !o.request.empty();
  const std::vector<size_t> none =
      hasPercentiles(o) ? std::vector<size_t>{} : std::vector<size_t>{1};
  Grid grid(without(perRequest
                        ? std::vector<std::string>{"cost", "of p50", "us", "slowest requests"}
                        : std::vector<std::string>{"cost", "of p50", "slowest inputs"},
                    none),
            1);
  const double median = o.program.percentiles[0].value;
  for (size_t i = 0; i < number; ++i) {
    const RunFigures &r = *runs[i];
    const bool stopped = isCensored(r.outcome);
    char ratio[32] = "";
    if (median > 0 && std::isfinite(median))
      std::snprintf(ratio, sizeof ratio, "x %.2f", r.cost.k1 / median);
    std::vector<std::string> row{(stopped ? ">= " : "") + shown(r.cost.k1, o), ratio};
    if (perRequest)
      row.push_back(figure(r.wall * 1e6));
    row.push_back(escape(r.label) + (stopped ? "  (stopped)" : ""));
    if (perRequest)
      for (const auto &[name, value] : r.features)
        row.back() += "  " + escape(name) + "=" + exact(value);
    grid.add(without(row, none));
  }
  grid.print(out, display);
}

} // namespace

namespace {
/// "+-12 %": how far 90 % of what a calibration says of calls are off at most; "": not known.
std::string offBy(const FunctionFigures &f) {
  return f.spread ? "+-" + percent(f.cost.meanInterval.high / f.cost.moments.mean - 1) : "";
}
} // namespace

Status printCalls(const ObservedCalls &o, const ReportOptions &options, std::ostream &out) {
  const auto functions = selectFunctions(o.functions, options);
  if (!functions)
    return functions.error();
  printHeading("Cost per call",
               " with all it called, in " + escape(o.unit) + " (machine " + escape(o.machine) +
                   "), " + std::to_string(o.runs) + (o.runs == 1 ? " run" : " runs"),
               options.display, out);
  out << "\n";
  const bool isKnown =
      std::ranges::any_of(*functions, [](const auto *f) { return f->spread.has_value(); });
  const std::vector<size_t> none = isKnown ? std::vector<size_t>{} : std::vector<size_t>{7};
  Grid grid(without({"p50", "p90", "p99", "p99.9", "max <=", "mean", "sd", "90 %", "calls/run",
                     "slowest call in", "function"},
                    none),
            2);
  const auto text = [&](double x) { return figure(isTime(o.unit) ? rounded(x, 4) : x); };
  const std::vector<ImageFigures> oneImage;
  const Labels labels(o.functions, oneImage, options.display);
  for (const FunctionFigures *f : *functions) {
    std::vector<std::string> row;
    for (const Percentile &q : f->cost.percentiles)
      row.push_back(text(q.value));
    const auto which = static_cast<size_t>(f - o.functions.data());
    const uint64_t cut = o.cut[which];
    row.insert(row.end(),
               {text(f->cost.max), (cut > 0 ? ">= " : "") + text(f->cost.moments.mean),
                text(f->cost.deviation), offBy(*f), figure(f->calls.moments.mean),
                escape(o.slowest[which]),
                labels.of(*f) + (cut > 0 ? "  (cut: " + std::to_string(cut) + ")" : "")});
    grid.add(without(row, none));
  }
  grid.print(out, options.display);
  printRest(functions->size(), o.functions.size(), "functions", out);
  out << "\n";
  printNotes(o.notes, out);
  return Done{};
}

namespace {

/// What costs are, of what, and how far they can be trusted.
void printHeading(const Observed &o, const ReportOptions &options, std::ostream &out) {
  const Display &display = options.display;
  const bool isParallel = options.provenance.wall.isParallel() && options.provenance.wall.runs > 0;
  const std::string of =
      o.request.empty() ? "per run" : "per request of " + display.function(o.request);
  const char *const what = !isTime(o.unit)                   ? "Cost "
                           : isParallel && o.request.empty() ? "Processor time of all threads "
                                                             : "Processor time ";
  printHeading(what + of,
               " in " + escape(o.unit) + " (machine " + escape(o.machine) + "), " + runsLine(o),
               display, out);
  if (o.inputError > 0)
    out << "fitted to timed runs: what an input takes that was not timed is off by "
        << percent(o.inputError) << " in the median\n";
  if (options.net)
    out << (*options.net > 0 ? "without the start of the process, " + shown(*options.net, o) + " " +
                                   o.unit + " of each run\n"
                             : "these prices have no start of the process that could be left out: "
                               "counts begin with the code of the program\n");
  out << "\n";
}

} // namespace

Status printReport(const Observed &o, const ReportOptions &options, std::ostream &out) {
  const auto rows = selectRows(o, options), themselves = selectRows(o, options, Figures::self);
  if (!rows || !themselves)
    return rows.error();
  const Display &display = options.display;
  printHeading(o, options, out);
  printProgram(o, display, out);
  out << "\n";
  if (options.threads != nullptr)
    printWallTimes(*options.threads, display, out);
  if (options.threads != nullptr && options.efficiencies)
    printEfficiencies(*options.threads, display, out);
  printSlowest(o, options.all ? 10 : 3, display, out);
  out << "\n";
  const bool anyTotal =
      std::ranges::any_of(o.functions, [](const auto &f) { return f.total.has_value(); });
  if (anyTotal)
    printTotals(o, *rows, display, out);
  if (anyTotal && options.all)
    out << "\n" << heading("themselves", display) << "\n";
  if (!anyTotal || options.all)
    printSelf(o, *themselves, display, out);
  if (options.all) {
    printBytes(o, rows->shown, display, out);
    out << "\n";
    printIntervals(o, display, out);
  }
  out << "\n" << heading("distribution of the program's cost", display) << "\n";
  sketch(o, display.utf8, out);
  out << "\n";
  printNotes(o.notes, out);
  if (!options.next.empty())
    out << "next: quincunx " << escape(options.next) << "\n";
  return Done{};
}

} // namespace quincunx
