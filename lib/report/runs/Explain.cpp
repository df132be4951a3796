// Prints why runs differ, for people. The idea: one table for each question, the answer with the
// largest share first; shares that round to nothing are left out. Every name is escaped. It
// computes nothing that is not in the estimate.
#include "quincunx/report/Explain.h"

#include "Ranking.h"
#include "Verdict.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/Names.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <cmath>
#include <cstdio>
#include <ostream>

namespace quincunx {

namespace {

/// Of what an effect costs, the most that one function may make for its share to be told.
constexpr double mostShare = 1.5;

/// Smaller shares are shown as 0.0 %.
constexpr double visible = 0.0005;
constexpr size_t partsOfSlowRuns = 3, labelsOfGroups = 3;
/// Share of the difference of two groups below which a function is not worth telling.
constexpr double partOfDifference = 0.01;

std::string placeText(const SourceLine &at) {
  std::string s = at.file.empty() ? "?" : escape(fileName(at.file));
  s += ":" + std::to_string(at.line);
  return at.function.empty() ? s : s + " " + escape(demangle(at.function));
}

std::string times(double n, double of) {
  if (of == 0)
    return n == 0 ? "" : "new";
  char text[32];
  std::snprintf(text, sizeof text, n / of < 1e6 ? "x %.2f" : "x %.1e", n / of);
  return text;
}

class Printer {
public:
  Printer(const Explained &explained, const ExplainOptions &o, std::ostream &stream)
      : e(explained), options(o), out(stream), labels(e.functions, e.observed.images) {}

  void print() {
    printHead();
    printInputs();
    printFunctions();
    printLines();
    printLoops();
    printBranches();
    printTail();
    printGroups();
    printSlowest();
    printUncounted();
    out << "\n";
    printNotes(e.observed.notes, out);
  }

private:
  const char *runs() const { return e.observed.request.empty() ? "runs" : "requests"; }
  std::string function(size_t f) const { return labels.of(e.functions[f]); }

  void title(const std::string &text) { out << "\n" << heading(text, options.colour) << "\n"; }

  /// Prints those of `n` rows, the last `left` columns flush left, that the options ask for and
  /// that are worth a line.
  template <class Key, class Row>
  void table(std::vector<std::string> headings, size_t left, size_t n, const char *what, Key key,
             Row row) {
    Grid grid(std::move(headings), left);
    size_t shown = 0, worth = 0;
    for (size_t i = 0; i < n; ++i)
      worth += std::abs(key(i)) >= visible;
    for (const size_t i : ranked(n, options.top, key))
      if (std::abs(key(i)) >= visible) {
        grid.add(row(i));
        ++shown;
      }
    if (shown == 0)
      return;
    grid.print(out, options.colour);
    printRest(shown, worth, what, out);
  }

  void printHead() {
    const Observed &o = e.observed;
    out << heading(o.request.empty()
                       ? "Why runs differ in cost"
                       : "Why requests of " + escape(demangle(o.request)) + " differ in cost",
                   options.colour)
        << ", in " << escape(o.unit) << " (machine " << escape(o.machine) << "), " << runsLine(o)
        << "\n";
    const char *bound = o.censored != 0 ? ">= " : "";
    out << "mean " << bound << figure(o.program.moments.mean) << ", sd " << bound
        << figure(o.program.deviation) << ", p50 " << figure(o.program.percentiles[0]) << ", p99 "
        << figure(o.program.percentiles[2]);
    if (e.within >= visible)
      out << "; " << percent(e.within) << " of the variance is random given the counts of a run";
    out << "\n\n"
        << (e.variance == 0 ? std::string("all ") + runs() + " cost the same" : verdict(e)) << "\n";
  }

  void printInputs() {
    const ExplainedInputs &in = e.inputs;
    if (in.effects.empty())
      return;
    title("how cost follows the inputs: " + percent(in.explained) +
          " of the variance of its logarithm, " + percent(1 - in.explained) + " is left");
    // What others make up for has no share that says something.
    const auto carrierText = [&](const Carrier &by) {
      if (by.function == Carrier::none)
        return std::string();
      return (by.share <= mostShare ? percent(by.share) + " " : "") + function(by.function);
    };
    table(
        {"share", "runs", "slowest", "effect", "where", "by"}, 3, in.effects.size(), "effects",
        [&](size_t i) { return in.effects[i].share; },
        [&](size_t i) -> std::vector<std::string> {
          const InputEffect &x = in.effects[i];
          return {percent(x.share),
                  std::to_string(x.runs),
                  std::to_string(x.tailRuns) + " of " + std::to_string(e.tail.runs.size()),
                  effectText(x),
                  conditionText(x),
                  carrierText(x.by)};
        });
  }

  void printFunctions() {
    title("who makes the variance, and how p99 and the mean follow their cost");
    const auto key = [&](size_t f) {
      const Shares &s = e.functionShares[f];
      return e.variance > 0 ? s.variance : s.mean;
    };
    std::vector<std::string> headings{"variance", "p99", "mean", "function"};
    if (e.within >= visible)
      headings.insert(headings.begin() + 1, "within");
    table(headings, 1, e.functions.size(), "functions", key, [&](size_t f) {
      const Shares &s = e.functionShares[f];
      std::vector<std::string> row{percent(s.variance), percent(s.p99), percent(s.mean),
                                   function(f)};
      if (e.within >= visible)
        row.insert(row.begin() + 1, percent(s.within));
      return row;
    });
  }

  void printLines() {
    if (e.variance == 0 || e.lines.empty())
      return;
    title("by line");
    table(
        {"variance", "mean", "line"}, 1, e.lines.size(), "lines",
        [&](size_t l) { return e.lineShares[l].variance; },
        [&](size_t l) -> std::vector<std::string> {
          return {percent(e.lineShares[l].variance), percent(e.lineShares[l].mean),
                  placeText(e.lines[l])};
        });
    double rest = 1;
    for (const Shares &s : e.lineShares)
      rest -= s.variance;
    if (std::abs(rest) >= visible)
      out << "(" << percent(rest) << " on no line of a source)\n";
  }

  void printLoops() {
    if (e.variance == 0 || e.loops.empty())
      return;
    title("loops: what is in them, and what of the variance their repeats explain");
    table(
        {"variance", "mean", "explains", "entered", "repeats", "loop"}, 1, e.loops.size(), "loops",
        [&](size_t l) { return e.loops[l].variance; },
        [&](size_t l) -> std::vector<std::string> {
          const LoopShares &s = e.loops[l];
          return {percent(s.variance), percent(s.mean),   percent(s.explains),
                  figure(s.entered),   figure(s.repeats), placeText(s.at)};
        });
  }

  void printBranches() {
    if (e.branches.empty())
      return;
    title("branches: what of the variance their outcome explains");
    table(
        {"explains", "evaluated", "taken", "each adds", "branch"}, 1, e.branches.size(), "branches",
        [&](size_t b) { return e.branches[b].explains; },
        [&](size_t b) -> std::vector<std::string> {
          const BranchShares &s = e.branches[b];
          std::string arm = s.isSwitch      ? "switch"
                            : !s.senseKnown ? "if"
                            : s.arm == 0    ? "if, true"
                                            : "if, false";
          if (s.target != 0)
            arm += ", to line " + std::to_string(s.target);
          return {percent(s.explains), figure(s.evaluated), figure(s.taken), figure(s.each),
                  placeText(s.at) + ": " + arm};
        });
  }

  void printContrast(const Contrast &c) {
    table(
        {"difference", "cost", "others", "calls", "others", "", "function"}, 1, e.functions.size(),
        "functions", [&](size_t f) { return c.functions[f].share; },
        [&](size_t f) -> std::vector<std::string> {
          const Contrast::Item &i = c.functions[f];
          return {percent(i.share),   figure(i.cost),         figure(i.rest),
                  figure(i.executed), figure(i.executedRest), times(i.executed, i.executedRest),
                  function(f)};
        });
    out << "\n";
    printContrastLines(c);
  }

  void printContrastLines(const Contrast &c) {
    table(
        {"difference", "executed", "others", "", "line"}, 1, e.lines.size(), "lines",
        [&](size_t l) { return c.lines[l].share; },
        [&](size_t l) -> std::vector<std::string> {
          const Contrast::Item &i = c.lines[l];
          return {percent(i.share), figure(i.executed), figure(i.executedRest),
                  times(i.executed, i.executedRest), placeText(e.lines[l])};
        });
  }

  void printTail() {
    const Tail &t = e.tail;
    if (e.variance == 0)
      return;
    if (t.runs.empty()) {
      out << "\nno " << runs() << " stand out as a tail: fewer than 10, or more than half cost as "
          << "much as the costliest\n";
      return;
    }
    const size_t others = e.observed.used() - t.runs.size();
    title("the tail: the " + std::to_string(t.runs.size()) + " costliest " + runs() +
          " against the other " + std::to_string(others) + ": " + figure(t.contrast.cost) +
          " against " + figure(t.contrast.rest) + ", " + times(t.contrast.cost, t.contrast.rest));
    printContrast(t.contrast);
  }

  /// "size 10 .. 200 (median 50)".
  static std::string featuresText(const Cluster &g) {
    std::string s;
    for (const auto &[name, r] : g.features)
      s += (s.empty() ? "" : ", ") + escape(name) + " " + figure(r.low) + " .. " + figure(r.high) +
           " (median " + figure(r.median) + ")";
    return s;
  }

  std::string labelsText(const Cluster &g) const {
    std::string s;
    for (size_t i = 0; i < std::min(labelsOfGroups, g.runs.size()); ++i)
      s += (i == 0 ? "" : ", ") + escape(e.observed.runs[g.runs[i]].label);
    return s + (g.runs.size() > labelsOfGroups ? ", ..." : "");
  }

  void printGroups() {
    if (e.groups.empty())
      return;
    title(std::to_string(e.groups.size()) + " groups of " + runs() + " by cost");
    Grid grid({"group", runs(), "share", "from", "to", "mean", "inputs", "with"}, 2);
    for (size_t g = 0; g < e.groups.size(); ++g) {
      const Cluster &of = e.groups[g];
      grid.add({std::to_string(g + 1), std::to_string(of.runs.size()), percent(of.share),
                figure(of.low), figure(of.high), figure(of.mean), labelsText(of),
                featuresText(of)});
    }
    grid.print(out, options.colour);
    for (size_t g = 1; g < e.groups.size(); ++g)
      printDifference(g);
  }

  /// Functions with a part in the difference of the groups, those first that tell them apart best.
  void printDifference(size_t g) {
    const Cluster &of = e.groups[g];
    title("group " + std::to_string(g + 1) + " against group " + std::to_string(g) +
          "; sd: the difference of the function's cost in deviations within the groups");
    table(
        {"sd", "difference", "cost", "group " + std::to_string(g), "calls", "", "function"}, 1,
        e.functions.size(), "functions",
        [&](size_t f) {
          const double share = std::abs(of.contrast.functions[f].share);
          return share < partOfDifference ? 0 : std::min(std::abs(of.apart[f]), 1e6) + 1e-9 * share;
        },
        [&](size_t f) -> std::vector<std::string> {
          const Contrast::Item &i = of.contrast.functions[f];
          return {std::isinf(of.apart[f]) ? "always" : figure(of.apart[f]),
                  percent(i.share),
                  figure(i.cost),
                  figure(i.rest),
                  figure(i.executed),
                  times(i.executed, i.executedRest),
                  function(f)};
        });
    out << "\n";
    printContrastLines(of.contrast);
  }

  /// "+78.0 % f, +12.1 % g".
  std::string mostly(const std::vector<Contrast::Item> &items, size_t top, bool isLine) const {
    std::string s;
    for (const size_t i : ranked(items.size(), top, [&](size_t item) { return items[item].share; }))
      if (std::abs(items[i].share) >= visible)
        s += (s.empty() ? "" : ", ") + percent(items[i].share) + " " +
             (isLine ? placeText(e.lines[i]) : function(i));
    return s;
  }

  void printSlowest() {
    if (e.slowest.empty())
      return;
    const std::vector<RunFigures> &all = e.observed.runs;
    title("what the slowest do more than the median, " + escape(all[e.median].label));
    Grid grid({"cost", "of it", "input", "by function", "most on line"}, 3);
    for (const SlowRun &s : e.slowest) {
      const bool stopped = isCensored(all[s.run].outcome);
      grid.add({(stopped ? ">= " : "") + figure(s.contrast.cost),
                times(s.contrast.cost, s.contrast.rest),
                escape(all[s.run].label) + (stopped ? "  (stopped)" : ""),
                mostly(s.contrast.functions, partsOfSlowRuns, false),
                mostly(s.contrast.lines, 1, true)});
    }
    grid.print(out, options.colour);
  }

  void printUncounted() {
    if (e.uncounted.empty())
      return;
    title("calls of code that was not counted");
    table(
        {"calls", "function", "mostly from"}, 2, e.uncounted.size(), "functions",
        [&](size_t c) { return std::max(e.uncounted[c].calls, visible); },
        [&](size_t c) -> std::vector<std::string> {
          const UncountedCall &call = e.uncounted[c];
          return {figure(call.calls), escape(demangle(call.name)), function(call.caller)};
        });
  }

  const Explained &e;
  const ExplainOptions &options;
  std::ostream &out;
  Labels labels;
};

} // namespace

void printExplained(const Explained &e, const ExplainOptions &options, std::ostream &out) {
  Printer(e, options, out).print();
}

} // namespace quincunx
