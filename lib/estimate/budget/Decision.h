// Does a figure of runs keep its bound? The rules of the three answers, on numbers alone.
#pragma once

#include "quincunx/dist/Mixture.h"
#include "quincunx/estimate/Budget.h"
#include "quincunx/estimate/CheckBudgets.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

/// A quantity of every run.
struct BudgetSample {
  std::vector<MixtureComponent> parts;
  std::vector<Interval> counts;    ///< where k1 of each lies; empty: it is exact
  std::vector<std::string> inputs; ///< equal for runs of one input
  std::optional<double> mean;      ///< over more than these
  bool isSample = false;           ///< they were drawn from more
  size_t leftOut = 0;              ///< runs without the feature
  bool isAverage = false;          ///< `counts` is what single calls may cost otherwise
};

/// How well prices say what runs take: relative standard deviation; 0: costs are counts.
struct PriceError {
  double relative = 0;
};

/// The figure, and where it lies.
struct BudgetFigure {
  double value = 0;
  Interval interval;
  bool isCounted = true;       ///< what these inputs counted decides
  bool isRepeated = false;     ///< some input ran several times, so that it is known what repeats
  double chance = 0;           ///< half of the interval is for what does not repeat
  double sampling[2] = {0, 0}; ///< below and above: parts of the interval that more runs narrow
  double prices = 0;           ///< half of it is for prices
  double scale = 0;            ///< the value, or of a difference that of the runs now
  bool isStopped = false;      ///< runs that were stopped leave it open
  bool isOfSome = false;       ///< an extreme of those that were kept
  uint64_t runs = 0;
  bool isAverage = false; ///< what single calls cost leaves it open
};
Result<BudgetFigure> budgetFigure(const Budget &budget, const BudgetSample &sample, bool isTime,
                                  PriceError error);

/// The same of the difference to so many times the baseline: runs of both are parallel where
/// `paired`.
Result<BudgetFigure> budgetDifference(const Budget &budget, const BudgetSample &before,
                                      const BudgetSample &after, bool isTime, PriceError error,
                                      bool paired);

BudgetAnswer answerOf(Budget::Comparison comparison, const Interval &figure, double bound);
/// How many more runs would tell on which side of the bound the figure lies, in words; empty: the
/// budget is decided.
std::string whatWouldDecide(const Budget &budget, const BudgetFigure &figure, double bound);

} // namespace quincunx
