// What joins share: checks, the table, and averages over joins.
// The idea: a join is a law; its moments are those of the law. Reference:
// docs/08-parallel-composition.md.
#include "Tasks.h"

#include "quincunx/dist/Mixture.h"

#include <cmath>
#include <utility>

namespace quincunx {

std::optional<Error> refuse(std::span<const Task> tasks) {
  if (tasks.empty())
    return Error{"a join needs a task"};
  for (const Task &task : tasks) {
    if (!task.law)
      return Error{"a task without a law"};
    if (!(task.count > 0) || !std::isfinite(task.count))
      return Error{"the number of tasks must be positive and finite"};
  }
  return std::nullopt;
}

std::vector<DistributionPtr> lawsOf(std::span<const Task> tasks) {
  std::vector<DistributionPtr> laws;
  for (const Task &task : tasks)
    laws.push_back(task.law);
  return laws;
}

std::vector<double> countsOf(std::span<const Task> tasks) {
  std::vector<double> counts;
  for (const Task &task : tasks)
    counts.push_back(task.count);
  return counts;
}

Join joinOf(DistributionPtr law) {
  const Cumulants k = cumulants(law->moments());
  return {k, rawMoments(k), std::move(law)};
}

std::span<const JoinKind> joins() {
  static const JoinKind table[] = {
#define QUINCUNX_JOIN(name, function) {name, function},
#include "quincunx/cost/Joins.def"
#undef QUINCUNX_JOIN
  };
  return table;
}

Result<Join> average(std::span<const Join> joins, std::span<const double> weights) {
  std::vector<DistributionPtr> laws;
  for (const Join &join : joins)
    laws.push_back(join.law);
  const Result<DistributionPtr> law = makeWeighted(laws, weights);
  if (!law)
    return law.error();
  return joinOf(*law);
}

} // namespace quincunx
