// Another probability of a branch.
// The idea: one more true outcome in place of a false one leads to z = visits(true) -
// visits(false); to have p' instead of p takes n (p' - p) / (1 - (p' - p) z_branch) of them, as the
// branch itself is evaluated more or less often then. Reference: docs/17-what-if.md. It does not
// know that outcomes hang together, only whether their spread refutes that they do not.
#include "BranchChange.h"

#include "estimate/figures/Notes.h"

#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// p (1 - p), from the share of true ones among n outcomes.
double unbiased(double share, double n) { return share * (1 - share) * n / std::max(1.0, n - 1); }

/// Half of the 90 % interval of a weighted mean, by how far the values are from it.
double halfInterval(const std::vector<double> &weights, const std::vector<double> &values) {
  double sum = 0, squares = 0, mean = 0, away = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += weights[i], squares += weights[i] * weights[i];
    mean += weights[i] * values[i];
  }
  mean /= sum;
  for (size_t i = 0; i < values.size(); ++i)
    away += weights[i] * weights[i] * (values[i] - mean) * (values[i] - mean);
  const double equal = sum > 0 ? sum * sum / squares : 0;
  if (equal < 1.5)
    return HUGE_VAL;
  return studentQuantile(equal - 1, (1 + confidenceLevel) / 2) *
         std::sqrt(away * equal / (equal - 1)) / sum;
}

} // namespace

BranchDirection directionOf(const Function &f, const Branch &branch, Chain &chain,
                            const std::vector<double> &shares) {
  std::vector<double> start(f.blocks.size(), 0.0), direction(f.edges.size(), 0.0);
  for (const size_t arm : {size_t{0}, size_t{1}})
    if (const uint32_t to = headOf(f.edges[branch.arms[arm]]); to != noIndex)
      start[to] += arm == 0 ? 1 : -1;
  const std::vector<double> z = chain.visits(shares, start);
  if (z.empty())
    return {};
  for (size_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].from != noIndex)
      direction[e] = z[f.edges[e].from] * shares[e];
  direction[branch.arms[0]] += 1;
  direction[branch.arms[1]] -= 1;
  return {std::move(direction), z[branch.block]};
}

bool hasTwoArms(const Branch &b) {
  return !b.isSwitch && b.arms.size() == 2 && b.arms[0] != b.arms[1];
}

BranchChange::BranchChange(const Change &what, size_t f, const Branch &branch,
                           const BlockCosts &blocks, ChangedFlows &flows,
                           std::vector<BranchOutcomes::Copy> &copies)
    : FlowChange(what, f), copy(copies.size()) {
  const Function &code = blocks.function(f);
  Chain chain(code);
  const std::vector<std::vector<double>> &flow = flows.of(f).is;
  const std::vector<double> mean = meanFlow(flow, blocks.matrix().rows);
  BranchOutcomes::Copy &own = copies.emplace_back();
  for (const std::vector<double> &edges : flow) {
    const double taken = edges[branch.arms[0]], evaluated = taken + edges[branch.arms[1]];
    own.n.push_back(evaluated);
    own.p.push_back(evaluated > 0 ? taken / evaluated : 0);
    BranchDirection to;
    if (evaluated > 0)
      to = directionOf(code, branch, chain, chain.shares(edges, mean));
    direction.push_back(std::move(to.edges));
    own.again.push_back(to.again);
  }
}

void BranchChange::judge(std::shared_ptr<const BranchOutcomes> outcomes) {
  all = std::move(outcomes);
}

double BranchChange::shareAt(double x) const {
  return change.scales ? valueAt(x) * all->share() : valueAt(x) + (change.adds ? all->share() : 0);
}

Status BranchChange::checkShare(double x) const {
  if (const double p = shareAt(x); p > 1 || p < 0)
    return Error{"the probability would be " + brief(p)};
  return Done{};
}

Result<double> BranchChange::reached(double x) const {
  if (scalesRuns())
    return all->share();
  if (const Status s = checkShare(x); !s)
    return s.error();
  const Result<OutcomeShift> shift = all->shiftTo(shareAt(x));
  if (!shift)
    return shift.error();
  return shift->reached;
}

Result<double> BranchChange::distance(size_t run, double x) const {
  const BranchOutcomes::Copy &own = all->copy(copy);
  if (own.n[run] <= 0)
    return 0.0;
  if (const Status s = checkShare(x); !s)
    return s.error();
  // A factor that is possible for all runs together makes at most all outcomes of one run true.
  double to = std::min(1.0, own.p[run] * valueAt(x));
  if (!scalesRuns()) {
    const Result<OutcomeShift> shift = all->shiftTo(shareAt(x));
    if (!shift)
      return shift.error();
    to = shift->applied(own.p[run]);
  }
  if (to == own.p[run])
    return 0.0;
  const double back = 1 - (to - own.p[run]) * own.again[run];
  if (direction[run].empty() || back <= 1e-9)
    return Error{"a loop would never end"};
  return own.n[run] * (to - own.p[run]) / back;
}

void BranchChange::addVariance(double x, FlowEffect &effect) const {
  if (all->dispersion().refuted())
    return;
  if (scalesRuns())
    addScaled(x, effect);
  else if (const Result<OutcomeShift> shift = all->shiftTo(shareAt(x)))
    addFlips(x, *shift, effect);
}

/// Outcomes that change, each with the same probability f, are more or less of them from run to
/// run: n f (1 - f) (1 + (n - 1) r) where those of one run are correlated by r (beta-binomial).
void BranchChange::addFlips(double x, const OutcomeShift &shift, FlowEffect &effect) const {
  const BranchOutcomes::Copy &own = all->copy(copy);
  const double stays = shift.stays();
  for (size_t d = 0; d < direction.size() && stays < 1; ++d) {
    if (own.n[d] <= 0)
      continue;
    const double to = shift.applied(own.p[d]), back = 1 - (to - own.p[d]) * own.again[d];
    const double n = own.n[d] * (shift.rises() ? 1 - own.p[d] : own.p[d]);
    const double difference = slopeAt(d, x) / back;
    effect.within[d] += n / back * stays * (1 - stays) *
                        (1 + std::max(0.0, n - 1) * shift.together) * difference * difference;
  }
}

/// With D the cost of a true outcome in place of a false one, outcomes that are drawn anew make
/// n p' (1 - p') D^2; what chance made of the spread that is multiplied is n' D squared times the
/// variance of a share.
void BranchChange::addScaled(double x, FlowEffect &effect) const {
  const BranchOutcomes::Copy &own = all->copy(copy);
  const double value = valueAt(x);
  for (size_t d = 0; d < direction.size(); ++d) {
    if (own.n[d] <= 0)
      continue;
    const double p = own.p[d], n = own.n[d], to = std::min(1.0, p * value);
    const double back = 1 - (to - p) * own.again[d], difference = slopeAt(d, x) / back;
    const double steep = value * n / back * difference, noise = unbiased(p, n) / n;
    effect.redrawn[d] += steep * steep * noise;
    effect.within[d] +=
        n / back * std::max(0.0, to * (1 - to) + value * value * noise) * difference * difference;
  }
}

/// D is known as well as runs with both outcomes agree about it.
void BranchChange::addError(double x, FlowEffect &effect) const {
  const BranchOutcomes::Copy &own = all->copy(copy);
  std::vector<double> known, value;
  double moved = 0, weight = 0;
  for (size_t d = 0; d < direction.size(); ++d) {
    weight += effect.weights[d];
    if (const Result<double> far = distance(d, x))
      moved += effect.weights[d] * *far;
    if (const double h = own.n[d] * own.p[d] * (1 - own.p[d]); h > 0) {
      known.push_back(h);
      value.push_back(slopeAt(d, x));
    }
  }
  if (moved != 0)
    effect.error = std::hypot(effect.error, std::fabs(moved / weight) * halfInterval(known, value));
}

} // namespace quincunx
