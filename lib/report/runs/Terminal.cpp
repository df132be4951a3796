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

/// Of one run there is nothing that others are below.
bool hasPercentiles(const Observed &o) { return o.used() > 1; }

/// Without the columns that only several runs have.
std::vector<std::string> without(std::vector<std::string> row, const std::vector<size_t> &columns) {
  for (size_t i = columns.size(); i-- > 0;)
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(columns[i]));
  return row;
}

/// At most four digits of a time; costs that were counted are as exact as they are.
std::string shown(double x, const Observed &o) {
  return isTime(o.unit) && std::isfinite(x) ? figure(rounded(x, 4)) : figure(x);
}
std::string shown(Percentile q, const Observed &o) {
  if (isTime(o.unit) && std::isfinite(q.value))
    q.value = rounded(q.value, 4);
  return figure(q);
}

/// Of a part of the program: a time with the decimals that its p50 has of four digits.
std::string partOf(const Percentile &q, const Observed &o) {
  const double whole = o.program.percentiles[0].value;
  if (!isTime(o.unit) || !(whole > 0) || !std::isfinite(whole) || !std::isfinite(q.value))
    return figure(q);
  const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(whole))), 0, 6);
  const double last = std::pow(10, -decimals);
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", decimals, q.value);
  const bool isTiny = q.value > 0 && q.value < last / 2;
  return std::string(q.atLeast ? ">= " : "") + (q.value == 0 ? "0"
                                                : isTiny     ? "<" + exact(last)
                                                             : text);
}

/// "4.9 .. 9.8 us": of single calls, in the unit that suits the first.
std::string callsText(const SummaryStatistics &f, const Observed &o) {
  const double low = f.percentiles[0].value, high = f.percentiles[2].value;
  if (!isTime(o.unit))
    return low == high ? figure(low) : figure(low) + " .. " + figure(high);
  const auto [factor, unit] = suitedUnit(low, o.unit);
  const auto text = [&](double x) { return figure(rounded(factor * x, 3)); };
  return (text(low) == text(high) ? text(low) : text(low) + " .. " + text(high)) + " " + unit;
}

std::vector<std::string> selfRow(const Observed &o, const SummaryStatistics &f,
                                 const std::string &share, const std::string &calls,
                                 const std::string &name) {
  std::vector<std::string> row;
  for (const Percentile &q : f.percentiles)
    row.push_back(shown(q, o));
  row.insert(row.end(), {shown(f.moments.mean, o), shown(f.deviation, o), share, calls, name});
  return row;
}

std::string libraryName(const FunctionFigures &f, const Display &display) {
  return display.function(f.name) + " (library)";
}

/// Calls of what was inlined have no count.
std::string callsOf(const FunctionFigures &f, double mean) {
  return !f.inlined ? figure(mean) : mean == 0 ? "" : ">= " + figure(mean);
}

/// What was called and not counted has no figures where the machine has no price for it.
std::vector<std::string> libraryRow(const Observed &o, const FunctionFigures &f,
                                    const Display &display) {
  const std::string name = libraryName(f, display);
  const std::string calls = figure(f.calls.moments.mean);
  return f.isPriced ? selfRow(o, f.cost, percent(f.share), calls, name)
                    : std::vector<std::string>{"", "", "", "", "", "", "", calls, name};
}

/// How much is not shown, and what shows it.
void printLeftOut(const Rows &rows, std::ostream &out) {
  printRest(rows.shown.size(), rows.all, "functions", out);
  if (std::ranges::any_of(rows.shown, &FunctionFigures::isForeign))
    out << "(code of headers that was compiled by itself is one row: --headers shows its "
           "functions)\n";
}

/// What runs cost outside of functions: the start of the process, which each has, and the rest.
std::vector<FunctionFigures> outsideOf(const Observed &o) {
  std::vector<FunctionFigures> rows;
  if (o.unattributed)
    rows.push_back(*o.unattributed);
  if (rows.empty() || !(o.startUp > 0))
    return rows;
  FunctionFigures start, &rest = rows.front();
  start.name = "(start of the process)";
  start.share = o.startUp / o.program.moments.mean;
  start.cost.moments.mean = o.startUp;
  for (size_t i = 0; i < start.cost.percentiles.size(); ++i) {
    start.cost.percentiles[i].value = o.startUp;
    rest.cost.percentiles[i].value -= o.startUp;
  }
  rest.share -= start.share;
  rest.cost.moments.mean -= o.startUp;
  if (rest.share < 1e-9) // what is left is rounding
    rows.clear();
  rows.insert(rows.begin(), start);
  return rows;
}

/// What functions cost themselves.
void printSelf(const Observed &o, const Rows &rows, const Display &display, std::ostream &out) {
  const bool isOne = !hasPercentiles(o);
  const std::vector<size_t> none =
      isOne ? std::vector<size_t>{0, 1, 2, 3, 5} : std::vector<size_t>{};
  Grid grid(without({"p50", "p90", "p99", "p99.9", isOne ? "cost" : "mean", "sd", "share", "calls",
                     "function"},
                    none),
            1);
  const auto add = [&](const std::vector<std::string> &row) { grid.add(without(row, none)); };
  add(selfRow(o, o.program, percent(1), "", "(program)"));
  for (const FunctionFigures &f : outsideOf(o))
    add(selfRow(o, f.cost, percent(f.share), "", f.name));
  const Labels labels(o.functions, o.images, display, o.groups);
  for (const FunctionFigures *f : rows.shown)
    add(f->isLibrary ? libraryRow(o, *f, display)
                     : selfRow(o, f->cost, percent(f->share), callsOf(*f, f->calls.moments.mean),
                               labels.of(*f)));
  grid.print(out, display);
  printLeftOut(rows, out);
}

/// p50, p99 and share; blank where they are not known.
void addThree(const Observed &o, const SummaryStatistics *f, double share,
              std::vector<std::string> &row) {
  if (f == nullptr) {
    row.insert(row.end(), 3, "");
    return;
  }
  Percentile low = f->percentiles[0];
  if (!hasPercentiles(o))
    low.value = f->moments.mean, low.atLeast = o.censored != 0;
  row.insert(row.end(), {partOf(low, o), partOf(f->percentiles[2], o), percent(share)});
}

/// What functions cost with all they call, themselves, and in one call.
void printTotals(const Observed &o, const Rows &rows, const Display &display, std::ostream &out) {
  const bool isOne = !hasPercentiles(o);
  const std::vector<size_t> none = isOne ? std::vector<size_t>{1, 4} : std::vector<size_t>{};
  Grid grid(without({isOne ? "total" : "total p50", "p99", "share", isOne ? "self" : "self p50",
                     "p99", "share", "calls", "a call p50 .. p99", "function"},
                    none),
            1);
  const Labels labels(o.functions, o.images, display, o.groups);
  const auto add = [&](const FunctionFigures &f, const std::string &calls,
                       const std::string &name) {
    std::vector<std::string> row;
    addThree(o, f.total ? &f.total->cost : nullptr, f.total ? f.total->share : 0, row);
    if (f.total && !f.total->isRecorded)
      row.front().insert(0, "~");
    addThree(o, f.isPriced ? &f.cost : nullptr, f.share, row);
    row.push_back(calls);
    row.push_back(f.call ? callsText(*f.call, o) : "");
    row.push_back(name);
    grid.add(without(row, none));
  };
  for (const FunctionFigures *f : rows.shown)
    add(*f, callsOf(*f, rounded(f->calls.moments.mean, 4)),
        f->isLibrary ? libraryName(*f, display) : labels.of(*f));
  for (const FunctionFigures &f : outsideOf(o))
    add(f, "", f.name);
  grid.print(out, display);
  printLeftOut(rows, out);
}

/// What is known of the bytes of library calls; nothing is printed where it is of none.
void printBytes(const Observed &o, const std::vector<const FunctionFigures *> &functions,
                const Display &display, std::ostream &out) {
  const std::vector<size_t> none =
      hasPercentiles(o) ? std::vector<size_t>{} : std::vector<size_t>{1, 2, 3};
  Grid grid(
      without({none.empty() ? "bytes p50" : "bytes", "p90", "p99", "mean", "a call", "function"},
              none),
      1);
  bool any = false;
  for (const FunctionFigures *f : functions) {
    if (!f->bytes)
      continue;
    any = true;
    const auto &q = f->bytes->percentiles;
    const double mean = f->bytes->moments.mean, calls = f->calls.moments.mean;
    grid.add(without(
        {none.empty() ? figure(q[0]) : figure(mean), figure(q[1]), figure(q[2]), figure(mean),
         figure(rounded(calls > 0 ? mean / calls : 0, 4)),
         libraryName(*f, display) + (f->bytesFrom == ByteSource::limit ? "  (at most)" : "")},
        none));
  }
  if (!any)
    return;
  out << "\n" << heading("bytes of library calls", display) << "\n";
  grid.print(out, display);
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
  out << heading("Cost per call", options.display) << " with all it called, in " << escape(o.unit)
      << " (machine " << escape(o.machine) << "), " << o.runs << (o.runs == 1 ? " run" : " runs")
      << "\n\n";
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
  out << heading(what + of, display) << " in " << escape(o.unit) << " (machine "
      << escape(o.machine) << "), " << runsLine(o) << "\n";
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
  const auto rows = selectRows(o, options);
  if (!rows)
    return rows.error();
  const Display &display = options.display;
  printHeading(o, options, out);
  printProgram(o, display, out);
  out << "\n";
  printSlowest(o, options.all ? 10 : 3, display, out);
  out << "\n";
  const bool anyTotal =
      std::ranges::any_of(o.functions, [](const auto &f) { return f.total.has_value(); });
  if (anyTotal)
    printTotals(o, *rows, display, out);
  if (anyTotal && options.all)
    out << "\n" << heading("themselves", display) << "\n";
  if (!anyTotal || options.all)
    printSelf(o, *rows, display, out);
  if (options.all) {
    printBytes(o, rows->shown, display, out);
    out << "\n";
    printIntervals(o, display, out);
  }
  out << "\n" << heading("distribution of the program's cost", display) << "\n";
  sketch(o, display.utf8, out);
  out << "\n";
  printNotes(o.notes, out);
  if (!options.corpus.empty())
    out << "next: quincunx explain " << escape(options.corpus) << "\n";
  return Done{};
}

} // namespace quincunx
