// Laws of growth of loops, and what changes in them.
// The idea: how often a loop's header or an arm of a branch is executed is one linear form in the
// counters, so that each costs one pass over its columns; only loops that matter are looked at.
// Cost belongs to the innermost loop that holds a block. The share of a branch is regressed on the
// logarithm of the size; what is more than chance and changes a tenth of it is told.
#include "quincunx/estimate/Growth.h"

#include "Resize.h"
#include "quincunx/model/Loops.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

CodePlace codePlace(const Function &f, const Location &at) {
  const Scope &scope = f.scopes[at.scope];
  return {scope.file == noIndex ? "" : f.files[scope.file].path, at.line, at.column,
          scope.function};
}

namespace {

constexpr size_t maxLoops = 10;
constexpr double minShare = 0.01; ///< of the mean cost
constexpr double maxError = 0.10; ///< of the larger half
/// Standard errors from which on a slope is no chance, and how much of a share it has to change.
constexpr double minDeviations = 4, minDrift = 0.1;

struct Hot {
  size_t function = 0;
  uint32_t loop = 0;
  double cost = 0;
};

/// Per block the innermost loop that holds it; none: no loop.
std::vector<uint32_t> innermost(const Function &f) {
  std::vector<uint32_t> of(f.blocks.size(), noIndex);
  for (uint32_t l = 0; l < f.loops.size(); ++l) { // parents before children
    const std::vector<bool> body = bodyOf(f, f.loops[l]);
    for (size_t b = 0; b < body.size(); ++b)
      if (body[b])
        of[b] = l;
  }
  return of;
}

/// A straight line through shares, each run with the weight of its evaluations.
struct Line {
  double middle = 0, share = 0; ///< it passes through this point
  double slope = 0, error = 0;
  double at(double x) const { return std::clamp(share + slope * (x - middle), 0.0, 1.0); }
};

Line regress(const std::vector<double> &x, const std::vector<double> &taken,
             const std::vector<double> &n) {
  double w = 0, wx = 0, wy = 0, xx = 0, xy = 0, rest = 0;
  for (size_t i = 0; i < x.size(); ++i)
    w += n[i], wx += n[i] * x[i], wy += taken[i];
  Line line{wx / w, wy / w, 0, 0};
  for (size_t i = 0; i < x.size(); ++i) {
    xx += n[i] * (x[i] - line.middle) * (x[i] - line.middle);
    xy += (taken[i] - n[i] * line.share) * (x[i] - line.middle);
  }
  line.slope = xx > 0 ? xy / xx : 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double away = taken[i] - n[i] * (line.share + line.slope * (x[i] - line.middle));
    const double lever = x[i] - line.middle;
    rest += away * away * lever * lever; // whatever the spread of a run is (White's estimate)
  }
  line.error = xx > 0 ? std::sqrt(rest) / xx : 0;
  return line;
}

class Grower {
public:
  Grower(const std::string &feature, const BlockCosts &c)
      : costs(c), sized(sizesOf(c.matrix().rows, feature)) {
    for (const Sized &s : sized)
      sizes.push_back(s.size);
    double total = 0;
    std::vector<double> weights;
    for (const CountMatrix::Row &row : c.matrix().rows)
      total += row.weight;
    for (size_t d = 0; d < c.matrix().rows.size(); ++d)
      weights.push_back(c.matrix().rows[d].weight * c.scale(d) / total);
    mean = c.matrix().perColumn(weights);
  }
  Result<Growth> run();

private:
  void addLoops(size_t f, std::vector<Hot> &out) const;
  std::vector<double> times(size_t f, const LinearForm &form) const;
  Result<LoopGrowth> growth(const Hot &h) const;
  void addDrifts(const Hot &h, std::vector<BranchDrift> &out) const;

  const BlockCosts &costs;
  const std::vector<Sized> sized;
  std::vector<double> sizes; ///< of these runs
  std::vector<double> mean;  ///< per column, of what is priced
  double whole = 0;          ///< mean cost
};

/// All loops of function `f` that cost something.
void Grower::addLoops(size_t f, std::vector<Hot> &out) const {
  const Function &function = costs.function(f);
  if (function.loops.empty())
    return;
  std::vector<double> counters;
  for (const uint32_t c : costs.matrix().functions[f].counters)
    counters.push_back(c == noIndex ? 0 : mean[c]);
  const FlowValues flow = costs.flowSolver(f).flow(counters);
  std::vector<double> sums(function.loops.size());
  const std::vector<uint32_t> of = innermost(function);
  for (size_t b = 0; b < of.size(); ++b)
    if (of[b] != noIndex)
      sums[of[b]] += flow.blocks[b] * costs.blocks(f)[b].k1;
  for (uint32_t l = 0; l < sums.size(); ++l)
    if (sums[l] > 0)
      out.push_back({f, l, sums[l]});
}

/// Of the runs that have a size.
std::vector<double> Grower::times(size_t f, const LinearForm &form) const {
  const std::vector<double> all = costs.matrix().perRun(f, form);
  std::vector<double> out;
  for (const Sized &s : sized)
    out.push_back(std::max(0.0, all[s.run]));
  return out;
}

Result<LoopGrowth> Grower::growth(const Hot &h) const {
  const Function &f = costs.function(h.function);
  const Loop &loop = f.loops[h.loop];
  std::vector<double> header(f.blocks.size());
  header[loop.header] = 1;
  const std::vector<double> y = times(h.function, costs.flowSolver(h.function).linear(header));
  const Result<SizeLaw> law = fitSizeLaw(sizes, y);
  if (!law)
    return law.error();
  return LoopGrowth{codePlace(f, loop.at),
                    h.cost / whole,
                    std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size()),
                    loop.trips,
                    *law,
                    law->error <= maxError};
}

void Grower::addDrifts(const Hot &h, std::vector<BranchDrift> &out) const {
  const Function &f = costs.function(h.function);
  const std::vector<uint32_t> of = innermost(f);
  const std::vector<std::vector<bool>> bodies = bodiesOf(f);
  std::vector<double> x;
  for (const double s : sizes)
    x.push_back(std::log(s));
  for (const Branch &b : f.branches) {
    if (b.isSwitch || b.arms[0] == b.arms[1] || of[b.block] != h.loop ||
        isLoopCondition(f, b, bodies))
      continue;
    const auto passes = [&](std::vector<uint32_t> edges) {
      std::vector<double> weights(f.edges.size());
      for (const uint32_t e : edges)
        weights[e] = 1;
      return times(
          h.function,
          costs.flowSolver(h.function).linear(std::vector<double>(f.blocks.size()), weights));
    };
    const std::vector<double> taken = passes({b.arms[0]}), n = passes(b.arms);
    const double all = std::accumulate(n.begin(), n.end(), 0.0);
    if (all <= 0)
      continue;
    const Line line = regress(x, taken, n);
    const double small = line.at(x.front()), large = line.at(x.back());
    if (std::fabs(line.slope) < minDeviations * line.error ||
        std::fabs(large - small) < minDrift * std::min(line.share, 1 - line.share))
      continue;
    out.push_back({codePlace(f, b.at), all / static_cast<double>(n.size()), small, large});
  }
}

Result<Growth> Grower::run() {
  const std::vector<double> weights = costs.weights(0);
  whole = std::inner_product(mean.begin(), mean.end(), weights.begin(), 0.0);
  std::vector<Hot> hot;
  for (size_t f = 0; f < costs.matrix().functions.size(); ++f)
    addLoops(f, hot);
  std::erase_if(hot, [&](const Hot &h) { return h.cost < minShare * whole; });
  std::stable_sort(hot.begin(), hot.end(),
                   [](const Hot &a, const Hot &b) { return a.cost > b.cost; });
  hot.resize(std::min(hot.size(), maxLoops));
  Growth out;
  for (const Hot &h : hot) {
    Result<LoopGrowth> loop = growth(h);
    if (!loop)
      return loop.error();
    out.loops.push_back(std::move(*loop));
    addDrifts(h, out.branches);
  }
  std::stable_sort(
      out.branches.begin(), out.branches.end(),
      [](const BranchDrift &a, const BranchDrift &b) { return a.evaluated > b.evaluated; });
  return out;
}

} // namespace

Result<Growth> growthWith(const std::string &feature, const BlockCosts &costs) {
  return Grower(feature, costs).run();
}

} // namespace quincunx
