// What the runs of one side of a branch cannot tell of the runs that are to join them.
// The idea: weights make the runs of one side stand for more inputs, and these may be of the kind
// that the other side had. Where that had larger sizes than this one ever did, and costs of this
// one grow with the size as a power, what the power says of these sizes beyond the largest one is
// missing in every sample of its runs. Nor do counts tell what an arm sets that decides elsewhere,
// which only shows as costs that follow its outcomes from run to run. Reference:
// docs/17-what-if.md. It does not know whether the sides have to do with a feature.
#include "OneSide.h"

#include "FlowChange.h"
#include "quincunx/numeric/LineFit.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Of what this side would cost, the part beyond its largest run from which on it is told.
constexpr double minBeyond = 0.05;
/// Of the outcomes of a run, the share from which on it is of a side.
constexpr double ofSide = 0.5;

/// The power with which costs grow among all runs of a side or the larger half of them, whichever
/// is more: growth that begins late is what counts beyond; 0 where there is none.
double steepest(std::vector<std::pair<double, double>> points) {
  std::sort(points.begin(), points.end());
  double power = 0;
  for (const size_t from : {size_t{0}, points.size() / 2}) {
    LineFit line;
    for (size_t i = from; i < points.size(); ++i)
      line.add(std::log(points[i].first), std::log(points[i].second));
    if (line.count() >= minFollowing && line.slope() > minSlopeRatio * line.slopeError())
      power = std::max(power, line.slope());
  }
  return power;
}

/// What `y` has that a line through `x` does not tell.
std::vector<double> leftOver(const std::vector<double> &x, const std::vector<double> &y) {
  LineFit line;
  for (size_t d = 0; d < x.size(); ++d)
    line.add(x[d], y[d]);
  std::vector<double> left;
  for (size_t d = 0; d < x.size(); ++d)
    left.push_back(y[d] - line.at(x[d]));
  return left;
}

/// A run: a feature, its cost, whether it is of the side that becomes more frequent, and for how
/// many it stands.
struct SideRun {
  double value = 0, cost = 0;
  bool ofThis = false;
  double weight = 0;
};

std::optional<BeyondSide> beyondIn(const std::string &feature, const std::vector<SideRun> &runs,
                                   double shareAfter) {
  std::vector<std::pair<double, double>> side;
  BeyondSide out{feature, 0, 0, 0};
  for (const SideRun &r : runs) {
    double &largest = r.ofThis ? out.ran : out.other;
    largest = std::max(largest, r.value);
    if (r.ofThis)
      side.emplace_back(r.value, r.cost);
  }
  const double power = steepest(side);
  if (power <= 0)
    return {};
  double all = 0, beyond = 0, within = 0, further = 0;
  for (const SideRun &r : runs) {
    const double law = std::pow(r.value / out.ran, power);
    all += r.weight, within += r.weight * std::min(1.0, law);
    further += r.weight * std::max(0.0, law - 1);
    beyond += r.value > out.ran ? r.weight : 0;
  }
  out.share = shareAfter * beyond / all;
  return further > minBeyond * within ? std::optional(out) : std::nullopt;
}

} // namespace

std::optional<BeyondSide> beyondSide(const BranchOutcomes &outcomes, double reached,
                                     const std::vector<CountMatrix::Row> &rows,
                                     const std::vector<Cumulants> &costs) {
  const bool rises = reached > outcomes.share();
  if (reached == outcomes.share() || rows.empty())
    return {};
  const std::vector<double> &share = outcomes.sharePerRun();
  for (const auto &[feature, first] : rows.front().features) {
    std::vector<SideRun> runs;
    for (size_t d = 0; d < rows.size(); ++d) {
      const auto at = rows[d].features.find(feature);
      if (outcomes.evaluationsPerRun()[d] <= 0 || at == rows[d].features.end() ||
          !(at->second > 0) || !(costs[d].k1 > 0))
        continue;
      runs.push_back({at->second, costs[d].k1, (share[d] >= ofSide) == rises, rows[d].weight});
    }
    const double shareAfter = rises ? reached : 1 - reached;
    if (auto beyond = beyondIn(feature, runs, shareAfter))
      return beyond;
  }
  return {};
}

Following following(const std::vector<double> &evaluations, const std::vector<double> &taken,
                    const std::vector<double> &costs) {
  const std::vector<double> outcomes = leftOver(evaluations, taken);
  const std::vector<double> rest = leftOver(evaluations, costs);
  double spread = 0, together = 0, all = 0;
  for (size_t d = 0; d < outcomes.size(); ++d) {
    spread += outcomes[d] * outcomes[d], all += taken[d];
    together += outcomes[d] * rest[d];
  }
  if (static_cast<double>(outcomes.size()) < minFollowing || !(spread > 1e-12 * all))
    return {0, HUGE_VAL};
  const double slope = together / spread;
  double left = 0;
  for (size_t d = 0; d < outcomes.size(); ++d)
    left += std::pow(rest[d] - slope * outcomes[d], 2);
  return {slope, std::sqrt(left / static_cast<double>(outcomes.size() - 3) / spread)};
}

} // namespace quincunx
