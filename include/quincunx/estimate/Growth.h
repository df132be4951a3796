// How the loops of a program grow with the size of its input: a law for the iterations of each,
// fitted over the runs of a corpus, and the branches in them that go otherwise as it grows.
// Reference: docs/17-what-if.md.
#pragma once

#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/SizeLaw.h"

#include <string>
#include <vector>

namespace quincunx {

/// Where a loop or a branch stands.
struct CodePlace {
  std::string file; ///< empty: not known
  uint32_t line = 0, column = 0;
  std::string function; ///< linkage name of the one whose text it is
};
CodePlace codePlace(const Function &f, const Location &at);

struct LoopGrowth {
  CodePlace at;
  double share = 0;      ///< of the mean cost: its own blocks, without loops in it and callees
  double iterations = 0; ///< mean per run
  std::string trips;     ///< as Loop::trips: further iterations per entry, where the compiler knew
  SizeLaw law;           ///< of the iterations of a run
  bool holds = false;    ///< whether it predicts the larger half of the sizes within 10 %
};

/// A branch whose share of true outcomes changes with the size, as it does where the index of its
/// loop decides it.
struct BranchDrift {
  CodePlace at;
  double evaluated = 0;        ///< mean per run
  double small = 0, large = 0; ///< its share at the smallest and at the largest size
};

struct Growth {
  std::vector<LoopGrowth> loops;
  std::vector<BranchDrift> branches; ///< in these loops, those that are evaluated most first
};

/// The hottest loops first, those with at least 1 % of the mean cost and no more than ten. Runs
/// without the feature, or with one that is not positive, are left out. An error where the sizes
/// allow no law (SizeLaw.h).
Result<Growth> growthWith(const std::string &feature, const BlockCosts &costs);

} // namespace quincunx
