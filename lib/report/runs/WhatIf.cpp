// Prints answers to "what if", for people and for programs. The idea: first what was changed and
// what carries it, then the figures before and after side by side with their difference, or a line
// per value of the variable. Text is escaped, since names may come from a stranger's corpus.
#include "quincunx/report/WhatIf.h"

#include "quincunx/base/Text.h"
#include "report/layout/AppliedChanges.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace quincunx {

namespace {

constexpr size_t maxBranches = 10;

std::string bounded(const IntervalEstimate &b, bool lower) {
  return ((b.atLeast || lower) && std::isfinite(b.value) ? ">= " : "") + shortFigure(b.value);
}

/// A difference to that figure, without what sums of doubles leave.
double apart(const Compared &c, double difference) {
  return std::abs(difference) < 1e-12 * std::abs(c.before.value) ? 0 : difference;
}

/// A difference with its sign; nothing where one of two is not known.
std::string signedFigure(const Compared &c, double difference) {
  const double x = apart(c, difference);
  if (!std::isfinite(x))
    return "open";
  return (x > 0 ? "+" : "") + shortFigure(x);
}

std::string relative(const Compared &c) {
  const double share = apart(c, c.difference.value) / c.before.value;
  if (!std::isfinite(share))
    return "";
  return (share > 0 ? "+" : "") + percent(share);
}

/// Figures that runs which were stopped make lower bounds.
bool isLower(const WhatIfAnswer &a, const Compared &c) {
  return a.censored != 0 && !c.name.starts_with('p');
}

void printFigures(const WhatIfAnswer &a, const Display &display, std::ostream &out) {
  std::vector<std::string> headings{
      "",           "before",        "90 % interval", "after", "90 % interval",
      "difference", "90 % interval", "change"};
  const auto follows = [](const Compared &c) { return c.along.has_value(); };
  const bool along = std::any_of(a.figures.begin(), a.figures.end(), follows);
  if (along)
    headings.push_back("after, if the rest follows");
  Grid grid(std::move(headings), 0);
  grid.isDividedAt({3, 5}); // what was before, after, and the difference
  for (const Compared &c : a.figures) {
    std::vector<std::string> row{c.name,
                                 bounded(c.before, isLower(a, c)),
                                 shortFigure(c.before.trust),
                                 bounded(c.after, isLower(a, c)),
                                 shortFigure(c.after.trust),
                                 signedFigure(c, c.difference.value),
                                 signedFigure(c, c.difference.trust.low) + " .. " +
                                     signedFigure(c, c.difference.trust.high),
                                 relative(c)};
    if (along)
      row.push_back(c.along ? shortFigure(*c.along) : "");
    grid.add(std::move(row));
  }
  grid.print(out, display);
}

std::string placeOf(const CodePlace &at, const Display &display) {
  return escape(at.file.empty() ? "?" : fileName(at.file)) + ":" + std::to_string(at.line) + " " +
         display.function(at.function);
}

/// Branches that go otherwise, as far as the digits that are shown tell.
void printDrifts(const WhatIfAnswer &a, const Display &display, std::ostream &out) {
  Grid drifts({"per run", "true at the smallest", "at the largest", "branch"}, 1);
  size_t shown = 0;
  for (const BranchDrift &b : a.growth.branches) {
    const std::string small = percent(b.small), large = percent(b.large);
    if (small == large || shown == maxBranches)
      continue;
    drifts.add({shortFigure(b.evaluated), small, large, placeOf(b.at, display)});
    ++shown;
  }
  if (shown == 0)
    return;
  out << "Branches in them that go otherwise as " << escape(a.grows) << " grows\n";
  drifts.print(out, display);
  out << "\n";
}

/// Iterations per run of the hottest loops, as they grow with the size.
void printGrowth(const WhatIfAnswer &a, const Display &display, std::ostream &out) {
  if (a.growth.loops.empty())
    return;
  out << "Iterations of the hottest loops, by " << escape(a.grows) << "\n";
  Grid grid({"mean cost", "per run", "error", "law", "loop"}, 2);
  for (const LoopGrowth &l : a.growth.loops)
    grid.add(
        {percent(l.share), shortFigure(l.iterations), percent(l.law.error),
         l.holds ? escape(l.law.text(a.grows)) : "none found",
         placeOf(l.at, display) + (l.trips.empty() ? "" : " (" + escape(l.trips) + " times)")});
  grid.print(out, display);
  out << "(error: of iterations at the larger half of the sizes, told from the smaller half)\n\n";
  printDrifts(a, display, out);
}

void printSweep(const WhatIfAnswer &a, const Display &display, std::ostream &out) {
  std::vector<std::string> headings{escape(a.variable)}, before{"before"};
  for (const Compared &c : a.figures) {
    headings.push_back(c.name);
    before.push_back(bounded(c.before, isLower(a, c)));
  }
  Grid grid(headings, 0);
  grid.add(before);
  for (const SweepPoint &p : a.points) {
    std::vector<std::string> row{figure(p.x)};
    for (size_t f = 0; f < p.after.size(); ++f)
      row.push_back(
          bounded({p.after[f], a.figures[f].before.atLeast, {}}, isLower(a, a.figures[f])));
    grid.add(row);
  }
  grid.print(out, display);
}

/// Of two variables: a table per figure, with a column for each value of the second.
void printTables(const WhatIfAnswer &a, const Display &display, std::ostream &out) {
  std::vector<double> rows, columns;
  for (const SweepPoint &p : a.points) {
    if (columns.empty() || columns.back() != p.y)
      columns.push_back(p.y);
    if (columns.size() == 1)
      rows.push_back(p.x);
  }
  for (size_t f = 0; f < a.figures.size(); ++f) {
    const Compared &c = a.figures[f];
    const bool lower = isLower(a, c);
    out << (f == 0 ? "" : "\n") << c.name << ", before " << bounded(c.before, lower) << "\n";
    std::vector<std::string> headings{escape(a.variable)};
    for (const double y : columns)
      headings.push_back(escape(a.otherVariable) + " = " + figure(y));
    Grid grid(headings, 0);
    for (size_t r = 0; r < rows.size(); ++r) {
      std::vector<std::string> row{figure(rows[r])};
      for (size_t i = 0; i < columns.size(); ++i)
        row.push_back(
            bounded({a.points[i * rows.size() + r].after[f], c.before.atLeast, {}}, lower));
      grid.add(row);
    }
    grid.print(out, display);
  }
}

ordered_json toJson(const IntervalEstimate &b) {
  return {{"value", number(b.value)}, {"atLeast", b.atLeast}, {"interval", toJson(b.trust)}};
}

ordered_json toJson(const CodePlace &at) {
  return {{"file", at.file}, {"line", at.line}, {"column", at.column}, {"function", at.function}};
}

ordered_json growthJson(const WhatIfAnswer &a) {
  ordered_json loops = ordered_json::array(), branches = ordered_json::array();
  for (const LoopGrowth &l : a.growth.loops)
    loops.push_back({{"at", toJson(l.at)},
                     {"share", l.share},
                     {"iterations", l.iterations},
                     {"trips", l.trips},
                     {"law", l.law.text(a.grows)},
                     {"error", number(l.law.error)},
                     {"holds", l.holds}});
  for (const BranchDrift &b : a.growth.branches)
    branches.push_back({{"at", toJson(b.at)},
                        {"evaluated", b.evaluated},
                        {"atSmallest", b.small},
                        {"atLargest", b.large}});
  return {{"size", a.grows}, {"loops", std::move(loops)}, {"branches", std::move(branches)}};
}

ordered_json worldJson(const WhatIfAnswer &a, IntervalEstimate Compared::*which) {
  ordered_json j = ordered_json::object();
  for (const Compared &c : a.figures)
    j[c.name] = toJson(c.*which);
  return j;
}

ordered_json pointsJson(const WhatIfAnswer &a) {
  ordered_json points = ordered_json::array();
  for (const SweepPoint &p : a.points) {
    ordered_json j{{"x", p.x}};
    if (!a.otherVariable.empty())
      j["y"] = p.y;
    for (size_t f = 0; f < p.after.size(); ++f)
      j[a.figures[f].name] = number(p.after[f]);
    points.push_back(std::move(j));
  }
  return points;
}

} // namespace

void printWhatIf(const WhatIfAnswer &a, const Display &display, std::ostream &out) {
  const uint64_t used = a.finished + a.censored;
  const bool runs = a.request.empty();
  const std::string title = runs ? "What if, cost per run"
                                 : "What if, cost per request of " + display.function(a.request);
  printHeading(title,
               " in " + escape(a.unit) + " (machine " + escape(a.machine) + "), " +
                   std::to_string(used) + (runs ? " run" : " request") + (used == 1 ? "" : "s"),
               display, out);
  out << "\n";
  printChanges(a.changes, display, out);
  out << "\n";
  if (a.variable.empty())
    printFigures(a, display, out);
  else if (a.otherVariable.empty())
    printSweep(a, display, out);
  else
    printTables(a, display, out);
  out << "\n";
  printGrowth(a, display, out);
  printNotes(a.notes, out);
}

Status printWhatIfJson(const WhatIfAnswer &a, const std::string &corpus, std::ostream &out) {
  ordered_json j{{"schema", schemaOf("whatif")}, {"corpus", corpus}};
  j["per"] = a.request.empty() ? "run" : "request";
  if (!a.request.empty())
    j["request"] = a.request;
  j["machine"] = a.machine;
  j["unit"] = a.unit;
  j["machineAfter"] = a.otherMachine;
  j["unitAfter"] = a.otherUnit;
  j["runs"] = {{"used", a.finished + a.censored}, {"finished", a.finished},
               {"censored", a.censored},          {"crashed", a.crashed},
               {"unrecorded", a.unrecorded},      {"equalAfter", a.afterRuns}};
  j["lowerBounds"] = a.censored != 0;
  j["changes"] = toJson(a.changes);
  j["before"] = worldJson(a, &Compared::before);
  if (a.variable.empty()) {
    j["after"] = worldJson(a, &Compared::after);
    for (const Compared &c : a.figures)
      if (c.along)
        j["after"][c.name]["along"] = number(*c.along);
    j["difference"] = worldJson(a, &Compared::difference);
  } else {
    j["variable"] = a.variable;
    if (!a.otherVariable.empty())
      j["otherVariable"] = a.otherVariable;
    j["points"] = pointsJson(a);
  }
  if (!a.grows.empty())
    j["growth"] = growthJson(a);
  return write(std::move(j), a.notes, out);
}

} // namespace quincunx
