// Changes of how often things are executed: the probability of a branch, the trips of a loop. What
// is not asked about stays as each run had it: the flow of a run is taken as a Markov chain with
// the run's own shares, and calls change what they call in proportion.
#pragma once

#include "BranchChange.h"
#include "InclusiveCosts.h"
#include "LoopChange.h"
#include "MeantArm.h"
#include "quincunx/estimate/Note.h"

#include <memory>
#include <optional>

namespace quincunx {

/// What goes along with the trips per entry of the loops that change, from run to run, as a power
/// of them: 0 where it does not significantly.
struct CovariateEffect {
  double outside = 0;       ///< work outside of the loops
  double entries = 0;       ///< how often they are entered
  double within = 0;        ///< what an iteration costs
  std::vector<double> more; ///< per run: what that adds to its cost
  std::vector<double>
      most; ///< the same by the powers of the runs that grow fastest; empty: none do
  /// "X to the power 1 and Y to the power 2 grow"; `several`: "runs".
  std::string words(const std::string &several) const;
};

/// "file:line"
std::string whereOf(const Change &change);

class FlowChanges {
public:
  /// All must outlive it.
  /// `within`: outcomes of branches change within runs, whatever these differ in.
  FlowChanges(const BlockCosts &blocks, const CostChanges &costs, const NameResolver &places,
              bool within);

  /// Takes p(...) and trips(...), in the order in which they take effect; one with a variable is
  /// alone.
  Result<AppliedChange> apply(const Change &change);
  /// What a reader has to know: outcomes that are not independent, calls through pointers.
  const std::vector<Note> &notes() const { return warnings; }
  /// Prices the changes, when no more come. Errors: calls that would call without an end.
  Status finish();
  /// Whether the changes are about how often calls lead back to their function: then their costs
  /// are open.
  bool areRecursive() const { return recursive; }
  /// Where runs are weighted by what they differ in, though outcomes may change within each of them
  /// as well: the branch; empty: nowhere.
  const std::string &eitherWay() const { return either; }
  /// Whether inputs that the side of a branch which becomes more frequent never had may be dearer
  /// than all of which the figure is made.
  bool isOpenAbove(const Statistic &of) const;
  /// `x`: the variable. An error where a loop would never end.
  Result<FlowEffect> at(double x) const;
  /// `costs`: of the runs without the changes of flow. Nothing where no trips change, or the rest
  /// does not follow.
  std::optional<CovariateEffect> covariateEffect(const std::vector<Cumulants> &costs) const;
  /// Per run, how much less and more the changes may cost, where counts do not tell whom calls
  /// through pointers call, or what calls cost at each of several places; empty where they do, and
  /// where a change has a variable.
  std::vector<PointerTargets::Bounds> range() const;

private:
  bool hasVariable() const { return !steps.empty() && steps.front()->hasVariable(); }
  Result<AppliedChange> applyBranch(const Change &change);
  Result<AppliedChange> applyLoop(const Change &change);
  Status take(std::unique_ptr<FlowChange> step);
  Status comesBack(const BranchChange &step, const MeantBranch &meant) const;
  void findChoices();
  bool movesBack(const FlowChange &step) const;
  Status findRecursion();
  std::vector<PointerTargets::Bounds> decidedTargets() const;
  std::vector<PointerTargets::Bounds> placeRange() const;
  std::vector<PointerTargets::Bounds> calledBackRange() const;
  /// Passes of each edge, how many more.
  static std::vector<double> moreOf(const ChangedFlows::OfFunction &flow, size_t run);
  bool isWide(const std::vector<PointerTargets::Bounds> &open) const;
  void noteOnPlaces();
  void findSides();
  void findFollowing(const BranchChange &branch);
  std::string companion(const BranchOutcomes &outcomes) const;
  Cumulants cost(const FlowChange &step, size_t power, size_t run) const;
  Status addWeights(double x, FlowEffect &effect) const;
  void findGrowth();
  void holdAlike();
  void addContextErrors(double x, FlowEffect &effect) const;

  const BlockCosts &blocks;
  const NameResolver &places;
  size_t powers;
  ChangedFlows flows;
  InclusiveCosts inclusive;
  std::vector<std::unique_ptr<FlowChange>> steps;
  std::vector<LoopChange *> loops;      ///< those of `steps` that are loops
  std::vector<BranchChange *> branches; ///< of `steps`, the first copy of each branch
  /// A branch and what its outcomes may decide.
  struct Decision {
    BranchChange *step;
    Branch branch;
    std::vector<InclusiveCosts::Choice> choices;
  };
  std::vector<Decision> decided;             ///< of `steps`, all copies of branches
  std::vector<double> weights;               ///< per run, as changes before left them
  std::vector<std::vector<Cumulants>> moved; ///< per power and run: cost of what take() moved
  bool staysWithin, recursive = false;
  std::string either;
  double missing = 0; ///< of the runs afterwards, those that one side of a branch does not tell
  /// Per run, of what follows the change from run to run; empty: nothing does that is not told.
  std::vector<PointerTargets::Bounds> followed;
  std::vector<Note> warnings;
};

} // namespace quincunx
