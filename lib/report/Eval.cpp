// Answers of models. Percentiles are of a law that has the four moments; no law is measured here.
#include "quincunx/report/Eval.h"

#include "Grid.h"
#include "JsonParts.h"
#include "Sections.h"
#include "quincunx/base/Text.h"
#include "quincunx/dist/Fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace quincunx {

namespace {

std::vector<double> percentilesOf(const Cumulants &k) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Range range{k.k1 >= 0 ? 0 : -inf, inf};
  const Result<Fit> fit = fitLaw(project(moments(k)).moments, range);
  std::vector<double> values;
  for (const double p : reportedPercentiles)
    values.push_back(fit ? fit->law->quantile(p) : std::nan(""));
  return values;
}

struct Column {
  const char *name;
  double value;
};

std::vector<Column> columns(const pamela::Evaluated &e) {
  const Moments m = moments(e.T);
  std::vector<Column> all{
      {"mean", m.mean}, {"sd", m.deviation()}, {"skewness", m.skewness}, {"kurtosis", m.kurtosis}};
  const std::vector<double> percentiles = percentilesOf(e.T);
  for (size_t i = 0; i < percentiles.size(); ++i)
    all.push_back({percentileNames[i], percentiles[i]});
  all.insert(all.end(),
             {{"upper", e.upper.k1}, {"phi", e.phi.k1}, {"omega", e.omega.k1}, {"theta", e.theta}});
  return all;
}

void printOne(const EvaluatedPoint &point, bool colour, std::ostream &out) {
  const pamela::Evaluated &e = point.result;
  Grid grid({"", "time", "critical path", "contention"}, 0);
  const Moments T = moments(e.T), phi = moments(e.phi), omega = moments(e.omega);
  const auto row = [&](const char *name, auto of) {
    grid.add({name, figure(of(T)), figure(of(phi)), figure(of(omega))});
  };
  row("mean", [](const Moments &m) { return m.mean; });
  row("sd", [](const Moments &m) { return m.deviation(); });
  row("skewness", [](const Moments &m) { return m.skewness; });
  row("kurtosis", [](const Moments &m) { return m.kurtosis; });
  const std::vector<double> percentiles = percentilesOf(e.T);
  for (size_t i = 0; i < percentiles.size(); ++i)
    grid.add({percentileNames[i], figure(percentiles[i]), "", ""});
  grid.print(out, colour);
  out << "\n";
  if (std::isfinite(e.theta))
    out << "index of contention: " << figure(e.theta)
        << " (logarithm of contention over critical path)\n";
  if (e.upper.k1 > e.T.k1 * (1 + 1e-6))
    out << "mean up to " << figure(e.upper.k1)
        << " if waiting and working hang together as badly as they can\n";
  for (const std::string &note : e.notes)
    out << "note: " << note << "\n";
}

std::vector<Note> notesOf(const std::vector<EvaluatedPoint> &points) {
  std::vector<Note> notes;
  for (const EvaluatedPoint &p : points)
    for (const std::string &text : p.result.notes)
      if (std::none_of(notes.begin(), notes.end(), [&](const Note &n) { return n.text == text; }))
        notes.push_back({"model", text});
  return notes;
}

} // namespace

void printEvaluated(const std::string &target, const std::vector<EvaluatedPoint> &points,
                    bool colour, std::ostream &out) {
  out << heading("Time of " + escape(target), colour);
  if (points.size() == 1)
    for (const auto &[name, value] : points[0].parameters)
      out << ", " << escape(name) << " = " << figure(value);
  out << "\n\n";
  if (points.size() == 1)
    return printOne(points[0], colour, out);
  std::vector<std::string> headings;
  for (const auto &[name, value] : points[0].parameters)
    headings.push_back(escape(name));
  for (const Column &c : columns(points[0].result))
    headings.emplace_back(c.name);
  Grid grid(std::move(headings), 0);
  for (const EvaluatedPoint &p : points) {
    std::vector<std::string> row;
    for (const auto &[name, value] : p.parameters)
      row.push_back(figure(value));
    for (const Column &c : columns(p.result))
      row.push_back(figure(c.value));
    grid.add(std::move(row));
  }
  grid.print(out, colour);
  out << "\n";
  printNotes(notesOf(points), out);
}

void printEvaluatedTsv(const std::vector<EvaluatedPoint> &points, std::ostream &out) {
  std::string line;
  const auto field = [&](const std::string &text) {
    line.append(line.empty() ? "" : "\t").append(text);
  };
  for (const auto &[name, value] : points[0].parameters)
    field(escape(name));
  for (const Column &c : columns(points[0].result))
    field(c.name);
  out << line << "\n";
  for (const EvaluatedPoint &p : points) {
    line.clear();
    for (const auto &[name, value] : p.parameters)
      field(exact(value));
    for (const Column &c : columns(p.result))
      field(exact(c.value));
    out << line << "\n";
  }
}

Status printEvaluatedJson(const std::string &model, const std::string &target,
                          const std::vector<EvaluatedPoint> &points, std::ostream &out) {
  ordered_json j{{"version", 1}, {"model", model}, {"target", target}};
  j["points"] = ordered_json::array();
  for (const EvaluatedPoint &p : points) {
    ordered_json row{{"parameters", ordered_json::object()}};
    for (const auto &[name, value] : p.parameters)
      row["parameters"][name] = number(value);
    for (const Column &c : columns(p.result))
      row[c.name] = number(c.value);
    row["demands"] = ordered_json::array();
    for (const auto &[index, d] : p.result.demands)
      row["demands"].push_back({{"resource", number(index)},
                                {"mean", number(d.k.k1)},
                                {"multiplicity", number(d.multiplicity)}});
    j["points"].push_back(std::move(row));
  }
  return write(std::move(j), notesOf(points), out);
}

} // namespace quincunx
