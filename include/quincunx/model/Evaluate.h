// What one execution of the regions of a function costs, by the four rules, given how often its
// edges were passed, what its blocks cost, and what is known of its branches and loops beyond that.
// Parts are independent of each other but for what is said below; whether they are is for
// lib/estimate to find out. Reference: docs/04-the-four-rules.md to 06.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/model/Region.h"
#include "quincunx/numeric/Moments.h"

#include <optional>
#include <span>

namespace quincunx {

struct Evaluation {
  std::span<const double> edges;     ///< how often each was passed, or in proportion to that
  std::span<const Cumulants> blocks; ///< of executing each once
  /// Cumulant rates of true outcomes, per branch of the map (Branch.h); empty or nullopt: outcomes
  /// are independent draws.
  std::span<const std::optional<Cumulants>> branches;
  /// Trips per entry, backedges taken, per loop of the map; empty or nullopt: each pass is the last
  /// one with the same chance.
  std::span<const std::optional<Cumulants>> loops;
  /// Counts are what they are: nothing varies but what blocks cost. Then cumulants are linear in
  /// those of blocks; `branches` and `loops` are not looked at.
  bool fixedCounts = false;
};

/// The cumulants of one execution of each region (Regions::all); 0 for what was never executed. Of
/// a loop with several ways out: whichever it took. In regions of kind `exits` and `flow` outcomes
/// of branches are independent draws.
Result<std::vector<Cumulants>> evaluate(const Regions &regions, const Evaluation &e);

/// The cost of one call by elimination alone, with no tree: all draws independent, each pass of a
/// loop the last one with the same chance. For judging evaluate().
Result<Cumulants> evaluateFlat(const Function &f, const Evaluation &e);

} // namespace quincunx
