// Private to lib/estimate: changes of how often things are executed: the probability of a branch,
// the trips of a loop. What is not asked about stays as each run had it: the flow of a run is taken
// as a Markov chain with the run's own shares, and calls change what they call in proportion.
#pragma once

#include "Inclusive.h"

#include <optional>

namespace quincunx {

/// What the changes do to the cost of each run.
struct FlowEffect {
  /// Per power of the variable and run, to be added to CostChanges::runs().
  std::vector<std::vector<Cumulants>> delta;
  /// Per run: the variance that outcomes make within it, and that part of the spread between runs
  /// which came of outcomes that are drawn anew.
  std::vector<double> within, carried;
};

/// What is outside of the loops whose trips change goes along with them, from run to run: as a
/// power of their trips.
struct Along {
  double power = 0;         ///< significantly above 0
  std::vector<double> more; ///< per run: what that adds to its cost
};

class FlowChanges {
public:
  /// All must outlive it.
  FlowChanges(const BlockCosts &blocks, const CostChanges &costs, const Places &places);

  /// p(...) and trips(...), in the order in which they take effect; one with a variable is alone.
  Result<Applied> apply(const Change &change);
  /// Outcomes that are not independent, for the reader.
  const std::vector<Note> &notes() const { return warnings; }
  /// When no more changes come: what they cost.
  void finish();
  /// `x`: the variable. An error where a loop would never end.
  Result<FlowEffect> at(double x) const;
  /// `costs`: of the runs without the changes of flow. Nothing where no trips change, or the rest
  /// does not follow.
  std::optional<Along> along(const std::vector<Cumulants> &costs) const;

private:
  bool hasVariable() const { return !steps.empty() && !steps.front().change.variable.empty(); }
  /// One branch or loop that a change means.
  struct Step {
    Change change;
    size_t function = 0;
    uint32_t loop = noIndex; ///< of a loop: its index
    bool independent = true; ///< of a branch: not refuted
    double usual = 0;        ///< of a branch: share of true outcomes in all runs
    /// Of a branch, per run: evaluations, its share of true ones, and how much more often it is
    /// evaluated again after a true one than after a false one.
    std::vector<double> n, p, again;
    std::vector<double> trips; ///< of a loop, per run: how often it comes back
    /// Of a loop, per power and run: variance that the branches in it make.
    std::vector<std::vector<double>> noise;
    /// Per run and edge: one more true outcome in place of a false one; twice the trips.
    std::vector<std::vector<double>> direction;
    std::vector<std::vector<Cumulants>> slope; ///< per power and run: what the direction costs
  };
  Result<Applied> applyBranch(const Change &change);
  Result<Applied> applyLoop(const Change &change);
  Step branchStep(const Spot &spot, Chain &chain, const Change &change);
  Step loopStep(const Spot &spot, Chain &chain, const Change &change);
  Status take(Step step);
  static double target(const Step &step, size_t run, double value);
  Result<double> distance(const Step &step, size_t run, double x) const;
  void addVariance(const Step &step, double x, FlowEffect &effect) const;
  void priceNoise(Step &step);
  std::vector<std::vector<Cumulants>> usualCosts(size_t f) const;
  Cumulants cost(const Step &step, size_t power, size_t run) const;

  const BlockCosts &blocks;
  const Places &places;
  size_t powers;
  Flows flows;
  Inclusive inclusive;
  std::vector<Step> steps;
  std::vector<std::vector<Cumulants>> moved; ///< per power and run: cost of what take() moved
  std::vector<Note> warnings;
};

} // namespace quincunx
