// Tells whether two sums of counts of a flow are always equal.
// The idea: what enters a block leaves it, so counts of edges hang together, and one number may be
// written as many sums. Two sums that agree in one random flow agree in all (but for a chance of
// 2^-64): equality of polynomials by evaluation. Reference: R. Zippel, Probabilistic algorithms for
// sparse polynomials, 1979.
#pragma once

#include "SourceBodies.h"

namespace quincunx {

class Circulation {
public:
  explicit Circulation(const Function &flow);
  bool same(const CountForm &a, const CountForm &b) const { return of(a) == of(b); }

private:
  uint64_t of(const CountForm &form) const;
  std::vector<uint64_t> edges, blocks;
};

} // namespace quincunx
