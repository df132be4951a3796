// Prints what models say: a point, a table, lines for programs.
// The idea: a column says whether it is the time or a bound of it. Reference: docs/12-pamela.md.
// Figures are made in ModelFigures.cpp.
#include "quincunx/report/Eval.h"

#include "ModelText.h"
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Print.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace quincunx {

namespace {

std::vector<double> percentilesOf(const pamela::Evaluated &e) {
  std::vector<double> values;
  for (const double p : reportedPercentiles)
    values.push_back(lowerQuantile(e, p));
  return values;
}

constexpr const char *upperNames[] = {"upper p50", "upper p90", "upper p99", "upper p99.9"};

std::vector<double> upperPercentilesOf(const pamela::Evaluated &e) {
  std::vector<double> values;
  for (const double p : reportedPercentiles)
    values.push_back(upperQuantile(e, p));
  return values;
}

struct Column {
  const char *name;
  double value;
};

/// Everything, for programs.
std::vector<Column> columns(const EvaluatedPoint &point) {
  const pamela::Evaluated &e = point.result;
  const Moments m = moments(e.T);
  std::vector<Column> all{
      {"mean", m.mean}, {"sd", m.deviation()}, {"skewness", m.skewness}, {"kurtosis", m.kurtosis}};
  const std::vector<double> percentiles = percentilesOf(e);
  for (size_t i = 0; i < percentiles.size(); ++i)
    all.push_back({percentileNames[i], percentiles[i]});
  const std::vector<double> above = upperPercentilesOf(e);
  all.push_back({"upper", boundOf(e, "mean", true)});
  for (size_t i = 0; i < above.size(); ++i)
    all.push_back({upperNames[i], above[i]});
  all.insert(all.end(), {{"phi", e.phi.k1}, {"omega", e.omega.k1}, {"theta", e.theta}});
  return all;
}

/// What people compare: where only bounds are known, both of them.
std::vector<Column> shortColumns(const EvaluatedPoint &point, bool bounds) {
  const pamela::Evaluated &e = point.result;
  const auto low = [&](const char *name) { return boundOf(e, name, false); };
  const auto high = [&](const char *name) { return boundOf(e, name, true); };
  std::vector<Column> all;
  if (bounds)
    all = {{"lower mean", low("mean")}, {"upper mean", high("mean")}, {"lower p50", low("p50")},
           {"upper p50", high("p50")},  {"lower p99", low("p99")},    {"upper p99", high("p99")}};
  else
    all = {{"mean", low("mean")}, {"sd", low("sd")},   {"p50", low("p50")},
           {"p90", low("p90")},   {"p99", low("p99")}, {"p99.9", low("p99.9")}};
  all.insert(all.end(), {{"phi", e.phi.k1}, {"omega", e.omega.k1}});
  return all;
}

void addSimulated(const EvaluatedPoint &p, std::vector<Column> &to) {
  if (!p.simulated)
    return;
  to.push_back({"simulated mean", p.simulated->moments.mean});
  to.push_back({"standard error", p.simulated->standardError.value_or(std::nan(""))});
}

/// The error that makes the 90 % interval as wide as it is.
std::string errorOf(const pamela::TimePercentile &p) {
  const double half = (p.high - p.low) / 2;
  return std::isfinite(half) ? figure(half / pamela::meanConfidence) : "";
}

void printOne(const EvaluatedPoint &point, const Display &display, std::ostream &out) {
  const pamela::Evaluated &e = point.result;
  const bool known = e.isTime(), upper = !known && e.upper;
  std::vector<std::string> names{"", known ? "time" : "lower bound"};
  if (upper)
    names.emplace_back("upper bound");
  if (point.simulated)
    names.insert(names.end(), {"simulated", "standard error"});
  names.insert(names.end(), {"critical path", "contention"});
  Grid grid(names, 0);
  const auto row = [&](const char *name, const std::string &low, const std::string &high,
                       const std::vector<std::string> &simulated,
                       const std::vector<std::string> &last) {
    std::vector<std::string> cells{name, low};
    if (upper)
      cells.push_back(high);
    if (point.simulated)
      cells.insert(cells.end(), simulated.begin(), simulated.end());
    cells.insert(cells.end(), last.begin(), last.end());
    grid.add(std::move(cells));
  };
  const auto both = [&](const char *name) {
    return std::vector{figure(*figureOf(e.phi, name)), figure(*figureOf(e.omega, name))};
  };
  const pamela::Simulated none, &s = point.simulated ? *point.simulated : none;
  row("mean", figure(e.T.k1), upper ? figure(e.upper->mean()) : "",
      {figure(s.moments.mean), s.standardError ? figure(*s.standardError) : ""}, both("mean"));
  for (const char *name : {"sd", "skewness", "kurtosis"})
    row(name, figure(*figureOf(e.T, name)), "", {figure(*figureOf(cumulants(s.moments), name)), ""},
        both(name));
  const std::vector<double> percentiles = percentilesOf(e), above = upperPercentilesOf(e);
  for (size_t i = 0; i < percentiles.size(); ++i)
    row(percentileNames[i], figure(percentiles[i]), figure(above[i]),
        {figure(s.percentiles[i].value), errorOf(s.percentiles[i])}, {"", ""});
  grid.print(out, display);
  out << "\n";
  if (std::isfinite(e.theta))
    out << "index of contention: " << figure(e.theta)
        << " (logarithm of contention over critical path)\n";
  if (!known)
    out << "The time is between the bounds"
        << (point.simulated ? "" : ": 'quincunx simulate' tells where, or --simulate")
        << (e.upper ? "" : "; for an upper bound there is too much to go through") << "\n";
}

/// One line for each point.
void printTable(const EvaluatedModel &m, const Display &display, std::ostream &out) {
  const bool several = m.targets.size() > 1;
  const bool bounds = std::any_of(m.points.begin(), m.points.end(),
                                  [](const EvaluatedPoint &p) { return !p.result.isTime(); });
  const auto columnsOf = [&](const EvaluatedPoint &p) {
    std::vector<Column> all = shortColumns(p, bounds);
    addSimulated(p, all);
    return all;
  };
  std::vector<std::string> names;
  if (several)
    names.emplace_back("target");
  for (const auto &[name, value] : m.points[0].parameters)
    names.push_back(escape(name));
  for (const Column &c : columnsOf(m.points[0]))
    names.emplace_back(c.name);
  Grid grid(names, 0);
  for (const EvaluatedPoint &p : m.points) {
    std::vector<std::string> row;
    if (several)
      row.push_back(escape(p.target));
    for (const auto &[name, value] : p.parameters)
      row.push_back(figure(value));
    for (const Column &c : columnsOf(p))
      row.push_back(figure(c.value));
    grid.add(std::move(row));
  }
  grid.print(out, display);
  out << "\n";
  if (bounds)
    out << "Times are between the bounds.\n";
}

} // namespace

std::string listed(const std::vector<std::string> &names) {
  std::string all;
  for (const std::string &name : names)
    all += (all.empty() ? "" : ", ") + escape(name);
  return all;
}

std::vector<Note> notesOf(const EvaluatedModel &m) {
  std::vector<Note> notes;
  const auto add = [&](const std::string &text) {
    if (std::none_of(notes.begin(), notes.end(), [&](const Note &n) { return n.text == text; }))
      notes.push_back({"model", text});
  };
  for (const std::string &remark : m.remarks)
    add(remark);
  for (const EvaluatedPoint &p : m.points)
    for (const std::string &text : p.result.notes)
      add(text);
  if (std::any_of(m.points.begin(), m.points.end(),
                  [](const EvaluatedPoint &p) { return isFitted(p.result); }))
    add("percentiles are of laws that were fitted to moments, as no law is known here");
  if (std::any_of(m.points.begin(), m.points.end(),
                  [](const EvaluatedPoint &p) { return std::isnan(percentilesOf(p.result)[0]); }))
    add("percentiles are not known: no law was found that has these moments; 'quincunx simulate' "
        "tells them");
  return notes;
}

void printEvaluated(const EvaluatedModel &m, const Display &display, std::ostream &out) {
  const bool table = m.points.size() > m.targets.size();
  if (table) {
    out << heading("Time of " + listed(m.targets), display) << "\n\n";
    printTable(m, display, out);
  }
  for (size_t i = 0; i < m.points.size() && !table; ++i) {
    // Behind a grid alone there is a blank line already.
    const bool text =
        i > 0 && (std::isfinite(m.points[i - 1].result.theta) || !m.points[i - 1].result.isTime());
    out << (text ? "\n" : "") << heading("Time of " + escape(m.points[i].target), display);
    for (const auto &[name, value] : m.points[i].parameters)
      out << ", " << escape(name) << " = " << figure(value);
    out << "\n\n";
    printOne(m.points[i], display, out);
  }
  printNotes(notesOf(m), out);
}

void printEvaluatedTsv(const EvaluatedModel &m, std::ostream &out) {
  const bool several = m.targets.size() > 1;
  std::string line;
  const auto field = [&](const std::string &text) {
    line.append(line.empty() ? "" : "\t").append(text);
  };
  const auto columnsOf = [](const EvaluatedPoint &p) {
    std::vector<Column> all = columns(p);
    addSimulated(p, all);
    return all;
  };
  if (several)
    field("target");
  for (const auto &[name, value] : m.points[0].parameters)
    field(escapeWhole(name));
  for (const Column &c : columnsOf(m.points[0]))
    field(c.name);
  out << line << "\n";
  for (const EvaluatedPoint &p : m.points) {
    line.clear();
    if (several)
      field(escapeWhole(p.target));
    for (const auto &[name, value] : p.parameters)
      field(exact(value));
    for (const Column &c : columnsOf(p))
      field(exact(c.value));
    out << line << "\n";
  }
}

namespace {

ordered_json toJson(const pamela::Simulated &s) {
  ordered_json j{{"replications", s.times.size()},
                 {"mean", number(s.moments.mean)},
                 {"standardError", s.standardError ? number(*s.standardError) : ordered_json()}};
  for (size_t i = 0; i < s.percentiles.size(); ++i)
    j[percentileNames[i]] = {
        {"value", number(s.percentiles[i].value)},
        {"interval", quincunx::toJson(Interval{s.percentiles[i].low, s.percentiles[i].high})}};
  return j;
}

} // namespace

Status printEvaluatedJson(const EvaluatedModel &m, std::ostream &out) {
  const bool several = m.targets.size() > 1;
  ordered_json j{{"schema", schemaOf("eval")}, {"model", m.file}};
  j[several ? "targets" : "target"] =
      several ? ordered_json(m.targets) : ordered_json(m.targets[0]);
  j["points"] = ordered_json::array();
  for (const EvaluatedPoint &p : m.points) {
    ordered_json row = ordered_json::object();
    if (several)
      row["target"] = p.target;
    row["parameters"] = ordered_json::object();
    for (const auto &[name, value] : p.parameters)
      row["parameters"][name] = number(value);
    for (const Column &c : columns(p))
      row[c.name] = number(c.value);
    if (p.simulated)
      row["simulated"] = toJson(*p.simulated);
    row["demands"] = ordered_json::array();
    for (const auto &[index, k] : p.demands)
      row["demands"].push_back({{"resource", number(index)}, {"mean", number(k.k1)}});
    j["points"].push_back(std::move(row));
  }
  return write(std::move(j), notesOf(m), out);
}

void printAnalyzed(const pamela::Analyzed &a, std::ostream &out) {
  std::string line;
  for (const std::string &p : a.assumptions) {
    if (!line.empty() && line.size() + p.size() > 90)
      out << line << ",\n", line = "%     " + p;
    else
      line += (line.empty() ? "% for " : ", ") + p;
  }
  if (!line.empty())
    out << line << "\n\n";
  if (!a.closed)
    out << "% Not all is in closed form: time to evaluate it grows with the bounds of what is left."
           "\n\n";
  if (a.piecewise)
    out << "% Derivatives are those of pieces: there is none at a step (floor, div, a condition), "
           "and at a\n% kink (max, abs) it is that of one side.\n\n";
  out << pamela::print(a.model);
}

Status printAnalyzedJson(const std::string &file, const std::string &target,
                         const pamela::Analyzed &a, std::ostream &out) {
  ordered_json j{{"schema", schemaOf("symbolic")}, {"model", file}, {"target", target}};
  j["parameters"] = ordered_json::array();
  j["ranges"] = ordered_json::object();
  j["results"] = ordered_json::object();
  for (const pamela::Definition &d : a.model.definitions)
    if (d.parameter) {
      j["parameters"].push_back(d.name);
      for (const auto &[side, bound] : {std::pair{"least", d.least}, {"most", d.most}})
        if (bound)
          j["ranges"][d.name][side] = pamela::print(bound);
    } else
      j["results"][d.name] = pamela::print(d.body);
  j["provisos"] = a.assumptions;
  j["closed"] = a.closed;
  j["piecewise"] = a.piecewise;
  return write(std::move(j), {}, out);
}

} // namespace quincunx
