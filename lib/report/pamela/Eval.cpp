// Prints what models say: a point, a table, a plot, lines for programs. Percentiles are of a law
// that has the four moments; no law is measured here.
#include "quincunx/report/Eval.h"

#include "quincunx/base/Text.h"
#include "quincunx/dist/Bounds.h"
#include "quincunx/dist/Fit.h"
#include "quincunx/pamela/Print.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace quincunx {

namespace {

Result<Fit> lawOf(const Cumulants &k) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return fitLaw(project(moments(k)).moments, Range{k.k1 >= 0 ? 0 : -inf, inf});
}

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

std::vector<Column> columns(const pamela::Evaluated &e) {
  const Moments m = moments(e.T);
  std::vector<Column> all{
      {"mean", m.mean}, {"sd", m.deviation()}, {"skewness", m.skewness}, {"kurtosis", m.kurtosis}};
  const std::vector<double> percentiles = percentilesOf(e);
  for (size_t i = 0; i < percentiles.size(); ++i)
    all.push_back({percentileNames[i], percentiles[i]});
  const std::vector<double> above = upperPercentilesOf(e);
  all.push_back({"upper", e.upper ? e.upper->mean() : std::nan("")});
  for (size_t i = 0; i < above.size(); ++i)
    all.push_back({upperNames[i], above[i]});
  all.insert(all.end(), {{"phi", e.phi.k1}, {"omega", e.omega.k1}, {"theta", e.theta}});
  return all;
}

void printOne(const EvaluatedPoint &point, bool colour, std::ostream &out) {
  const pamela::Evaluated &e = point.result;
  const bool known = e.isTime();
  Grid grid({"", known ? "time" : "lower bound", known ? "" : "upper bound", "critical path",
             "contention"},
            0);
  const Moments T = moments(e.T), phi = moments(e.phi), omega = moments(e.omega);
  const auto row = [&](const char *name, auto of) {
    grid.add({name, figure(of(T)), "", figure(of(phi)), figure(of(omega))});
  };
  grid.add({"mean", figure(T.mean), known || !e.upper ? "" : figure(e.upper->mean()),
            figure(phi.mean), figure(omega.mean)});
  row("sd", [](const Moments &m) { return m.deviation(); });
  row("skewness", [](const Moments &m) { return m.skewness; });
  row("kurtosis", [](const Moments &m) { return m.kurtosis; });
  const std::vector<double> percentiles = percentilesOf(e), above = upperPercentilesOf(e);
  for (size_t i = 0; i < percentiles.size(); ++i)
    grid.add({percentileNames[i], figure(percentiles[i]), known || !e.upper ? "" : figure(above[i]),
              "", ""});
  grid.print(out, colour);
  out << "\n";
  if (std::isfinite(e.theta))
    out << "index of contention: " << figure(e.theta)
        << " (logarithm of contention over critical path)\n";
  if (!known)
    out << "The time is between the bounds: 'quincunx simulate' tells where"
        << (e.upper ? "" : "; for an upper bound there is too much to go through") << "\n";
}

std::vector<std::string> headings(const std::vector<EvaluatedPoint> &points) {
  std::vector<std::string> all;
  for (const auto &[name, value] : points[0].parameters)
    all.push_back(escape(name));
  for (const Column &c : columns(points[0].result))
    all.emplace_back(c.name);
  return all;
}

std::vector<Note> notesOf(const EvaluatedModel &m) {
  std::vector<Note> notes;
  if (!m.remark.empty())
    notes.push_back({"model", m.remark});
  for (const EvaluatedPoint &p : m.points)
    for (const std::string &text : p.result.notes)
      if (std::none_of(notes.begin(), notes.end(), [&](const Note &n) { return n.text == text; }))
        notes.push_back({"model", text});
  return notes;
}

} // namespace

std::optional<double> figureOf(const Cumulants &k, std::string_view name) {
  const Moments m = moments(k);
  if (name == "mean")
    return m.mean;
  if (name == "variance")
    return m.variance;
  if (name == "sd")
    return m.deviation();
  if (name == "skewness")
    return m.skewness;
  if (name == "kurtosis")
    return m.kurtosis;
  double percent = 0;
  if (name.size() < 2 || name[0] != 'p' || !parseNumber(name.substr(1), percent) ||
      !(percent > 0 && percent < 100))
    return std::nullopt;
  const Result<Fit> fit = lawOf(k);
  return fit ? fit->law->quantile(percent / 100) : std::nan("");
}

double lowerQuantile(const pamela::Evaluated &e, double p) {
  if (e.isTime() || e.T.k2 == 0)
    return figureOf(e.T, "p" + exact(100 * p)).value_or(std::nan(""));
  const Result<Range> least = quantileBounds(project(moments(e.T)).moments, p, Where::notNegative);
  return least ? least->low : quantileBounds({e.T.k1, e.T.k2, 0, 3}, p, Where::line)->low;
}

/// P(X + Y > x + y) <= P(X > x) + P(Y > y), however they hang together: the tail is divided
/// between both as it is best.
double upperQuantile(const pamela::Evaluated &e, double p) {
  if (e.isTime())
    return figureOf(e.T, "p" + exact(100 * p)).value_or(std::nan(""));
  if (!e.upper)
    return std::nan("");
  const Result<Fit> path = lawOf(e.upper->path), wait = lawOf(e.upper->wait);
  if (!path || !wait)
    return std::nan("");
  if (e.upper->path.k2 == 0 || e.upper->wait.k2 == 0)
    return path->law->quantile(e.upper->path.k2 == 0 ? 0.5 : p) +
           wait->law->quantile(e.upper->wait.k2 == 0 ? 0.5 : p);
  double least = std::numeric_limits<double>::infinity();
  for (const double share : {0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98})
    least = std::min(least, path->law->quantile(1 - share * (1 - p)) +
                                wait->law->quantile(1 - (1 - share) * (1 - p)));
  return least;
}

void printEvaluated(const EvaluatedModel &m, bool colour, std::ostream &out) {
  const std::vector<EvaluatedPoint> &points = m.points;
  out << heading("Time of " + escape(m.target), colour);
  if (points.size() == 1)
    for (const auto &[name, value] : points[0].parameters)
      out << ", " << escape(name) << " = " << figure(value);
  out << "\n\n";
  if (points.size() == 1) {
    printOne(points[0], colour, out);
  } else {
    Grid grid(headings(points), 0);
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
  }
  printNotes(notesOf(m), out);
}

namespace {

/// One bar, and where it begins to be thin.
struct Bar {
  std::string label;
  double mean, tail;
};

Bar barOf(const EvaluatedPoint &p) {
  Bar bar{"", p.result.T.k1, figureOf(p.result.T, "p99").value_or(std::nan(""))};
  for (const auto &[name, value] : p.parameters)
    bar.label += (bar.label.empty() ? "" : ", ") + escape(name) + " = " + figure(value);
  bar.tail = std::isfinite(bar.tail) ? std::max(bar.tail, bar.mean) : bar.mean;
  return bar;
}

/// Lengths of bars up to `most`; on a logarithmic axis `least` is a bar of one.
struct BarAxis {
  static constexpr size_t width = 60;
  double least = std::numeric_limits<double>::infinity(), most = 0;

  bool isLogarithmic() const { return most / least > 50; }
  size_t length(double x) const {
    const double share =
        !(x > 0) ? 0
        : isLogarithmic()
            ? (1 + std::log(x / least) / std::log(most / least) * static_cast<double>(width - 1)) /
                  static_cast<double>(width)
            : x / most;
    return static_cast<size_t>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  }
};

} // namespace

void plotEvaluated(const EvaluatedModel &m, bool colour, bool utf8, std::ostream &out) {
  std::vector<Bar> bars;
  BarAxis axis;
  size_t labels = 0;
  for (const EvaluatedPoint &p : m.points) {
    const Bar &bar = bars.emplace_back(barOf(p));
    if (bar.mean > 0)
      axis.least = std::min(axis.least, bar.mean);
    axis.most = std::max(axis.most, bar.tail);
    labels = std::max(labels, bar.label.size());
  }
  out << heading("Time of " + escape(m.target), colour) << ", mean and up to p99, "
      << (axis.isLogarithmic() ? "logarithmic" : "linear") << " axis\n\n";
  for (const Bar &bar : bars) {
    const size_t mean = axis.length(bar.mean), tail = axis.length(bar.tail);
    std::string line = bar.label + std::string(labels - bar.label.size() + 2, ' ');
    for (size_t i = 0; i < tail; ++i)
      line += i < mean ? (utf8 ? "\u2588" : "#") : (utf8 ? "\u2591" : "-");
    out << line << " " << figure(bar.mean) << (bar.tail > bar.mean ? " .. " + figure(bar.tail) : "")
        << "\n";
  }
  out << "\n";
  printNotes(notesOf(m), out);
}

void printEvaluatedTsv(const EvaluatedModel &m, std::ostream &out) {
  std::string line;
  const auto field = [&](const std::string &text) {
    line.append(line.empty() ? "" : "\t").append(text);
  };
  for (const std::string &name : headings(m.points))
    field(name);
  out << line << "\n";
  for (const EvaluatedPoint &p : m.points) {
    line.clear();
    for (const auto &[name, value] : p.parameters)
      field(exact(value));
    for (const Column &c : columns(p.result))
      field(exact(c.value));
    out << line << "\n";
  }
}

Status printEvaluatedJson(const EvaluatedModel &m, std::ostream &out) {
  ordered_json j{{"version", 1}, {"model", m.file}, {"target", m.target}};
  j["points"] = ordered_json::array();
  for (const EvaluatedPoint &p : m.points) {
    ordered_json row{{"parameters", ordered_json::object()}};
    for (const auto &[name, value] : p.parameters)
      row["parameters"][name] = number(value);
    for (const Column &c : columns(p.result))
      row[c.name] = number(c.value);
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
  ordered_json j{{"version", 1}, {"model", file}, {"target", target}};
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
