// What calls of some functions cost with all that is called under them, run by run.
#pragma once

#include "CallShares.h"
#include "CostChanges.h"
#include "OwnCosts.h"

#include <cmath>
#include <optional>

namespace quincunx {

/// Under all functions of a set.
struct CostUnder {
  std::vector<std::vector<Cumulants>> perRun; ///< per power of the variable
  std::vector<Interval> bounds;               ///< of the mean of perRun[0]
  bool isRecorded = false;                    ///< in some run what counts leave open was recorded
  bool isOpen = false;                        ///< in some run it was not
  bool isStopped = false; ///< runs were stopped in functions of which the entry is not counted then
};

class CostsUnder {
public:
  /// `roots`: functions of the matrix, of which several copies are one root. All must outlive it.
  CostsUnder(const BlockCosts &blocks, const CostChanges &costs,
             std::vector<std::vector<size_t>> roots);

  void compute();
  /// Per set of roots: the bits of its index.
  const std::vector<CostUnder> &sets() const { return totals; }
  /// Outermost calls of a root, per run.
  const std::vector<double> &calls(size_t root) const { return outermost[root]; }
  /// The function that leaves most open: its number in the matrix; nothing where all is told.
  std::optional<size_t> mostOpen() const;

private:
  using Under = std::vector<CallShares::Under>;
  /// What was recorded of the calls of a root.
  struct Recorded {
    bool isOfUse = false;
    std::vector<double> calls, cost; ///< per run, as CountMatrix::Columns has them
    std::vector<double> entries;     ///< per run, recursive calls too
    std::vector<double> stops;       ///< per run: ends of the program in the function itself
  };
  /// Of one run: functions that are called under the set and elsewhere.
  struct Shared {
    double cost = 0, clock = 0;       ///< by their shares
    double allCost = 0, allClock = 0; ///< of all their calls
    Interval bounds, price{HUGE_VAL, 0};
    bool any = false;
  };

  void read();
  bool isOutermost(size_t root, size_t run, double guessed) const;
  std::optional<double> recordedIn(size_t root, size_t run, const Under &under) const;
  void openStopped();
  bool copyNested(size_t set, size_t run, const CallShares::Sets &sets);
  void addUp(size_t set, size_t run, const Under &under);
  void share(Shared &of, size_t i, size_t run, const CallShares::Under &under);

  const BlockCosts &blocks;
  const CostChanges &costs;
  const std::vector<std::vector<size_t>> roots;
  const std::vector<ClassCount> clock; ///< by which calls were recorded
  CallShares shares;
  std::vector<Recorded> records;         ///< parallel to `roots`
  std::vector<OwnCosts> own;             ///< parallel to CallShares::functions(), like the next two
  std::vector<std::vector<double>> lost; ///< frames per run; empty: none
  std::vector<double> width;             ///< of bounds
  std::vector<std::vector<double>> outermost;
  std::vector<CostUnder> totals;
};

} // namespace quincunx
