// Costs of tasks that run beside each other: when the last has ended, the first, or the k-th.
// Reference: docs/08-parallel-composition.md. Tasks here are independent; those that share a data
// set are joined data set by data set and averaged.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/OrderStatistic.h"

#include <span>

namespace quincunx {

/// A law and how many tasks have it; the count may be real.
struct Task {
  DistributionPtr law;
  double count = 1;
};

/// The cost of a join: its law, cumulants and raw moments E Y^1..4.
struct Join {
  Cumulants k;
  RawMoments raw;
  DistributionPtr law;
};

/// A way to join tasks: k is the order for a quorum and unused by the others. The counts of a
/// quorum of more than one class are whole and at most 512 together. Refuses no tasks, counts that
/// are not positive, and a k that is not one of them.
using JoinFunction = Result<Join>(double k, std::span<const Task> tasks);

#define QUINCUNX_JOIN(name, function) JoinFunction function;
#include "quincunx/cost/Joins.def"
#undef QUINCUNX_JOIN

struct JoinKind {
  const char *name;
  JoinFunction *join;
};
std::span<const JoinKind> joins();

/// The bounds of the last (or first) when nothing is known of how tasks depend on each other: every
/// moment of the last lies between those of `comonotone` and `extreme`, place by place.
struct JoinBounds {
  Join comonotone, extreme;
};
Result<JoinBounds> boundLast(std::span<const Task> tasks);
Result<JoinBounds> boundFirst(std::span<const Task> tasks);

/// One of `joins` drawn with `weights`: a random number of tasks, or tasks that are independent
/// given the data set.
Result<Join> average(std::span<const Join> joins, std::span<const double> weights);

} // namespace quincunx
