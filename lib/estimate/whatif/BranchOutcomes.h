// The outcomes of a branch, run by run, and how another share of true ones comes about: of runs
// that are drawn more often, and of outcomes that change within runs.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/Dispersion.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace quincunx {

/// From the share of true outcomes that weights of runs reach, to the share that is asked for: each
/// outcome of the side that becomes rarer changes with the same probability.
struct OutcomeShift {
  double reached = 0, aim = 0;
  double together = 0; ///< correlation of outcomes of a run, in whether they change
  bool rises() const { return aim > reached; }
  /// The probability that an outcome of the side that becomes rarer stays as it was.
  double stays() const {
    return aim == reached ? 1 : rises() ? (1 - aim) / (1 - reached) : aim / reached;
  }
  /// The share that a run is to have which had `p`.
  double applied(double p) const {
    return aim == reached ? p : rises() ? 1 - (1 - p) * stays() : p * stays();
  }
};

class BranchOutcomes {
public:
  /// One copy of the branch, per run: evaluations, the share of true ones, and how much more often
  /// it is evaluated after one more of them.
  struct Copy {
    std::vector<double> n, p, again;
  };
  /// `weight`: per run, as it counts so far. `within`: outcomes change within runs, whatever these
  /// differ in.
  BranchOutcomes(std::vector<Copy> copies, std::vector<double> weight, bool within = false);

  const Dispersion &dispersion() const { return phi; }
  const Copy &copy(size_t i) const { return copies[i]; }
  double share() const { return usual; }        ///< of true outcomes, in all runs
  double evaluations() const { return perRun; } ///< in the mean over all runs
  /// The share of true outcomes of each run, and how many it has, of all copies together.
  const std::vector<double> &sharePerRun() const { return p; }
  const std::vector<double> &evaluationsPerRun() const { return n; }
  /// Do most of the differences between outcomes lie between runs?
  bool differBetweenRuns() const;
  /// Are runs weighted to have another share, though each has outcomes of both kinds?
  bool isEitherWay(double reached) const;
  /// Does it by weights alone, as hardly any run had both outcomes?
  bool isMix(double reached) const { return reached != usual && !isEitherWay(reached); }
  /// So many equal runs tell what the rarer side costs.
  double rarerRuns() const;

  /// To the share `to` of all evaluations. Errors: one side never ran, or a loop would never end.
  Result<OutcomeShift> shiftTo(double to) const;
  /// Per run, the weight under which `reached` of the outcomes are true, 1 on average; `times`: how
  /// often each run is drawn (none: once). `isFactor`: of the share of those that are drawn, as
  /// much. Empty: those that are drawn do not differ.
  std::vector<double> weights(double reached, std::span<const uint32_t> times = {},
                              bool isFactor = false) const;

private:
  double reach(double to) const;
  double aimFor(double to, double reached) const;
  double together(const OutcomeShift &shift, std::span<const double> weights) const;
  double shareAfter(const OutcomeShift &shift, std::span<const double> weights) const;

  std::vector<Copy> copies;
  std::vector<double> weight, n, p; ///< of all copies together
  Dispersion phi;
  double usual = 0, perRun = 0, between = 0; ///< `between`: variance of p over evaluations
  double least = 1, most = 0;                ///< of p
  double icc = 0; ///< intraclass correlation of outcomes, where it is significantly above 0
  bool comesBack = false, staysWithin;
  mutable std::optional<std::pair<double, OutcomeShift>> last; ///< of shiftTo(), asked per run
};

} // namespace quincunx
