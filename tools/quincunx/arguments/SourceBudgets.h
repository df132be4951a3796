// Budgets that stand at functions in the source, which the build that is asked about was compiled
// with.
#pragma once

#include "PricedCorpus.h"

#include "quincunx/estimate/Budget.h"

#include <vector>

namespace quincunx::tool {

struct SourceBudget {
  Budget budget;                      ///< as if somebody had named its function
  std::vector<std::string> functions; ///< linkage names: instances of a template are several
  std::string written;                ///< as it stands in the source
};
/// In the order of their places.
Result<std::vector<SourceBudget>> sourceBudgets(const CorpusOptions &options);

} // namespace quincunx::tool
