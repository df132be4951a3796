// The idea: what a run would cost less if what a name means were free is what it spends there. It
// is the change itself that says so (CostChanges), so that both agree whatever names mean.
#include "quincunx/estimate/CostColumns.h"

#include "CostChanges.h"

namespace quincunx {

std::vector<CostColumn> costColumns(BlockCosts &costs, const NameReader &reader,
                                    const std::vector<std::string> &names) {
  WhatIfOptions options;
  static_cast<NameReader &>(options) = reader;
  const NameResolver places(costs.matrix(), costs.maps(), options);
  const std::vector<Cumulants> runs = costs.expectedRuns();
  std::vector<CostColumn> columns;
  for (const std::string &name : names) {
    Change free;
    free.scales = true;
    free.name = name;
    free.value = {};
    CostChanges changes(costs, runs, places);
    columns.push_back(changes.apply(free, 0) ? changes.freed() : CostColumn());
  }
  return columns;
}

} // namespace quincunx
