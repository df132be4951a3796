// Loops and branches, and how much of the variance goes along with what they decided.
#pragma once

#include "Attribution.h"
#include "estimate/counts/TotalCosts.h"

namespace quincunx {

/// What is known of the cost over the runs. `weights` add up to 1.
struct CostOfRuns {
  std::span<const double> weights, costs; ///< costs: k1 of each run
  double mean = 0;                        ///< of the cost
  double between = 0, variance = 0;       ///< Var of k1; with what is random within runs
  double effective = 0;                   ///< runs of equal weight that would tell as much
  /// What the cost is without already, and what counts are to be without: vectors of mean 0 and
  /// variance 1 without covariance, one number per run.
  std::span<const std::vector<double>> without = {};
  /// Takes off the mean, which it returns, and what `without` tells.
  double centre(std::vector<double> &values) const;
};

/// What calls cost.
struct CostOfCalls {
  const TotalCosts &calls;
  const TotalCosts::Costs &costs;
  bool isKnown = true; ///< in nearly all runs
};

struct Decisions {
  std::vector<LoopShares> loops;
  std::vector<BranchShares> branches;
};

/// Per column: mean counts, those times scales (BlockCosts::scale), and their covariances with the
/// cost.
Decisions decisions(const BlockCosts &costs, const Attribution &parts, const CostOfRuns &runs,
                    const CostOfCalls &calls, std::span<const double> meanCounts,
                    std::span<const double> priced, std::span<const double> covariances);

} // namespace quincunx
