// Prints why runs differ, for people. The idea: one table for each question, the answer with the
// largest share first; shares that round to nothing are left out. Every name is escaped. It
// computes nothing that is not in the estimate.
#include "quincunx/report/Explain.h"

#include "ExplainTables.h"
#include "Verdict.h"
#include "quincunx/base/Text.h"

#include <cmath>
#include <ostream>

namespace quincunx {

namespace {

/// Of what an effect costs, the most that one function may make for its share to be told.
constexpr double mostShare = 1.5;

class Printer : ExplainTables {
public:
  using ExplainTables::ExplainTables;

  void print() {
    printHead();
    printInputs();
    printFunctions();
    printTotals();
    printLines();
    printLoops();
    printBranches();
    printLeft();
    printTails(e, options, out);
    printUncounted();
    out << "\n";
    printNotes(e.observed.notes, out);
  }

private:
  void printHead() {
    const Observed &o = e.observed;
    printHeading(o.request.empty()
                     ? "Why runs differ in cost"
                     : "Why requests of " + options.display.function(o.request) + " differ in cost",
                 ", in " + escape(o.unit) + " (machine " + escape(o.machine) + "), " + runsLine(o),
                 options.display, out);
    const char *bound = o.censored != 0 ? ">= " : "";
    out << "mean " << bound << shortFigure(o.program.moments.mean) << ", sd " << bound
        << shortFigure(o.program.deviation) << ", p50 " << shortFigure(o.program.percentiles[0])
        << ", p99 " << shortFigure(o.program.percentiles[2]);
    if (e.within > 0) // rounded up
      out << "\nat most " << percent(std::ceil(1000 * e.within) / 1000)
          << " of the variance is random given the counts of a run";
    out << "\n\n";
    const std::string text = e.variance == 0 ? std::string("all ") + runs() + " cost the same"
                                             : printable(verdict(e, options.display));
    printWrapped(text, options.display, out);
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

  /// Functions that call what costs something.
  void printTotals() {
    const ExplainedTotals &t = e.totals;
    if (t.functions.empty() && t.unsolved > 0)
      out << "\nwhat functions make with what they call is not shown: in " << t.unsolved
          << " of the " << runs() << " counts do not tell whom pointers call\n";
    const auto own = [&](size_t f) -> const Shares & { return e.functionShares[f]; };
    const auto key = [&](size_t f) {
      const std::optional<TotalShares> &total = t.functions[f];
      const bool calls = total && (std::abs(total->variance - own(f).variance) >= visible ||
                                   std::abs(total->mean - own(f).mean) >= visible);
      return !calls ? 0 : e.variance > 0 ? total->variance : total->mean;
    };
    if (t.functions.empty() || key(ranked(t.functions.size(), 1, key).front()) == 0)
      return;
    const auto isAverage = [&](size_t f) { return key(f) != 0 && !t.functions[f]->isRecorded; };
    bool average = false;
    for (size_t f = 0; f < t.functions.size(); ++f)
      average = average || isAverage(f);
    title(std::string("with what they call") +
          (average ? " (~ each call taken as the average one of its run)" : ""));
    table({"variance", "itself", "tail", "mean", "function"}, 1, t.functions.size(), "functions",
          key, [&](size_t f) -> std::vector<std::string> {
            const std::string mark = isAverage(f) ? "~" : "";
            const TotalShares &total = *t.functions[f];
            return {mark + percent(total.variance), percent(own(f).variance),
                    mark + percent(total.tail), mark + percent(total.mean), function(f)};
          });
    printPath();
    if (t.isConverted)
      say("(recorded in the units of the build: by these prices, calls of a function are of one "
          "mix)");
    if (t.callbacks >= visible)
      say("(" + percent(t.callbacks) +
          " of the mean was entered from code that was not counted: in main, and where calls were "
          "recorded)");
    if (t.unsolved > 0)
      say("(in " + std::to_string(t.unsolved) + " of the " + runs() +
          " counts do not tell whom pointers call: of rows with ~ that is in main alone)");
  }

  void say(const std::string &sentence) { printWrapped(sentence, options.display, out); }

  void printPath() {
    const std::vector<CallStep> &path = e.totals.path;
    if (e.variance == 0 || path.size() < 2)
      return;
    std::string way;
    for (const CallStep &step : path)
      if (!e.functions[step.function].isForeign)
        way += (way.empty() ? "" : " > ") + function(step.function) + " " + percent(step.variance);
    say("heaviest way: " + cut(std::move(way), mostSaid));
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
    const std::vector<LoopShares> all = ofUser(e.loops);
    if (e.variance == 0 || all.empty())
      return;
    title("loops: what is in them, and what of the variance their repeats explain");
    table(
        {"variance", "mean", "explains", "entered", "repeats", "loop"}, 1, all.size(), "loops",
        [&](size_t l) { return all[l].variance; },
        [&](size_t l) -> std::vector<std::string> {
          const LoopShares &s = all[l];
          return {percent(s.variance),    percent(s.mean),        percent(s.explains),
                  shortFigure(s.entered), shortFigure(s.repeats), placeInText(s.at)};
        });
    sayForeign(e.loops.size() - all.size(), "loops");
  }

  void printBranches() {
    if (ofUser(e.branches).empty())
      return;
    title("branches: what of the variance their outcome explains; itself: by what the arms cost");
    printBranches(e.branches);
  }

  void printBranches(const std::vector<BranchShares> &found) {
    const std::vector<BranchShares> all = ofUser(found);
    table(
        {"itself", "explains", "evaluated", "taken", "each adds", "branch"}, 1, all.size(),
        "branches", [&](size_t b) { return all[b].rank(); },
        [&](size_t b) -> std::vector<std::string> {
          const BranchShares &s = all[b];
          std::string arm = s.isSwitch      ? "switch"
                            : !s.senseKnown ? "if"
                            : s.arm == 0    ? "if, true"
                                            : "if, false";
          if (s.target != 0)
            arm += ", to line " + std::to_string(s.target);
          return {s.itself ? percent(*s.itself) : "?",
                  percent(s.explains),
                  shortFigure(s.evaluated),
                  shortFigure(s.taken),
                  shortFigure(s.each),
                  placeInText(s.at) + ": " + arm +
                      (s.goesAlong() ? " (goes along: costs " + percent(s.cost) + " itself)" : "")};
        },
        Last::sentences);
    sayForeign(found.size() - all.size(), "branches");
  }

  void printLeft() {
    const ExplainedRest &r = e.rest;
    if (e.inputs.effects.empty())
      return;
    title("what the inputs leave: " + percent(r.left) + " of the variance");
    if (r.functions.empty()) {
      out << "next to nothing\n";
      return;
    }
    const auto print = [&](const std::vector<double> &shares, const std::vector<double> &tails,
                           const char *what, const auto &name) {
      table(
          {"variance", "tail", what}, 1, shares.size(), what, [&](size_t i) { return shares[i]; },
          [&](size_t i) -> std::vector<std::string> {
            return {percent(shares[i]), tails.empty() ? "" : percent(tails[i]), name(i)};
          });
      out << "\n";
    };
    print(r.functions, r.functionTails, "functions", [&](size_t f) { return function(f); });
    print(r.lines, r.lineTails, "lines", [&](size_t l) { return placeText(e.lines[l]); });
    printBranches(r.branches);
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
          return {shortFigure(call.calls), options.display.function(call.name),
                  function(call.caller)};
        });
  }
};

} // namespace

void printExplained(const Explained &e, const ExplainOptions &options, std::ostream &out) {
  Printer(e, options, out).print();
}

} // namespace quincunx
