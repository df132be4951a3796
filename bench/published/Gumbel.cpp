// The mean of the last of N tasks with a symmetric law, from mean and deviation alone.
// Reference: Gautama's thesis (2.15), (5.44), after Gumbel. It gives no other moment.
#include "Published.h"

#include <cmath>

namespace quincunx::published {

Result<double> gumbelMean(const Moments &x, double N) {
  if (!(N >= 2.5))
    return Error{"log(0.4 N) is negative for fewer than three tasks"};
  return x.mean + x.deviation() * std::sqrt(2 * std::log(0.4 * N));
}

} // namespace quincunx::published
