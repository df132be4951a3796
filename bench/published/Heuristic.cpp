// The oldest rule for two tasks in parallel: the one that is larger on average is the result. It
// costs nothing and ignores that the larger of two random numbers is larger than either.
// Reference: Gautama's thesis (5.21), after Schopf and Berman.
#include "Published.h"

namespace quincunx::published {

RawMoments heuristicLast(const RawMoments &x1, const RawMoments &x2) {
  return x1.m1 > x2.m1 || (x1.m1 == x2.m1 && x1.m2 > x2.m2) ? x1 : x2;
}

} // namespace quincunx::published
