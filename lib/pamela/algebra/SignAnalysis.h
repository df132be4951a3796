// What is known of an expression for all values of its parameters and indices, its sign and whether
// it is whole.
// The idea: a sum of terms that are 0 or more is; an index is tried at both its ends, and what has
// a lower bound L is written as L + s with s >= 0. What cannot be shown may be assumed when it is
// about parameters alone, and is written down. It proves little, and nothing that is wrong.
// Reference: docs/12-pamela.md, "Symbolic results".
#pragma once

#include "ExpressionStore.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace quincunx::pamela {

class Algebra;

/// What must be so for a closed form to hold: `e` is 0 or more, or whole.
struct Assumption {
  Id e = 0;
  bool whole = false;
  bool isStated = false; ///< by the model
};

/// What has been shown or assumed so far.
struct KnownSigns {
  std::vector<Assumption> assumptions;
  std::map<Id, double> lowest; ///< of parameters
  std::unordered_set<Id> wholes, proven;
  /// What could not be shown: when so much was assumed, with so many tries behind it.
  std::unordered_map<Id, std::pair<size_t, int>> open;
};

/// One question about an expression. `tries`: how many transformations are behind it, which ends
/// the search.
class SignAnalysis {
public:
  SignAnalysis(Algebra &algebra, KnownSigns &signs) : all(algebra), known(signs) {}

  bool nonnegative(Id e, int tries = 0);
  bool positive(Id e, int tries = 0);
  bool whole(Id e, int tries = 0);
  /// True when it is known or can be assumed, which it is then.
  bool assumeNonnegative(Id e, int tries = 0);
  bool assumeWhole(Id e);
  /// The model says that it is 0 or more.
  void state(Id e);

private:
  static constexpr int maxTries = 6;

  /// A bound from below, -inf when none is known.
  double lower(Id e, int tries);
  double lowerOfSum(const Expression &e, int tries);
  double lowerOfProduct(const Expression &e, int tries);
  double lowerOfFunction(Id e, int tries);

  bool showNonnegative(Id e, int tries);
  bool nonnegativeFunction(Id e, int tries);
  bool nonnegativeSum(Id e, int tries);
  /// What a sum is multiplied by, and what its factors are replaced by, to see that it is 0 or
  /// more.
  struct Shift {
    Id divisors = ExpressionStore::one;
    std::map<Id, Id> shifted; ///< f as L + s, L a lower bound of f
  };
  /// False when a divisor is not known to be above 0.
  bool findShift(const Expression &sum, int tries, Shift &shift);
  Id applied(const Shift &shift, const Expression &sum);
  /// Is it more than something that has been assumed?
  bool aboveAssumption(Id sum, int tries);

  bool wholeProduct(Id e, int tries);
  /// Is it a whole multiple of what is known to be whole, as p N / P is of N / P?
  bool multipleOfWhole(Id product, int tries);
  bool wholeFunction(Id e, int tries);
  /// The expression with the index as its lower bound and a whole number of steps.
  Id inSteps(Id e, Id index);
  /// What must be whole so that the sum is.
  std::vector<Id> neededWhole(Id sum);

  bool mayAssume(Id e) const;
  /// Each factor of it 0 or more, but for those with an even exponent.
  bool assumeFactors(Id product, int tries);
  /// b^n - 1 as b >= 1 and n >= 0; nothing when it is none.
  std::optional<bool> assumePowerAboveOne(const Expression &sum, int tries);
  std::optional<bool> assumeWithoutFactor(Id sum, int tries);
  void noteLowerBound(Id e);

  Algebra &all;
  KnownSigns &known;
};

} // namespace quincunx::pamela
