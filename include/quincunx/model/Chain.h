// The flow of a function as a Markov chain: from each block its edges are taken with fixed shares,
// wherever control came from. It says what follows from other shares; what a run did is what was
// counted. Reference: docs/17-what-if.md.
#pragma once

#include "quincunx/map/Map.h"
#include "quincunx/numeric/Sparse.h"

#include <vector>

namespace quincunx {

class Chain {
public:
  /// `f` must outlive it.
  explicit Chain(const Function &f);
  /// Returns per edge its share among those of its block; a block that was not executed has those
  /// of `usual`.
  std::vector<double> shares(const std::vector<double> &flow,
                             const std::vector<double> &usual) const;
  /// Returns how often blocks are executed from now on when block b is about to be executed
  /// `start[b]` times; empty: some of them for ever.
  std::vector<double> visits(const std::vector<double> &shares, const std::vector<double> &start);
  /// Returns for each block of a loop how likely the loop is left before control comes back to its
  /// header; 0 elsewhere.
  std::vector<double> leaving(const std::vector<double> &shares, const Loop &loop,
                              const std::vector<bool> &body);

private:
  std::vector<double> valuesOf(const std::vector<double> &shares) const;

  const Function &f;
  std::vector<uint32_t> inner;    ///< edges from block to block
  SparseSystem forward, backward; ///< I - P', I - P
};

} // namespace quincunx
