// Changes of calls with all that is called under them: calls(f) *= k, total(f) *= x.
#pragma once

#include "CostsUnder.h"
#include "estimate/counts/PointerTargets.h"
#include "estimate/price/InlinedTotals.h"
#include "quincunx/estimate/Note.h"

namespace quincunx {

class TotalChanges {
public:
  /// What they change is `costs`, and `base`: of the runs, before. All must outlive it.
  TotalChanges(const BlockCosts &blocks, const CostChanges &costs, const NameResolver &places,
               const std::vector<Cumulants> &base);

  /// Those of `changes` that are inclusive, at once; there is one. Errors: a name that means
  /// nothing.
  Status take(const std::vector<Change> &changes);
  /// In the order of the changes.
  const std::vector<AppliedChange> &applied() const { return done; }
  const std::vector<Note> &notes() const { return warnings; }

  /// Adds what they do to the cost of each run, at the value `x` of the variable.
  void addTo(double x, std::vector<Cumulants> &sum) const;
  /// Per run: how much less and more it may be than that, at 1; empty where nothing is open.
  std::vector<PointerTargets::Bounds> range() const;

private:
  /// A change, and the number of the function (in all its copies) that it means.
  struct Asked {
    Change change;
    size_t root = 0;
  };
  double factor(size_t set, size_t order, double x) const;
  Status findRoots(const std::vector<Change> &changes);
  void addInlined(size_t root);
  AppliedChange describe(const Asked &asked) const;
  double meanOf(const std::vector<double> &perRun) const;

  const BlockCosts &blocks;
  const CostChanges &costs;
  const NameResolver &places;
  const std::vector<Cumulants> &base;
  std::vector<NameResolver::Meant> roots;
  std::vector<InlinedTotal> inlined; ///< parallel
  std::vector<Asked> asked;
  std::optional<CostsUnder> totals;
  std::vector<CostUnder> sets; ///< of these, with what was inlined
  std::vector<AppliedChange> done;
  std::vector<Note> warnings;
};

} // namespace quincunx
