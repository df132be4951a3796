// Sketches what a model says at several points.
// The idea: a bar for each, thick up to what is certain. Reference: docs/12-pamela.md, "Symbolic
// results". It computes no figures.
#include "ModelText.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/Eval.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace quincunx {

namespace {

/// One bar, and where it begins to be thin.
struct Bar {
  std::string label;
  double mean, tail;
};

Bar barOf(const EvaluatedPoint &p, bool bounds, bool named) {
  const pamela::Evaluated &e = p.result;
  Bar bar{named ? escape(p.target) : "", e.T.k1, boundOf(e, bounds ? "mean" : "p99", true)};
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

void plotEvaluated(const EvaluatedModel &m, const Display &display, std::ostream &out) {
  std::vector<Bar> bars;
  BarAxis axis;
  size_t labels = 0;
  const bool bounds = std::any_of(m.points.begin(), m.points.end(),
                                  [](const EvaluatedPoint &p) { return !p.result.isTime(); });
  for (const EvaluatedPoint &p : m.points) {
    const Bar &bar = bars.emplace_back(barOf(p, bounds, m.targets.size() > 1));
    if (bar.mean > 0)
      axis.least = std::min(axis.least, bar.mean);
    axis.most = std::max(axis.most, bar.tail);
    labels = std::max(labels, bar.label.size());
  }
  out << heading("Time of " + listed(m.targets), display)
      << (bounds ? ", mean from the lower bound to the upper bound, " : ", mean and up to p99, ")
      << (axis.isLogarithmic() ? "logarithmic" : "linear") << " axis\n\n";
  for (const Bar &bar : bars) {
    const size_t mean = axis.length(bar.mean), tail = axis.length(bar.tail);
    std::string line = bar.label + std::string(labels - bar.label.size() + 2, ' ');
    for (size_t i = 0; i < tail; ++i)
      line += i < mean ? (display.utf8 ? "\u2588" : "#") : (display.utf8 ? "\u2591" : "-");
    out << line << " " << figure(bar.mean) << (bar.tail > bar.mean ? " .. " + figure(bar.tail) : "")
        << "\n";
  }
  out << "\n";
  printNotes(notesOf(m), out);
}

} // namespace quincunx
