// Orders timed runs. The idea: rounds are outside and inputs inside, so that what changes slowly
// (frequency, load) meets all inputs alike. Within round r inputs follow at a stride of 1 + r
// modulo the next prime p: 0, s, 2 s, ... visits every number below p once, and with another stride
// every input has another one before it, so what that leaves in the caches is not always the same.
// No randomness, so that anyone can say in which order things ran. It runs nothing.
#include "Schedule.h"

#include <algorithm>

namespace quincunx::tool {

static bool isPrime(size_t n) {
  for (size_t d = 2; d * d <= n; ++d)
    if (n % d == 0)
      return false;
  return n >= 2;
}

std::vector<TimedStep> schedule(const std::vector<size_t> &missing, uint32_t firstRound,
                                size_t startUps) {
  const size_t rounds = missing.empty() ? 0 : *std::max_element(missing.begin(), missing.end());
  size_t prime = std::max<size_t>(2, missing.size());
  while (!isPrime(prime))
    ++prime;
  std::vector<TimedStep> runs;
  for (size_t r = 0; r < rounds; ++r) {
    const uint32_t round = firstRound + static_cast<uint32_t>(r);
    const size_t stride = 1 + round % std::max<size_t>(1, prime - 1);
    for (size_t k = 0; k < prime; ++k)
      if (const size_t input = (round + k * stride) % prime;
          input < missing.size() && missing[input] > r)
        runs.push_back({false, input, round});
  }
  std::vector<TimedStep> out;
  size_t started = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    for (; started * runs.size() < (i + 1) * startUps; ++started)
      out.push_back({true, runs[i].input, runs[i].round});
    out.push_back(runs[i]);
  }
  return out;
}

} // namespace quincunx::tool
