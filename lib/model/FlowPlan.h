// The equations of a function's flow in the order in which they are solved. A block with one
// unknown edge determines it; taken in that order ("peeling" leaves) a whole tree of unmeasured
// edges is solved in one pass. It holds no counts.
#pragma once

#include "quincunx/map/Map.h"

#include <vector>

namespace quincunx {

/// `edge` is determined by the equation of `block`: what its other edges bring less what they take,
/// or that with the other sign.
struct SolvingStep {
  uint32_t edge, block;
  uint32_t in, out, end; ///< FlowPlan::terms[in, out) bring, [out, end) take
  bool leaves;           ///< `edge` takes
};

/// Edges per block, self loops left out.
struct Incidence {
  std::vector<std::vector<uint32_t>> in, out;
};

/// The trees of unmeasured edges that do not reach outside the function.
struct UnmeasuredTrees {
  std::vector<uint32_t> of; ///< per block; noIndex: its tree reaches outside, where nothing is lost
  std::vector<uint32_t> roots;
};

struct FlowPlan {
  /// `function` must outlive it.
  explicit FlowPlan(const Function &function);
  const Function &f;
  Incidence g;
  std::vector<uint32_t> terms; ///< edges
  std::vector<SolvingStep> order;
  UnmeasuredTrees trees;
};

} // namespace quincunx
