// Parallel skeletons: what a parallel map of many equal tasks and a divide-and-conquer recursion
// take until the last of their parts is done. A task is known by four cumulants; sums of tasks are
// Pearson laws. Reference: docs/08-parallel-composition.md; López, Núñez & Rubio, whose formulas
// for random placement this corrects. Tasks are independent; there is no cost of communication but
// what the caller puts into a task.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"

#include <cstdint>
#include <span>

namespace quincunx {

/// When all tasks of a parallel map are done, processors starting together.
struct Makespan {
  Cumulants k;
  DistributionPtr law;
};

/// Processor i gets `share[i]` tasks: the largest of the sums. At least one task in all.
Result<Makespan> fixedPlacement(const Cumulants &task, std::span<const uint64_t> share);
/// `tasks` dealt out as evenly as can be.
Result<Makespan> evenPlacement(const Cumulants &task, uint64_t tasks, uint64_t processors);
/// Every task goes to processor i with probability proportional to `weights[i]`, independently of
/// the others. Refuses what would take more than some 10^7 operations per place (about 10^5 tasks
/// on 100 processors).
Result<Makespan> randomPlacement(const Cumulants &task, uint64_t tasks,
                                 std::span<const double> weights);
/// randomPlacement() with equal weights.
Result<Makespan> randomPlacement(const Cumulants &task, uint64_t tasks, uint64_t processors);

/// A recursion that splits its problem into `arity` parts `depth` times, solves the leaves and
/// combines the results on the way back.
struct Recursion {
  uint64_t arity = 2, depth = 1;
  Cumulants split, leaf, combine;
};
/// With a processor for every part. Exact up to the fit of the leaf where split and combine are
/// constants; else every level is fitted anew. At most 10^9 leaves.
Result<Makespan> divideAndConquer(const Recursion &r);
/// With `processors` that wait for each other between the three phases, in each of which its parts
/// (all splits, all leaves, all combinations) are placed at random.
Result<Makespan> divideAndConquer(const Recursion &r, uint64_t processors);

} // namespace quincunx
