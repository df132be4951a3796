// Private to lib/estimate: how often the edges of functions are passed in each run, as it was and
// as it became, and the flow of a function as a Markov chain.
#pragma once

#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/numeric/Sparse.h"

#include <map>

namespace quincunx {

/// Per run, a linear form in the counters of function `f`; what frames lost in the middle of what
/// is possible, as in BlockCosts.
std::vector<double> perRun(const CountMatrix &matrix, size_t f, const LinearForm &form);

/// The block an edge leads to the start of; none: out of the function.
inline uint32_t headOf(const Edge &e) { return e.kind == EdgeKind::reentry ? noIndex : e.to; }

class Flows {
public:
  explicit Flows(const BlockCosts &b) : blocks(b) {}
  /// Passes of each edge, per run.
  struct OfFunction {
    std::vector<std::vector<double>> was, is;
  };
  OfFunction &of(size_t f);
  /// Of a run as it was.
  FunctionCounts counts(size_t f, size_t run) const;
  const std::map<size_t, OfFunction> &all() const { return known; }

private:
  const BlockCosts &blocks;
  std::map<size_t, OfFunction> known;
};

/// A function as a chain: from each block its edges are taken with fixed shares, wherever it was
/// before.
class Chain {
public:
  explicit Chain(const Function &f);
  /// Per edge its share among those of its block; of blocks that were not executed, as in `usual`.
  std::vector<double> shares(const std::vector<double> &flow,
                             const std::vector<double> &usual) const;
  /// How often blocks are executed from now on when block b is about to be `start[b]` times; empty:
  /// some of them for ever.
  std::vector<double> visits(const std::vector<double> &shares, const std::vector<double> &start);
  /// For each block of a loop, how likely it is left before it comes back to its header; 0
  /// elsewhere.
  std::vector<double> leaving(const std::vector<double> &shares, const Loop &loop,
                              const std::vector<bool> &body);

private:
  std::vector<double> valuesOf(const std::vector<double> &shares) const;

  const Function &f;
  std::vector<uint32_t> inner;    ///< edges from block to block
  SparseSystem forward, backward; ///< I - P', I - P
};

} // namespace quincunx
