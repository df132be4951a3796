// Laws that depend on others through their tails place by place: the largest, smallest or k-th of
// independent variables, and the bounds of these when nothing is known of their dependence.
// Reference: docs/08-parallel-composition.md. Which program makes which is lib/cost/join.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"

#include <memory>
#include <span>
#include <vector>

namespace quincunx {

/// How the operands depend on each other. comonotone: the coupling under which all are large at
/// once; extreme: the pointwise bound of every coupling on the other side.
enum class Coupling { independent, comonotone, extreme };

/// F_Y(t) from F_1(t) .. F_n(t).
class Combination {
public:
  virtual ~Combination() = default;
  virtual Tails combine(std::span<const Tails> operands) const = 0;
  /// combine() at `count` places: operand i at place j stands at i count + j. `out` may be the
  /// first operand.
  virtual void combineAll(TailSpans operands, size_t count, TailSpans out) const;
  /// dF_Y/dF_i.
  virtual double slope(std::span<const Tails> operands, size_t i) const = 0;
  /// Number of smooth pieces, and which one this is: F_Y has a kink where it changes.
  virtual size_t pieces() const { return 1; }
  virtual size_t piece(std::span<const Tails> operands) const;
};

/// The largest of counts[i] copies of operand i, for all i; counts may be real, and above 0.
std::unique_ptr<const Combination> lastOf(std::vector<double> counts, Coupling coupling);
/// The smallest of them.
std::unique_ptr<const Combination> firstOf(std::vector<double> counts, Coupling coupling);
/// The k-th smallest of n independent copies of one operand, 1 <= k <= n, both may be real.
Result<std::unique_ptr<const Combination>> kthOf(double k, double n);
/// The k-th smallest of counts[i] independent copies of operand i. Time is the square of their
/// total per place.
std::unique_ptr<const Combination> kthOfClasses(size_t k, std::vector<size_t> counts);

/// The law of Y. moments() is by panels; it has a density where all operands have one.
DistributionPtr makeCombined(std::vector<DistributionPtr> operands,
                             std::unique_ptr<const Combination> combination);

} // namespace quincunx
