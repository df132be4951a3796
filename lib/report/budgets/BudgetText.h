// Words for one checked budget, the same in every format.
#pragma once

#include "quincunx/report/Budgets.h"

#include <string>

namespace quincunx {

/// "1.83 ms", "+3.2 %", "~1234".
std::string valueText(const CheckedBudget &b);
/// Empty where it is one point.
std::string intervalText(const CheckedBudget &b);
std::string boundText(const CheckedBudget &b);

/// Where a reader is sent: the budget's function, else where the budget is written.
struct BudgetPlace {
  std::string file; ///< empty: nowhere
  unsigned line = 0;
};
BudgetPlace placeOf(const CheckedBudget &b);
/// From `folder`, where it is below.
std::string pathFrom(const std::string &folder, const std::string &path);

} // namespace quincunx
