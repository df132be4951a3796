// Private to lib/pamela: the largest and the k-th of random numbers that are known by cumulants.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <vector>

namespace quincunx::pamela {

inline bool isConstant(const Cumulants &k) { return k.k2 == 0; }

/// So many independent copies.
struct Copies {
  Cumulants k;
  double count = 1;
};

/// Costs from 0 on have laws there, others anywhere.
Result<Cumulants> largest(std::vector<Copies> all);
Result<Cumulants> smallest(std::vector<Copies> all);
Result<Cumulants> kth(double k, std::vector<Copies> all);

/// Of numbers of which it is not known how they hang together: when all are large at once, and the
/// worst there can be.
struct Dependent {
  Cumulants together, worst;
};
Result<Dependent> largestOfDependent(std::vector<Cumulants> all);

} // namespace quincunx::pamela
