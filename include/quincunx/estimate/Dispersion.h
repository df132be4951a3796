// Do the counts of a branch vary between runs as independent outcomes would?
// Reference: docs/05-branches.md.
#pragma once

#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/CountMatrix.h"

#include <span>

namespace quincunx {

/// phi: 1 when outcomes are independent with one probability in all runs; less when they make up
/// for each other, more when runs differ in their probability or outcomes cluster.
struct Dispersion {
  double p = 0; ///< over all runs
  double phi = 0;
  Interval trust{0, 0}; ///< 90 %
  size_t runs = 0;      ///< in which the branch was evaluated
  /// Even the upper end is below 1: outcomes are not independent within a run.
  bool refuted() const { return runs >= 2 && trust.high < 1; }
};

/// 90 % interval of a variance from its estimate with so many degrees of freedom.
Interval varianceInterval(double estimate, double freedom);

/// `taken` of `n` outcomes per run.
Dispersion dispersion(std::span<const double> taken, std::span<const double> n);

/// The same of trips, of a loop that was entered so often in each run, with what a model says of an
/// entry. Trips that are constant by the model and are not have an infinite phi; where they
/// are, there is nothing to test, and no runs.
Dispersion tripDispersion(std::span<const double> trips, std::span<const double> entries,
                          const Cumulants &perEntry);

/// How often every edge of a function was passed, per run; empty: it never ran.
std::vector<std::vector<double>> edgesPerRun(const CountMatrix &matrix,
                                             const std::vector<Map> &maps, uint32_t map,
                                             uint32_t function);
/// Of the branches of a function (parallel to Function::branches), with two different arms; the
/// others have no runs.
std::vector<Dispersion> branchDispersions(const Function &f,
                                          std::span<const std::vector<double>> edgesOfRuns);

} // namespace quincunx
