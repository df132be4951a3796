// Cumulants of joins, the largest and the k-th of random numbers that are known by cumulants.
// Reference: docs/12-pamela.md; cost/Join.h joins laws, here they are fitted.
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

/// The largest, smallest and k-th smallest of independent numbers. Costs from 0 on have laws there,
/// others anywhere. An error when more than 300 laws differ. Adds to `pairs` those of the laws that
/// were joined, which is what takes the time.
Result<Cumulants> largest(std::vector<Copies> all, size_t &pairs);
Result<Cumulants> smallest(std::vector<Copies> all, size_t &pairs);
Result<Cumulants> kth(double k, std::vector<Copies> all, size_t &pairs);

/// The largest of numbers with unknown dependence when all are large at once, the least that it can
/// be.
Result<Cumulants> largestOfDependent(std::vector<Cumulants> all, size_t &pairs);

} // namespace quincunx::pamela
