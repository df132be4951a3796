// The idea: what a run would cost less if what a name means were free is what it spends there. It
// is the change itself that says so (CostChanges), so that both agree whatever names mean.
#include "quincunx/estimate/CostColumns.h"

#include "CostChanges.h"
#include "estimate/price/PriceChange.h"

#include <algorithm>

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

std::vector<PriceColumn> priceColumns(BlockCosts &costs, const Machine &machine) {
  const auto total = [](const CostColumn &column) {
    double sum = 0;
    for (const Cumulants &k : column)
      sum += k.k1;
    return sum;
  };
  const CostColumn whole = costs.expectedRuns();
  std::vector<PriceColumn> columns;
  for (const std::string &word : wordsWithPrices(machine)) {
    costs.price(withPrice(machine, word, {}));
    CostColumn spent = costs.expectedRuns();
    for (size_t d = 0; d < spent.size(); ++d)
      spent[d] = whole[d] - spent[d];
    if (total(spent) > 1e-12 * total(whole))
      columns.push_back({word, std::move(spent)});
  }
  costs.price(machine);
  std::ranges::stable_sort(columns, std::greater(),
                           [&](const PriceColumn &c) { return total(c.perRun); });
  return columns;
}

} // namespace quincunx
