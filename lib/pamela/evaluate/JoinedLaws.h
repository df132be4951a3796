// Joins, the largest, the smallest and the k-th of random numbers. Reference: docs/12-pamela.md;
// cost/Join.h joins laws, here those that are not known are fitted.
#pragma once

#include "LawArithmetic.h"
#include "quincunx/base/Result.h"
#include "quincunx/pamela/RandomNumber.h"

#include <cstddef>
#include <vector>

namespace quincunx::pamela {

/// So many independent copies.
struct Copies {
  RandomNumber k;
  double count = 1;
};

/// The largest, smallest and k-th smallest of independent numbers. Costs from 0 on have laws there,
/// others anywhere. An error when more than 300 laws differ. Adds to `pairs` those of the laws that
/// were joined, which is what takes the time.
Result<RandomNumber> largest(std::vector<Copies> all, size_t &pairs);
Result<RandomNumber> smallest(std::vector<Copies> all, size_t &pairs);
Result<RandomNumber> kth(double k, std::vector<Copies> all, size_t &pairs);

/// The largest of numbers with unknown dependence when all are large at once, the least that it can
/// be.
Result<RandomNumber> largestOfDependent(std::vector<RandomNumber> all, size_t &pairs);

/// The cumulants of a join, for who does not carry laws.
inline Result<Cumulants> withoutLaw(const Result<RandomNumber> &x) {
  return x ? Result<Cumulants>(*x) : x.error();
}

} // namespace quincunx::pamela
