// Prints comparisons for people: the verdict in a line, figures before and after, then functions by
// what they change of the whole, each with the lines that do it. Names are escaped, since a corpus
// may come from a stranger.
#include "quincunx/report/Compare.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace quincunx {

namespace {

/// Functions that the verdict names.
constexpr size_t mostNamed = 3;
/// Lines that make less of the mean are not shown.
constexpr double leastOfLine = 1e-5;
/// Of each name there.
constexpr size_t mostOfName = 32;

} // namespace

std::string changePercent(double x) {
  if (std::isnan(x))
    return "?";
  if (std::isinf(x))
    return "new";
  if (x > 9.995)
    return "x " + figure(rounded(1 + x, 3));
  char text[32];
  const double size = 100 * std::abs(x);
  const int digits = size == 0 || size >= 0.05 ? 1 : size >= 0.005 ? 2 : 3;
  std::snprintf(text, sizeof text, "%+.*f %%", digits, 100 * x);
  return x == 0 ? "0 %" : text;
}

namespace {

/// "+2.9 .. +3.3 %"
std::string signedInterval(const Interval &i) {
  if (!std::isfinite(i.low) && !std::isfinite(i.high))
    return "open";
  const std::string low = changePercent(i.low), high = changePercent(i.high);
  return (low.ends_with(" %") ? low.substr(0, low.size() - 2) : low) + " .. " + high;
}

std::string withInterval(const IntervalEstimate &e) {
  const std::string value = changePercent(e.value);
  return std::isfinite(e.trust.low) && e.trust.low != e.trust.high
             ? value + " (" + signedInterval(e.trust) + ")"
             : value;
}

/// "parse (prog.c:12)".
std::string placed(const FunctionFigures &f, const Display &display) {
  const std::string name = rowName(f, display);
  return f.file.empty() || !f.members.empty()
             ? name
             : name + " (" + escape(fileName(f.file)) + ":" + std::to_string(f.line) + ")";
}

std::string labelOf(const FunctionChange &f, const Display &display) {
  std::string s = placed(f.place(), display);
  if (f.state == FunctionState::renamed && f.before->name != f.after->name)
    s += ", was " + rowName(*f.before, display);
  return s;
}

const char *wordOf(ChangeVerdict v) {
  switch (v) {
  case ChangeVerdict::same:
    return "same";
  case ChangeVerdict::faster:
    return "faster";
  case ChangeVerdict::slower:
    return "slower";
  case ChangeVerdict::unknown:
    break;
  }
  return "cannot tell";
}

/// "parse (+3.4 %)".
std::string cause(const FunctionChange &f, const Display &display) {
  return cutInTheMiddle(rowName(f.place(), display), mostOfName, display.gap()) + " (" +
         changePercent(f.share.value) + ")";
}

/// ", from parse (+3.4 %) and scan (-0.2 %)", and what makes most of the difference, where these do
/// not.
std::string causes(const Comparison &c, const Display &display) {
  std::string s;
  double told = 0;
  for (const FunctionChange &f : c.functions)
    told += f.share.value;
  const double mean = c.mean().of.change.value;
  const bool isRest = c.mostDoubtful && std::abs(mean - told) > std::abs(told) &&
                      std::abs(c.mostDoubtful->share.value) > std::abs(told);
  const std::string rest =
      isRest ? "; most of it is from what may be noise, as " + cause(*c.mostDoubtful, display) : "";
  const size_t named = std::min(mostNamed, c.functions.size());
  for (size_t f = 0; f < named; ++f)
    s += (f == 0                                          ? ", from "
          : f + 1 == named && named == c.functions.size() ? " and "
                                                          : ", ") +
         cause(c.functions[f], display);
  return (named < c.functions.size() ? s + " and others" : s) + rest;
}

} // namespace

std::string verdictLine(const Comparison &c, const Display &display) {
  const IntervalEstimate &mean = c.mean().of.change;
  const bool isUnsure = mean.trust.low < 0 && mean.trust.high > 0;
  if (c.measured && isUnsure &&
      (c.verdict == ChangeVerdict::slower || c.verdict == ChangeVerdict::faster))
    return std::string(wordOf(c.verdict)) + " by the clock: mean " +
           withInterval(c.measured->time.change) + ", where counts and prices say " +
           withInterval(mean);
  std::string s = std::string(wordOf(c.verdict)) + ": mean " + withInterval(mean);
  if (c.verdict == ChangeVerdict::same && c.functions.empty())
    return s + (c.doubtful == 0 ? ", no function costs more or less"
                                : ", no function differs by more than repetitions do");
  for (const FigureChange &f : c.figures)
    if ((f.name == "p50" || f.name == "p99") && !f.atLeast)
      s += ", " + f.name + " " + changePercent(f.of.change.value);
  return c.functions.empty() ? s + ", which may be noise" : s + causes(c, display);
}

namespace {

std::string repetitionText(const Comparison &c) {
  switch (c.repetition) {
  case Repeats::exact:
    return "repetitions count the same, so each difference is of the builds";
  case Repeats::noisy:
    return "repetitions differ: the mean is known to " + percent(c.noise);
  case Repeats::unknown:
    break;
  }
  return "no input was run twice";
}

void printHead(const Comparison &c, const ComparedNames &names, const Display &display,
               std::ostream &out) {
  out << heading(verdictLine(c, display), display) << "\n\n";
  out << "before: " << escape(names.before) << ", " << c.runs.runsBefore << " runs\n"
      << "after:  " << escape(names.after) << ", " << c.runs.runsAfter << " runs of the same "
      << c.runs.inputs << (c.runs.inputs == 1 ? " input" : " inputs") << "\n"
      << "noise:  " << repetitionText(c) << "\n\n";
}

void printFigures(const Comparison &c, const Display &display, std::ostream &out) {
  out << heading("Cost per run", display) << " in " << escape(c.unit) << " (machine "
      << escape(c.machine) << ")\n\n";
  Grid grid({"", "before", "after", "change", "90 % interval"}, 0);
  for (const FigureChange &f : c.figures)
    grid.add({f.name, (f.atLeast ? ">= " : "") + figure(f.of.before), figure(f.of.after),
              changePercent(f.of.change.value), signedInterval(f.of.change.trust)});
  grid.print(out, display);
  if (c.measured)
    out << "\nmeasured on " << c.measured->inputs << " inputs timed in both: mean "
        << withInterval(c.measured->time.change) << ", predicted for them "
        << changePercent(c.measured->predicted) << "\n";
  out << "\n";
}

std::string stateOf(const FunctionChange &f) {
  if (f.state == FunctionState::renamed && f.isChanged)
    return "renamed, changed";
  return f.state == FunctionState::same ? "" : stateName(f.state);
}

std::string lineText(const LineChange &l, const std::string &unit) {
  const std::string size = (l.difference > 0 ? "+" : "") + figure(l.difference) + " " + unit;
  const std::string file = escape(fileName(l.file)) + ":";
  if (l.after == 0)
    return size + " at " + file + std::to_string(l.before) + ", gone";
  std::string s = size + " at " + file + std::to_string(l.after);
  if (l.before == 0)
    return s + ", new";
  return l.before == l.after ? s : s + " (was line " + std::to_string(l.before) + ")";
}

void printFunctions(const Comparison &c, const CompareOptions &options, std::ostream &out) {
  if (c.functions.empty())
    return;
  const size_t shown =
      options.top == 0 ? c.functions.size() : std::min(options.top, c.functions.size());
  out << heading("Functions that cost more or less", options.display)
      << ", by what they change of the mean\n\n";
  Grid grid({"of the mean", "90 % interval", "before", "after", "calls", "code", "function"}, 2);
  for (size_t i = 0; i < shown; ++i) {
    const FunctionChange &f = c.functions[i];
    grid.add({changePercent(f.share.value), signedInterval(f.share.trust), figure(f.cost.before),
              figure(f.cost.after),
              f.calls.change.value == 0 ? "" : changePercent(f.calls.change.value), stateOf(f),
              labelOf(f, options.display)});
  }
  grid.print(out, options.display);
  printRest(shown, c.functions.size(), "functions", out);
  out << "\n";
}

void printLines(const Comparison &c, const CompareOptions &options, std::ostream &out) {
  const size_t shown =
      options.top == 0 ? c.functions.size() : std::min(options.top, c.functions.size());
  bool any = false;
  for (size_t i = 0; i < shown; ++i)
    for (const LineChange &l : c.functions[i].lines) {
      if (std::abs(l.difference) < leastOfLine * c.mean().of.before)
        continue;
      if (!any)
        out << heading("Lines that make it", options.display) << ", mean per run\n\n";
      any = true;
      out << "  " << lineText(l, escape(c.unit)) << "  "
          << rowName(c.functions[i].place(), options.display) << "\n";
    }
  out << (any ? "\n" : "");
}

void printAgainst(const Comparison &c, const CompareOptions &options, std::ostream &out) {
  if (c.against.empty())
    return;
  const bool isSlower = c.mean().of.change.value < 0;
  const size_t shown =
      options.top == 0 ? c.against.size() : std::min(options.top, c.against.size());
  out << heading(std::string("Inputs that got ") + (isSlower ? "slower" : "faster"),
                 options.display)
      << " although the mean went " << (isSlower ? "down" : "up") << "\n\n";
  Grid grid({"change", "before", "after", "input"}, 1);
  for (size_t i = 0; i < shown; ++i)
    grid.add({changePercent(c.against[i].cost.change.value), figure(c.against[i].cost.before),
              figure(c.against[i].cost.after), escape(c.against[i].label)});
  grid.print(out, options.display);
  printRest(shown, c.against.size(), "inputs", out);
  out << "\n";
}

} // namespace

void printComparison(const Comparison &c, const ComparedNames &names, const CompareOptions &options,
                     std::ostream &out) {
  printHead(c, names, options.display, out);
  printFigures(c, options.display, out);
  printFunctions(c, options, out);
  printLines(c, options, out);
  printAgainst(c, options, out);
  printNotes(c.notes, out);
}

} // namespace quincunx
