// Private to lib/pamela: the largest and the k-th of random numbers that are known by cumulants.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <cstddef>
#include <vector>

namespace quincunx::pamela {

inline bool isConstant(const Cumulants &k) { return k.k2 == 0; }

/// So many independent copies.
struct Copies {
  Cumulants k;
  double count = 1;
};

/// Costs from 0 on have laws there, others anywhere. An error when more than 300 laws differ.
/// `pairs`: plus those of the laws that were joined, which is what takes the time.
Result<Cumulants> largest(std::vector<Copies> all, size_t &pairs);
Result<Cumulants> smallest(std::vector<Copies> all, size_t &pairs);
Result<Cumulants> kth(double k, std::vector<Copies> all, size_t &pairs);

/// Of numbers of which it is not known how they hang together: when all are large at once, and the
/// worst there can be.
struct Dependent {
  Cumulants together, worst;
};
Result<Dependent> largestOfDependent(std::vector<Cumulants> all, size_t &pairs);

} // namespace quincunx::pamela
