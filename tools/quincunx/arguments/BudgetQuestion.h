// Whether budgets hold in a corpus.
#pragma once

#include "PricedCorpus.h"

#include "quincunx/report/Budgets.h"

#include <string>
#include <vector>

namespace quincunx::tool {

/// Where budgets stand, in the folder that one works in.
inline constexpr const char *usualBudgets = "quincunx.budget";

struct BudgetQuestion {
  CorpusOptions corpus;
  std::string baseline; ///< another corpus, or another build in this one; empty: there is none
};

/// Answers in the order of the budgets, with paths as they are from the current folder.
Result<BudgetReport> askBudgets(const std::vector<Budget> &budgets, const BudgetQuestion &options);

} // namespace quincunx::tool
