// What the runs of one side of a branch cannot tell of the runs that are to join them.
#pragma once

#include "BranchOutcomes.h"
#include "quincunx/estimate/CountMatrix.h"

#include <optional>
#include <string>

namespace quincunx {

/// A feature of which the other side has larger values, where the costs of the side that becomes
/// more frequent grow with it.
struct BeyondSide {
  std::string feature;
  double ran = 0, other = 0; ///< the largest value on this side and on the other
  double share = 0;          ///< of runs afterwards that would be beyond `ran`
};

/// `reached`: the share of true outcomes that weights of runs lead to; `costs`: of the runs.
/// Nothing where what is beyond costs little, or weights of runs do not move.
std::optional<BeyondSide> beyondSide(const BranchOutcomes &outcomes, double reached,
                                     const std::vector<CountMatrix::Row> &rows,
                                     const std::vector<Cumulants> &costs);

/// How costs of runs follow the outcomes of a branch from run to run, the number of its evaluations
/// being equal: what a true outcome more goes along with, and the standard error of that.
struct Following {
  double perOutcome = 0, error = 0;
};
Following following(const std::vector<double> &evaluations, const std::vector<double> &taken,
                    const std::vector<double> &costs);

} // namespace quincunx
