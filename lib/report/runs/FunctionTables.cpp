// Prints the tables of functions: what they cost with all they call, themselves, and the bytes of
// library calls. The idea: a row is a function of the source; what is none (code of headers, the
// start of the process) stands at the foot. Columns without a figure are left out.
#include "FunctionTables.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace quincunx {

bool hasPercentiles(const Observed &o) { return o.used() > 1; }

std::vector<std::string> without(std::vector<std::string> row, const std::vector<size_t> &columns) {
  for (size_t i = columns.size(); i-- > 0;)
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(columns[i]));
  return row;
}

std::string shown(double x, const Observed &o) {
  return isTime(o.unit) && std::isfinite(x) ? figure(rounded(x, 4)) : figure(x);
}
std::string shown(Percentile q, const Observed &o) {
  if (isTime(o.unit) && std::isfinite(q.value))
    q.value = rounded(q.value, 4);
  return figure(q);
}

std::string callsOf(const FunctionFigures &f, double mean) {
  return !f.inlined ? figure(mean) : mean == 0 ? "" : ">= " + figure(mean);
}

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

namespace {

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
  for (const FunctionFigures *f : rows.shown)
    if (f->isForeign)
      out << groupName(*f) << ": " << f->members.size()
          << (f->members.size() == 1 ? " function" : " functions")
          << " of headers that were compiled by themselves; --headers shows them\n";
  if (std::ranges::any_of(rows.shown,
                          [](const auto *f) { return !f->isForeign && !f->members.empty(); }))
    out << "(instances of a template are one row: --names full shows each)\n";
}

/// What runs cost outside of functions: the start of the process, which each has, and the rest.
std::vector<FunctionFigures> outsideOf(const Observed &o) {
  std::vector<FunctionFigures> rows;
  if (o.unattributed) {
    rows.push_back(*o.unattributed);
    rows.back().name = outsideFunctions;
  }
  if (rows.empty() || !(o.startUp > 0))
    return rows;
  FunctionFigures start, &rest = rows.front();
  start.name = "(start-up)";
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

/// Of printTotals: what a call costs, which not all builds record.
constexpr size_t callColumn = 7;

} // namespace

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
  const Labels labels(o.functions, o.images, display, o.groups);
  for (const FunctionFigures *f : rows.shown)
    add(f->isLibrary ? libraryRow(o, *f, display)
                     : selfRow(o, f->cost, percent(f->share), callsOf(*f, f->calls.moments.mean),
                               labels.of(*f)));
  for (const FunctionFigures &f : outsideOf(o))
    add(selfRow(o, f.cost, percent(f.share), "", f.name));
  grid.print(out, display);
  printLeftOut(rows, out);
}

void printTotals(const Observed &o, const Rows &rows, const Display &display, std::ostream &out) {
  const bool isOne = !hasPercentiles(o);
  std::vector<size_t> none = isOne ? std::vector<size_t>{1, 4} : std::vector<size_t>{};
  if (std::ranges::none_of(rows.shown, [](const auto *f) { return f->call.has_value(); }))
    none.push_back(callColumn);
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

} // namespace quincunx
