// What became of the cost of each function, as far as it is more than noise.
#pragma once

#include "FunctionMatches.h"
#include "PricedBuild.h"

namespace quincunx {

/// Two builds, and which of their runs belong together.
struct BuildPair {
  const PricedBuild &before, &after;
  std::span<const RunPair> pairs;
  const ShortName &shortName;
};

/// A row of functions of both, or what runs cost outside of functions (neither row).
struct MatchedCosts {
  FunctionMatch match;
  CostSeries costs;
  bool isFunction() const {
    return match.before != FunctionMatch::none || match.after != FunctionMatch::none;
  }
};
std::vector<MatchedCosts> matchedCosts(const BuildPair &builds);

/// The sum of all.
CostSeries costsOfProgram(const BuildPair &builds, std::span<const MatchedCosts> all);

struct FunctionChanges {
  std::vector<FunctionChange> found;          ///< the largest difference first
  size_t doubtful = 0;                        ///< Comparison::doubtful
  std::optional<FunctionChange> mostDoubtful; ///< the same
};
FunctionChanges functionChanges(const BuildPair &builds, std::span<const MatchedCosts> all,
                                const RepetitionNoise &noise, const PairedCosts &program);

} // namespace quincunx
