// Which figures of a model its assumption of independence does not carry.
// The idea: calls that were measured are the very calls that the model is of, so where the
// deviations agree the assumptions carry, and where they do not they are refuted; then what was
// measured is the better law for callers. Without them what a function does itself is judged by its
// costs over the runs (CallDispersions.h); recursion that makes most of a variance is taken to know
// how deep it is, as it does on problems that get smaller, since counts cannot tell; and a caller
// rests on its callees in so far as its variance is made by theirs, E[calls] times that of one.
#include "Independence.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Figures that differ by less than this share agree.
constexpr double agree = 0.25;
/// Means that differ by less than this share are those of the same calls.
constexpr double sameMean = 0.01;
/// Of errors, 90 %.
constexpr double likely = 1.64;
/// Calls in which a function was measured must be all of them, but for this share.
constexpr double missing = 0.01;
/// Without so large a part of the variance the deviation is lower by a quarter.
constexpr double largePart = 1 - 1 / (1.25 * 1.25);

/// The relative standard error of a deviation is sqrt((kurtosis - 1)/(4 n)).
bool sameDeviation(double is, const SummaryStatistics &measured) {
  const double n = static_cast<double>(measured.runs);
  const double error = likely * std::sqrt(std::max(0.0, measured.moments.kurtosis - 1) / (4 * n));
  const double rounding = 1e-9 * measured.moments.mean;
  return is <= (1 + agree + error) * measured.deviationInterval.high + rounding &&
         is >= measured.deviationInterval.low / (1 + agree + error) - rounding;
}

/// Of n calls, n F are expected where a share p is: F is off by sqrt(F (1 - F)/n).
bool samePercentile(const Distribution &law, const Percentile &measured, double n) {
  const double is = law.quantile(measured.p);
  const bool above = is > measured.trust.high * (1 + agree);
  if (!above && is >= measured.trust.low / (1 + agree))
    return true;
  const double F = law.cdf(above ? measured.trust.high : measured.trust.low);
  const double error = likely * std::sqrt(std::max(0.0, F * (1 - F)) / n);
  return above ? measured.p - F <= error : F - measured.p <= error;
}

} // namespace

Independence::Independence(const CallGraph &g, std::span<const ExecutionCounts> e,
                           const CallDispersions &d, const ObservedCalls *m)
    : graph(g), executed(e), dispersions(d), measured(m), verdicts(g.functions.size()),
      doubts(g.functions.size()) {}

void Independence::judge(size_t component, Composition &composition, std::span<const Law> laws,
                         Assumed assumed) {
  for (const uint32_t f : graph.components[component]) {
    if (executed[f].edges.empty() || composition.functions[f].endless)
      continue;
    byCounts(f, composition, assumed.perRun);
    byCallees(f, composition);
    if (measured != nullptr)
      byCalls(f, composition, laws[f].first, assumed.charges);
  }
}

void Independence::byCounts(uint32_t f, const Composition &composition, bool perRun) {
  Verdict &v = verdicts[f];
  if (graph.recursive[graph.componentOf[f]] && restsOnItself(f, composition))
    v.refuted = "it is recursive, and calls know how deep they are";
  else
    v.refuted = dispersions.refuting(f, composition.functions[f].exclusive, perRun);
  if (!v.refuted.empty())
    doubts[f] = std::max({0.0, composition.functions[f].inclusive.k2, dispersions.between(f)});
}

/// How often it calls each, per call.
std::map<uint32_t, double> Independence::calls(uint32_t f, const Composition &composition) const {
  std::map<uint32_t, double> all;
  for (const auto &[callee, times] : callsOf(graph, executed, f))
    if (!executed[callee].edges.empty())
      all[callee] += composition.share[callee] * times / executed[f].entries;
  return all;
}

/// Whether the variance is made by calls within the recursion; or there is none, though some calls
/// call themselves again and some do not.
bool Independence::restsOnItself(uint32_t f, const Composition &composition) const {
  double times = 0, sum = 0;
  for (const auto &[callee, n] : calls(f, composition))
    if (graph.componentOf[callee] == graph.componentOf[f])
      times += n, sum += n * composition.functions[callee].inclusive.k2;
  return times > 0 && sum >= largePart * composition.functions[f].inclusive.k2;
}

void Independence::byCallees(uint32_t f, const Composition &composition) {
  double most = largePart * std::max(0.0, composition.functions[f].inclusive.k2);
  std::string why;
  for (const auto &[callee, times] : calls(f, composition)) {
    const Verdict &of = verdicts[callee];
    const double part = times * doubts[callee];
    if (of.refuted.empty() || of.asMeasured || part <= most)
      continue;
    most = part;
    doubts[f] = std::max(doubts[f], part);
    why = "its spread is made by " + escape(graph.functions[callee]->name) +
          ", of which independence is refuted";
  }
  if (verdicts[f].refuted.empty())
    verdicts[f].refuted = why;
}

void Independence::byCalls(uint32_t f, Composition &composition, const DistributionPtr &law,
                           bool charges) {
  const FunctionFigures *const is = measured->of(*graph.functions[f], graph.imageOf[f]);
  if (is == nullptr)
    return;
  if (measured->cut[static_cast<size_t>(is - measured->functions.data())] > 0)
    return; // they may have cost more: they say nothing
  Verdict &v = verdicts[f];
  Composed &c = composition.functions[f];
  const SummaryStatistics &cost = is->cost;
  const auto n = static_cast<double>(cost.runs);
  const bool all = std::fabs(n - c.outer) <= missing * c.outer;
  const auto same = [&](const Percentile &p) { return samePercentile(*law, p, n); };
  v.otherMean = all && std::fabs(c.inclusive.k1 - cost.moments.mean) > sameMean * cost.moments.mean;
  v.otherPercentiles =
      law && !std::all_of(cost.percentiles.begin(), cost.percentiles.end() - 1, same);
  if (sameDeviation(std::sqrt(std::max(0.0, c.inclusive.k2)), cost)) {
    v.refuted.clear();
    return;
  }
  if (v.refuted.empty())
    v.refuted = "calls that were measured have another spread";
  doubts[f] = std::max({doubts[f], c.inclusive.k2, cost.moments.variance});
  v.asMeasured = all && charges;
  if (!v.asMeasured)
    return;
  c.charged = cumulants(cost.moments);
  c.charged.k1 = c.inclusive.k1;
}

} // namespace quincunx
