// What a PAMELA+ model costs for given parameters: the critical path, the demand on resources, and
// the bound that both make, each with four cumulants.
//   phi    parts in series add up, parallel ones end with the last (van Gemund, eq. (2))
//   delta  per resource, the sum of what is used of it (3); omega: the largest delta / |r| (4)
//   T      in series the sum; in parallel the largest of the parts' T and omega of all (5)
// T is a lower bound of what happens, in each percentile. For random costs phi and omega are made
// of the same draws: T is that of the coupling under which both are large at once. `upper` bounds
// it from above. Reference: docs/12-pamela.md. It expands what it cannot count, up to a
// limit.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Ast.h"
#include "quincunx/pamela/RandomNumber.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quincunx::pamela {

struct EvaluateOptions {
  std::string target = "main";              ///< a process or a number without arguments
  std::map<std::string, double> parameters; ///< in place of numbers without arguments
  bool strict = false;     ///< moments that no law has are an error, and not projected with a note
  size_t steps = 20000000; ///< most parts of a tree that are looked at
  bool laws = true; ///< laws are carried where they are small; else cumulants, as by expressions
};

struct Demand {
  RandomNumber k;
  double multiplicity = 1; ///< servers of the resource
};

struct Evaluated {
  RandomNumber T; ///< of a number: its value
  /// Of the time, which is no larger than the sum of both; they may be large at once or not. None
  /// when the answer is of an expression.
  struct Upper {
    RandomNumber path, wait;
    double mean() const { return path.k1 + wait.k1; }
  };
  std::optional<Upper> upper;
  RandomNumber phi, omega;
  std::map<double, Demand> demands; ///< per index of fcfs()
  double theta = 0; ///< ln(omega / phi), the index of contention; -inf without resources
  std::vector<std::string> notes;
  /// Is it known that nobody waits, or how long, so that the bound is the time?
  bool isTime() const { return upper ? upper->mean() <= T.k1 * (1 + 1e-6) : omega.k1 == 0; }
};

/// Errors name the place: an unknown target, a parameter without a value, a division by zero,
/// bounds that are not finite or that an index cannot go through, what is not defined for random
/// numbers, too many parts.
Result<Evaluated> evaluate(const Model &model, const EvaluateOptions &options);

} // namespace quincunx::pamela
