// What each run spends in single functions, as `cost(NAME) *= x` would change it: a run costs, with
// any number of such changes, its k_r less the sum of (1 - x^r) times the r-th cumulants of what is
// changed. So whoever has the columns can ask what would happen if without the counts.
// Reference: docs/17-what-if.md. It draws no conclusion.
#pragma once

#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/NameReader.h"

#include <string>
#include <vector>

namespace quincunx {

/// One Cumulants per run.
using CostColumn = std::vector<Cumulants>;

/// What runs spend in what each of the names means: in functions of the program without what these
/// call, or in calls of what was not counted. A column is empty where a name means nothing, several
/// things, or what has no price. `costs` must not have been changed.
std::vector<CostColumn> costColumns(BlockCosts &costs, const NameReader &reader,
                                    const std::vector<std::string> &names);

/// What runs spend on each class of instructions and on each event that the machine prices, as
/// `price(NAME) *= x` would change it; those first on which most is spent in the mean, and none on
/// which nothing is. `costs` must be priced by that machine, and is so again.
struct PriceColumn {
  std::string name; ///< as `.machine` files have it
  CostColumn perRun;
};
std::vector<PriceColumn> priceColumns(BlockCosts &costs, const Machine &machine);

} // namespace quincunx
