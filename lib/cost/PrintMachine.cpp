// Writes .machine files.
// The idea: the digits that read back. A file holds moments and a machine cumulants, and the way
// there rounds: of the numbers close to the skewness and the kurtosis, the one with the fewest
// digits that gives exactly the cumulants is what the file said. Reference: docs/13-machines.md. It
// writes no comments.
#include "quincunx/cost/Machine.h"

#include "quincunx/base/Text.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace quincunx {

namespace {

/// The number close to `x` for which `gives` is true, with few digits if there is one; else `x`.
template <class Gives> double origin(double x, Gives gives) {
  for (int digits = 1; digits <= std::numeric_limits<double>::max_digits10; ++digits) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    double y = x;
    if (parseNumber(text, y) && gives(y))
      return y;
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double below = x, above = x;
  for (int i = 0; i < 8; ++i) { // as far as two roundings reach
    below = std::nextafter(below, -infinity), above = std::nextafter(above, infinity);
    if (gives(below))
      return below;
    if (gives(above))
      return above;
  }
  return x;
}

void addLine(std::string &out, const std::string &word, const std::string &value) {
  out += word + ' ' + value + '\n';
}

std::string print(const Moments &m) {
  return "moments(" + exact(m.mean) + ", " + exact(m.variance) + ", " + exact(m.skewness) + ", " +
         exact(m.kurtosis) + ")";
}

std::string ofFunction(const ProgramFit::Function &f, const std::vector<double> &values) {
  std::string out = std::to_string(f.ordinal) + ' ' + f.name;
  for (const double v : values)
    out += ' ' + exact(v);
  return out;
}

} // namespace

std::string printCost(const Cumulants &cost) {
  if (cost.k2 == 0)
    return exact(cost.k1);
  Moments m = moments(cost);
  m.skewness = origin(m.skewness, [&](double s) {
    return cumulants(Moments{m.mean, m.variance, s, m.kurtosis}).k3 == cost.k3;
  });
  m.kurtosis = origin(m.kurtosis, [&](double k) {
    return cumulants(Moments{m.mean, m.variance, m.skewness, k}).k4 == cost.k4;
  });
  return print(m);
}

std::string printMachine(const Machine &machine) {
  std::string out;
  addLine(out, "name", machine.name);
  addLine(out, "unit", machine.unit);
  for (const auto *costs : {&machine.classes, &machine.events})
    for (const auto &[word, cost] : *costs)
      addLine(out, word, printCost(cost));
  for (const auto &[callee, cost] : machine.callees)
    addLine(out, "callee " + callee, printCost(cost));
  for (const auto &[callee, cost] : machine.bytes)
    addLine(out, "byte " + callee, printCost(cost));
  if (machine.programSpread > 0)
    addLine(out, "programSpread", exact(machine.programSpread));
  if (machine.fit.residual.variance > 0)
    addLine(out, "residual", print(machine.fit.residual));
  if (machine.fit.medianError > 0)
    addLine(out, "error", exact(machine.fit.medianError));
  if (machine.fit.memoryExponent > 0)
    addLine(out, "growth", exact(machine.fit.memoryExponent) + ' ' + exact(machine.fit.memoryBase));
  if (!machine.fit.functions.empty())
    addLine(out, "scale", exact(machine.fit.scale));
  if (machine.fit.once != 0)
    addLine(out, "once", exact(machine.fit.once));
  if (machine.fit.kernelShare != 0)
    addLine(out, "kernel", exact(machine.fit.kernelShare));
  if (machine.fit.limit != ProgramFit::usualLimit)
    addLine(out, "limit", exact(machine.fit.limit));
  if (machine.fit.carriesMispredictions)
    addLine(out, "carries", "mispredict");
  for (const ProgramFit::Body &b : machine.fit.bodies)
    addLine(out, "body",
            b.file + ' ' + std::to_string(b.line) + ' ' + exact(b.factor) + ' ' + exact(b.spread));
  for (const std::string &build : machine.fit.builds)
    addLine(out, "build", build);
  for (const ProgramFit::Function &f : machine.fit.functions) {
    addLine(out, "function", ofFunction(f, f.weights));
    if (!f.prices.empty())
      addLine(out, "prices", ofFunction(f, f.prices));
    if (!f.carried.empty())
      addLine(out, "carried", ofFunction(f, f.carried));
    if (!f.calls.empty())
      addLine(out, "calls", ofFunction(f, f.calls));
  }
  return out;
}

} // namespace quincunx
