// Another probability of a branch.
// The idea: one more true outcome in place of a false one leads to z = visits(true) -
// visits(false); to have p' instead of p takes n (p' - p) / (1 - (p' - p) z_branch) of them, as the
// branch itself is evaluated more or less often then. Reference: docs/17-what-if.md. It does not
// know that outcomes hang together, only whether their spread refutes that they do not.
#include "BranchChange.h"

#include "estimate/figures/Notes.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// p (1 - p), from the share of true ones among n outcomes.
double unbiased(double share, double n) { return share * (1 - share) * n / std::max(1.0, n - 1); }

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
                           const BlockCosts &blocks, ChangedFlows &flows)
    : FlowChange(what, f) {
  const Function &code = blocks.function(f);
  Chain chain(code);
  const std::vector<std::vector<double>> &flow = flows.of(f).is;
  const std::vector<double> mean = meanFlow(flow, blocks.matrix().rows);
  for (const std::vector<double> &edges : flow) {
    const double taken = edges[branch.arms[0]], evaluated = taken + edges[branch.arms[1]];
    n.push_back(evaluated);
    p.push_back(evaluated > 0 ? taken / evaluated : 0);
    BranchDirection to;
    if (evaluated > 0)
      to = directionOf(code, branch, chain, chain.shares(edges, mean));
    direction.push_back(std::move(to.edges));
    again.push_back(to.again);
  }
}

void BranchChange::addOutcomes(std::vector<double> &evaluated, std::vector<double> &taken) const {
  for (size_t d = 0; d < n.size(); ++d) {
    evaluated[d] += n[d];
    taken[d] += n[d] * p[d];
  }
}

void BranchChange::judge(const Dispersion &dispersion) {
  independent = !dispersion.refuted();
  usual = dispersion.p;
}

/// The share of true outcomes that a run is to have. A factor that is possible for all runs
/// together makes at most all outcomes of one run true.
double BranchChange::target(size_t run, double value) const {
  return change.scales ? std::min(1.0, p[run] * value) : value;
}

Result<double> BranchChange::distance(size_t run, double x) const {
  const double value = valueAt(x);
  if (n[run] <= 0)
    return 0.0;
  const double to = target(run, value);
  if (const double all = change.scales ? value * usual : value; all > 1)
    return Error{"the probability would be " + brief(all)};
  const double back = 1 - (to - p[run]) * again[run];
  if (direction[run].empty() || back <= 1e-9)
    return Error{"a loop would never end"};
  return n[run] * (to - p[run]) / back;
}

void BranchChange::addVariance(double x, FlowEffect &effect) const {
  const double value = valueAt(x);
  for (size_t d = 0; d < direction.size() && independent; ++d) {
    if (n[d] <= 0)
      continue;
    const double to = target(d, value), back = 1 - (to - p[d]) * again[d];
    double difference = 0, factor = 1;
    for (const auto &slopes : slope) {
      difference += factor * slopes[d].k1;
      factor *= x;
    }
    difference /= back;
    double spread = to * (1 - to);
    if (change.scales) { // cost as a function of the share there was has the slope value n' D
      const double steep = value * n[d] / back * difference, noise = unbiased(p[d], n[d]) / n[d];
      effect.redrawn[d] += steep * steep * noise;
      spread = std::max(0.0, spread + value * value * noise);
    }
    effect.within[d] += n[d] / back * spread * difference * difference;
  }
}

} // namespace quincunx
