// Prints what some runs do more than others. The idea: differences of means, each with what makes
// it. Reference: docs/18-why-runs-differ.md. It computes nothing that is not in the estimate.
#include "ExplainTables.h"

#include <cmath>
#include <cstdio>

namespace quincunx {

namespace {

constexpr size_t partsOfSlowRuns = 3, labelsOfGroups = 3;
/// Share of the difference of two groups below which a function is not worth telling.
constexpr double partOfDifference = 0.01;

class TailPrinter : ExplainTables {
public:
  using ExplainTables::ExplainTables;
  void print() {
    printTail();
    printGroups();
    printSlowest();
  }

private:
  void printContrast(const Contrast &c) {
    table(
        {"difference", "cost", "others", "calls", "others", "", "function"}, 1, e.functions.size(),
        "functions", [&](size_t f) { return c.functions[f].share; },
        [&](size_t f) -> std::vector<std::string> {
          const Contrast::Item &i = c.functions[f];
          const bool isCalled = i.executed != 0 || i.executedRest != 0; // it may be inlined
          return {percent(i.share),
                  shortFigure(i.cost),
                  shortFigure(i.rest),
                  isCalled ? shortFigure(i.executed) : "",
                  isCalled ? shortFigure(i.executedRest) : "",
                  times(i.executed, i.executedRest),
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
          if (e.lines[l].foreign) // how often all of them were executed says nothing
            return {percent(i.share), "", "", "", placeText(e.lines[l])};
          return {percent(i.share), shortFigure(i.executed), shortFigure(i.executedRest),
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
          " against the other " + std::to_string(others) + ": " + shortFigure(t.contrast.cost) +
          " against " + shortFigure(t.contrast.rest) + ", " +
          times(t.contrast.cost, t.contrast.rest));
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
                shortFigure(of.low), shortFigure(of.high), shortFigure(of.mean), labelsText(of),
                featuresText(of)});
    }
    grid.print(out, options.display);
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
          return {std::isinf(of.apart[f]) ? "always" : shortFigure(of.apart[f]),
                  percent(i.share),
                  shortFigure(i.cost),
                  shortFigure(i.rest),
                  shortFigure(i.executed),
                  times(i.executed, i.executedRest),
                  function(f)};
        });
    out << "\n";
    printContrastLines(of.contrast);
  }

  /// "+78.0 % f, +12.1 % g".
  std::string mostly(const std::vector<Contrast::Item> &items, size_t top, bool isLine) const {
    std::string s;
    const auto key = [&](size_t i) { return isLine && e.lines[i].foreign ? 0 : items[i].share; };
    for (const size_t i : ranked(items.size(), top, key))
      if (std::abs(key(i)) >= visible)
        s += (s.empty() ? "" : ", ") + percent(items[i].share) + " " +
             (isLine ? placeText(e.lines[i]) : function(i));
    return s;
  }

  void printSlowest() {
    if (e.slowest.empty())
      return;
    const std::vector<RunFigures> &all = e.observed.runs;
    title("what the slowest do more than the median, " + escape(all[e.median].label));
    Grid grid({"cost", "of it", "input", "most on line", "by function"}, 3);
    grid.holdsSentences();
    for (const SlowRun &s : e.slowest) {
      const bool stopped = isCensored(all[s.run].outcome);
      grid.add({(stopped ? ">= " : "") + shortFigure(s.contrast.cost),
                times(s.contrast.cost, s.contrast.rest),
                escape(all[s.run].label) + (stopped ? "  (stopped)" : ""),
                mostly(s.contrast.lines, 1, true),
                mostly(s.contrast.functions, partsOfSlowRuns, false)});
    }
    grid.print(out, options.display);
  }
};

} // namespace

std::string ExplainTables::placeText(const SourceLine &at) const {
  if (at.foreign && at.file.empty())
    return "(" + escape(at.function) + ")";
  std::string s = at.file.empty() ? "?" : escape(fileName(at.file));
  if (at.line != 0) // the compiler merged it from several
    s += ":" + std::to_string(at.line);
  return at.function.empty() ? s : s + " " + options.display.function(at.function);
}

std::string ExplainTables::times(double n, double of) {
  if (of == 0)
    return n == 0 ? "" : "new";
  char text[32];
  std::snprintf(text, sizeof text, n / of < 1e6 ? "x %.2f" : "x %.1e", n / of);
  return text;
}

void printTails(const Explained &e, const ExplainOptions &options, std::ostream &out) {
  TailPrinter(e, options, out).print();
}

} // namespace quincunx
