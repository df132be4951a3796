// Answers to "what if", for people and for programs.
// The idea: first what was changed and what carries it, then the figures before and after side by
// side with their difference, or a line per value of the variable. Text is escaped, since names may
// come from a stranger's corpus.
#include "quincunx/report/WhatIf.h"

#include "Grid.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/Names.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

namespace quincunx {

namespace {

using nlohmann::ordered_json;

std::string bounded(const Bounded &b, bool lower) {
  return ((b.atLeast || lower) && std::isfinite(b.value) ? ">= " : "") + figure(b.value);
}

/// A difference with its sign; nothing where one of two is not known.
std::string signedFigure(double x) {
  if (!std::isfinite(x))
    return "open";
  return (x > 0 ? "+" : "") + figure(x);
}

std::string relative(const Compared &c) {
  const double share = c.difference.value / c.before.value;
  if (!std::isfinite(share))
    return "";
  return (share > 0 ? "+" : "") + percent(share);
}

/// Figures that runs which were stopped make lower bounds.
bool isLower(const WhatIfAnswer &a, const Compared &c) {
  return a.censored != 0 && !c.name.starts_with('p');
}

void printChanges(const WhatIfAnswer &a, std::ostream &out) {
  for (const Applied &c : a.changes)
    out << "  " << escape(c.change) << "\n      " << c.effect << "; " << c.assumption << "\n";
}

void printFigures(const WhatIfAnswer &a, bool colour, std::ostream &out) {
  Grid grid({"", "before", "90 % interval", "after", "90 % interval", "difference", "90 % interval",
             "change"},
            0);
  for (const Compared &c : a.figures)
    grid.add({c.name, bounded(c.before, isLower(a, c)), figure(c.before.trust),
              bounded(c.after, isLower(a, c)), figure(c.after.trust),
              signedFigure(c.difference.value),
              signedFigure(c.difference.trust.low) + " .. " + signedFigure(c.difference.trust.high),
              relative(c)});
  grid.print(out, colour);
}

void printSweep(const WhatIfAnswer &a, bool colour, std::ostream &out) {
  std::vector<std::string> headings{a.variable}, before{"before"};
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
  grid.print(out, colour);
}

ordered_json number(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }

ordered_json toJson(const Bounded &b) {
  return {{"value", number(b.value)},
          {"atLeast", b.atLeast},
          {"interval", {number(b.trust.low), number(b.trust.high)}}};
}

ordered_json worldJson(const WhatIfAnswer &a, Bounded Compared::*which) {
  ordered_json j = ordered_json::object();
  for (const Compared &c : a.figures)
    j[c.name] = toJson(c.*which);
  return j;
}

ordered_json pointsJson(const WhatIfAnswer &a) {
  ordered_json points = ordered_json::array();
  for (const SweepPoint &p : a.points) {
    ordered_json j{{"x", p.x}};
    for (size_t f = 0; f < p.after.size(); ++f)
      j[a.figures[f].name] = number(p.after[f]);
    points.push_back(std::move(j));
  }
  return points;
}

} // namespace

void printWhatIf(const WhatIfAnswer &a, bool colour, std::ostream &out) {
  const uint64_t used = a.finished + a.censored;
  const bool runs = a.request.empty();
  const std::string heading = runs ? "What if, cost per run"
                                   : "What if, cost per request of " + escape(demangle(a.request));
  out << (colour ? "\033[1m" + heading + "\033[0m" : heading) << " in " << escape(a.unit)
      << " (machine " << escape(a.machine) << "), " << used << (runs ? " run" : " request")
      << (used == 1 ? "" : "s") << "\n\n";
  printChanges(a, out);
  out << "\n";
  if (a.variable.empty())
    printFigures(a, colour, out);
  else
    printSweep(a, colour, out);
  out << "\n";
  for (const Note &n : a.notes)
    out << "note: " << escape(n.text) << "\n";
}

void printWhatIfJson(const WhatIfAnswer &a, const std::string &corpus, std::ostream &out) {
  ordered_json j{{"version", 1}, {"corpus", corpus}};
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
  j["changes"] = ordered_json::array();
  for (const Applied &c : a.changes)
    j["changes"].push_back(
        {{"change", c.change}, {"effect", c.effect}, {"assumption", c.assumption}});
  j["before"] = worldJson(a, &Compared::before);
  if (a.variable.empty()) {
    j["after"] = worldJson(a, &Compared::after);
    j["difference"] = worldJson(a, &Compared::difference);
  } else {
    j["variable"] = a.variable;
    j["points"] = pointsJson(a);
  }
  j["notes"] = ordered_json::array();
  for (const Note &n : a.notes)
    j["notes"].push_back({{"kind", n.kind}, {"text", n.text}});
  out << j.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

} // namespace quincunx
