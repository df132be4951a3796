// From the times of loops to costs.
// The idea: a cost is a formula over loops (Probes.def), taken batch by batch: what disturbed one
// batch does not mix with others. Disturbances only ever add time, so the quicker half of the
// batches counts, and its median is the figure. A single execution of an instruction costs
// something between throughput and latency, depending on what surrounds it: the law is that of two
// points, the latency with probability `exposed`. Reference: docs/13-machines.md. It holds no
// clock.
#include "Times.h"
#include "quincunx/numeric/Quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quincunx::probe {

namespace {

using Kind = ProbedCost::Kind;
/// Loops in one batch, NaN for those that have none.
class Batch {
public:
  Batch(const Times &all, unsigned batch) : times(all), number(batch) {}
  double operator()(Loop loop) const { return of(loop).time; }
  double faults(Loop loop) const { return of(loop).faults; }

private:
  const Times &times;
  unsigned number;
  Use of(Loop loop) const {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto found = times.find(loop);
    return found == times.end() ? Use{nan, nan} : found->second[number];
  }
};
using Formula = double (*)(const Batch &ns);

struct Row {
  Kind kind;
  const char *word;
  Formula latency, throughput;
  const char *what;
};

constexpr Row table[] = {
#define QUINCUNX_LOOP(name)
#define QUINCUNX_COST(kind, word, latency, throughput, what)                                       \
  {Kind::kind, word, [](const Batch &ns) -> double { return latency; },                            \
   [](const Batch &ns) -> double { return throughput; }, what},
#define QUINCUNX_CLASS(...) QUINCUNX_COST(instruction, __VA_ARGS__)
#define QUINCUNX_CALLEE(...) QUINCUNX_COST(callee, __VA_ARGS__)
#define QUINCUNX_EVENT(word, cost, what) QUINCUNX_COST(event, word, cost, cost, what)
#include "Probes.def"
#undef QUINCUNX_LOOP
#undef QUINCUNX_CLASS
#undef QUINCUNX_CALLEE
#undef QUINCUNX_EVENT
#undef QUINCUNX_COST
};

/// The values of a formula in all batches, ascending, none below 0; empty without times.
std::vector<double> valuesOf(Formula formula, const Times &times, unsigned batches) {
  std::vector<double> values;
  for (unsigned b = 0; b < batches; ++b)
    values.push_back(formula(Batch(times, b)));
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
    return {};
  for (double &value : values)
    value = std::max(0.0, value); // not before: of 0 and NaN it takes 0
  std::sort(values.begin(), values.end());
  return values;
}

/// Between the quartiles, as a part of the median.
double spreadOf(const std::vector<double> &sorted) {
  const double median = quantile(sorted, 0.5);
  return median > 0 ? (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median : 0;
}

/// The smaller half, the middle one included.
std::vector<double> quickerHalf(std::vector<double> sorted) {
  sorted.resize((sorted.size() + 1) / 2);
  return sorted;
}

Moments twoPoints(double latency, double throughput) {
  const Cumulants parts[] = {{latency, 0, 0, 0}, {throughput, 0, 0, 0}};
  const double weights[] = {exposed, 1 - exposed};
  return moments(mixture(parts, weights));
}

} // namespace

std::vector<Loop> allLoops() {
  return {
#define QUINCUNX_LOOP(name) &(name),
#define QUINCUNX_CLASS(...)
#define QUINCUNX_EVENT(...)
#define QUINCUNX_CALLEE(...)
#include "Probes.def"
#undef QUINCUNX_LOOP
#undef QUINCUNX_CLASS
#undef QUINCUNX_EVENT
#undef QUINCUNX_CALLEE
  };
}

std::vector<ProbedCost> costsOf(const Times &times, unsigned batches) {
  std::vector<ProbedCost> out;
  for (const Row &row : table) {
    const std::vector<double> slow = valuesOf(row.latency, times, batches);
    const std::vector<double> fast = valuesOf(row.throughput, times, batches);
    if (slow.empty() || fast.empty())
      continue;
    ProbedCost cost{.kind = row.kind, .word = row.word, .what = row.what};
    cost.latency = quantile(quickerHalf(slow), 0.5);
    cost.throughput = quantile(quickerHalf(fast), 0.5);
    cost.spread = std::max(spreadOf(slow), spreadOf(fast));
    cost.law = row.kind == Kind::event ? momentsOf(quickerHalf(fast))
                                       : twoPoints(cost.latency, cost.throughput);
    out.push_back(std::move(cost));
  }
  return out;
}

} // namespace quincunx::probe
