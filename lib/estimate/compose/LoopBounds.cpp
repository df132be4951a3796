// Values of unknowns from trips.
// The idea: an expression with one unknown is a line nearly everywhere, so a secant finds where it
// is what was measured; then the next expression has one unknown less. A value counts only when the
// expression really gives the number. It cannot tell two values apart that the map gives one name.
#include "quincunx/estimate/LoopBounds.h"

#include "quincunx/map/Symbolic.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace quincunx {

namespace {

/// Numbers that differ by less than this share differ by rounding.
constexpr double roundedAway = 1e-12;
/// Most passes of a loop of which the index is gone through.
constexpr double maxPasses = 1e5;

bool alike(double a, double b) {
  return std::fabs(a - b) <= roundedAway * std::max({1.0, std::fabs(a), std::fabs(b)});
}

double passed(const std::vector<uint32_t> &edges, const ExecutionCounts &executed) {
  double sum = 0;
  for (const uint32_t e : edges)
    sum += executed.edges[e];
  return sum;
}

class Solver {
public:
  Solver(const Function &function, const ExecutionCounts &e);
  LoopBounds run();

private:
  std::optional<double> at(uint32_t loop, const std::string &name = {}, double x = 0) const;
  std::vector<std::string> missing(uint32_t loop) const;
  bool hasIndex(uint32_t loop) const;
  std::optional<double> solved(uint32_t loop, const std::string &name) const;
  bool settle(uint32_t loop);
  bool isOfIndex(uint32_t loop) const;

  const Function &f;
  const ExecutionCounts &executed;
  std::vector<std::optional<Symbolic>> expressions; ///< of what is to be settled
  std::vector<double> trips;
  LoopBounds out;
};

Solver::Solver(const Function &function, const ExecutionCounts &e)
    : f(function), executed(e), trips(f.loops.size(), 0) {
  out.loops.assign(f.loops.size(), LoopBounds::Kind::measured);
  for (size_t l = 0; l < f.loops.size(); ++l) {
    std::optional<Symbolic> &own = expressions.emplace_back();
    if (l >= e.loops.size() || !e.loops[l] || e.loops[l]->k2 != 0 || f.loops[l].trips.empty())
      continue;
    trips[l] = e.loops[l]->k1;
    if (Result<Symbolic> parsed = Symbolic::parse(f.loops[l].trips))
      own = std::move(*parsed);
  }
}

/// The expression, where `name` is x.
std::optional<double> Solver::at(uint32_t loop, const std::string &name, double x) const {
  return expressions[loop]->at([&](const std::string &unknown) -> std::optional<double> {
    if (unknown == name)
      return x;
    const auto known = out.values.find(unknown);
    return known == out.values.end() ? std::nullopt : std::optional(known->second);
  });
}

std::vector<std::string> Solver::missing(uint32_t loop) const {
  std::vector<std::string> names = expressions[loop]->unknowns();
  std::erase_if(names, [&](const std::string &n) { return out.values.contains(n); });
  return names;
}

bool Solver::hasIndex(uint32_t loop) const {
  const std::vector<std::string> names = expressions[loop]->unknowns();
  for (uint32_t l = 0; l < f.loops.size(); ++l)
    if (std::find(names.begin(), names.end(), indexName(l)) != names.end())
      return true;
  return false;
}

/// Where the expression is the measured number; starts on different sides of bends (max, min).
std::optional<double> Solver::solved(uint32_t loop, const std::string &name) const {
  const double wanted = trips[loop];
  for (const double start : {wanted, 1e6, -1e6})
    for (const double step : {1.0, 5040.0}) { // the second one is for `div`
      double x = start;
      for (int i = 0; i < 4; ++i) {
        const std::optional<double> y = at(loop, name, x), next = at(loop, name, x + step);
        if (!y || !next)
          break;
        if (alike(*y, wanted))
          return x;
        const double slope = (*next - *y) / step;
        if (slope == 0)
          break;
        x += (wanted - *y) / slope;
        if (alike(x, std::round(x)))
          x = std::round(x);
      }
    }
  return {};
}

/// True when something became known by it.
bool Solver::settle(uint32_t loop) {
  const std::vector<std::string> names = missing(loop);
  if (names.size() > 1)
    return false;
  if (!names.empty()) {
    const std::optional<double> x = solved(loop, names[0]);
    if (x)
      out.values[names[0]] = *x;
  }
  const std::optional<double> is = at(loop);
  if (is && alike(*is, trips[loop]))
    out.loops[loop] = LoopBounds::Kind::expression;
  expressions[loop].reset();
  return !names.empty() && out.loops[loop] == LoopBounds::Kind::expression;
}

/// Passed once for each index of the loop around it, whose number of passes is known?
bool Solver::isOfIndex(uint32_t loop) const {
  const uint32_t around = f.loops[loop].parent;
  if (around == noIndex || out.loops[around] != LoopBounds::Kind::expression)
    return false;
  const std::string index = indexName(around);
  if (const std::vector<std::string> names = missing(loop); names.size() != 1 || names[0] != index)
    return false;
  const double passes =
      passed(f.loops[loop].entryEdges, executed) / passed(f.loops[around].entryEdges, executed);
  const double whole = std::round(passes);
  if (!alike(passes, whole) || whole < 1 || whole > maxPasses)
    return false;
  double sum = 0;
  for (int i = 0; i < static_cast<int>(whole); ++i)
    sum += at(loop, index, i).value_or(std::nan(""));
  return alike(sum / whole, trips[loop]);
}

LoopBounds Solver::run() {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t l = 0; l < f.loops.size(); ++l)
      if (expressions[l] && !hasIndex(l))
        more = settle(l) || more;
  }
  for (uint32_t l = 0; l < f.loops.size(); ++l)
    if (expressions[l] && hasIndex(l) && isOfIndex(l))
      out.loops[l] = LoopBounds::Kind::ofIndex;
  return std::move(out);
}

} // namespace

LoopBounds boundsOf(const Function &f, const ExecutionCounts &executed) {
  return Solver(f, executed).run();
}

std::string indexName(uint32_t loop) { return "i" + std::to_string(loop); }

} // namespace quincunx
