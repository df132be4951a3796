// The load of the busiest of several processors when tasks are placed at random.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"

#include <span>
#include <vector>

namespace quincunx {

/// Processor i is a class of `processors` that each take a task with probability `p`.
struct ProcessorClass {
  double p = 0;
  uint64_t processors = 1;
};

/// Tails of the largest load, as products of power series in "tasks placed so far".
class RandomPlacement {
public:
  /// Probabilities times processors add up to 1.
  static Result<RandomPlacement> make(uint64_t tasks, std::span<const ProcessorClass> classes);

  /// The sums of tasks that matter: from least() to most() tasks on a processor.
  uint64_t least() const { return first; }
  uint64_t most() const { return last; }
  /// P(every processor's load is at most t) and its complement, where `sum[j - least()]` has the
  /// tails at t of the cost of j tasks. Both keep their digits where they are small.
  Tails tails(std::span<const Tails> sum) const;

private:
  uint64_t tasks = 0, first = 0, last = 0;
  double total = 0; ///< Pois(tasks; tasks)
  std::vector<ProcessorClass> classes;
};

} // namespace quincunx
