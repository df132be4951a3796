// Whether budgets hold, by the figures and intervals that reports print. A budget in counts is
// decided by what these inputs counted, so that it cannot flicker; where a program does not repeat
// its counts exactly, by how much it does not is measured and no budget within that is decided. A
// budget in time is decided by the interval of its figure. Reference: docs/22-budgets.md.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/Budget.h"
#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/NameReader.h"
#include "quincunx/estimate/RunSource.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

enum class BudgetAnswer : uint8_t { holds, broken, cannotTell };

struct CheckedBudget {
  Budget budget;
  BudgetAnswer answer = BudgetAnswer::cannotTell;
  std::string unit;             ///< of all that follows; empty: a number
  double value = 0;             ///< of the figure; of growth, by how much it is more than its law
  Interval interval;            ///< where it lies; one point where it is what was counted
  double bound = 0;             ///< of the figure
  std::optional<double> before; ///< the figure of the baseline
  bool isAverage = false;       ///< a total that takes calls as the average ones of their run
  bool ranOnce = false;         ///< counts decide, and it is not known whether they repeat
  size_t leftOut = 0;           ///< runs without the feature that it is of
  std::string why;              ///< what decides, a sentence without its full stop
  std::string functionFile;     ///< where its function begins; empty: not known, or the program
  unsigned functionLine = 0;
};

/// One that cannot be asked, and why.
CheckedBudget unanswered(const Budget &b, const std::string &why);

/// What budgets are checked against.
struct BudgetWorld {
  RunSource runs;
  std::optional<RunSource> baseline; ///< none: budgets have none
  const Machine &machine;
};

/// All of them in the unit of one machine, of runs or (all of them) of requests. Errors name the
/// budget: a name that means nothing or several things, a unit that the costs do not have.
Result<std::vector<CheckedBudget>> checkBudgets(std::span<const Budget> budgets,
                                                const BudgetWorld &world, const NameReader &reader);

} // namespace quincunx
