// The rules by which expressions are made, in a normal form.
// The idea: whoever makes an expression gets it simplified: sums of products with exact
// coefficients, like terms put together, closed forms of sums and largest values over an index.
// Random numbers are kept as draws: X + X are two draws of one law, `total` counts them; 2 * X is
// one, scaled. A closed form can hold only where bounds are what they are meant to be (a range that
// is not empty, a whole number of turns): what it takes for granted is written down in
// `assumptions`. Reference: docs/12-pamela.md, "Symbolic results". It knows no models.
#pragma once

#include "ExpressionStore.h"
#include "SignAnalysis.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx::pamela {

class Algebra : public ExpressionStore {
public:
  Id add(std::span<const Id> parts);
  Id add(Id a, Id b) { return add(std::array<Id, 2>{a, b}); }
  Id subtract(Id a, Id b) { return add(a, multiply(minusOne, b)); }
  Id multiply(Id a, Id b);
  Id divide(Id a, Id b) { return multiply(a, power(b, -1)); }
  Id power(Id a, int exponent);
  /// Operators but + - * /, `if`, `switch` (args[0] is `nothing` without a selector).
  Id apply(Op op, std::vector<Id> args);
  /// Functions of Functions.def.
  Id call(std::string_view function, std::vector<Id> args);
  /// `rates`: of a condition.
  Id law(const std::string &name, std::vector<Id> args, bool rates = false);
  Id vector(std::vector<Id> elements);
  Id element(Id value, Id place, Id servers, std::vector<Id> over);

  /// Above it the terms of sums of powers cancel each other: one of i^20 up to 1 has terms of 10^2.
  static constexpr int maxExponent = 20;

  // Over the values of the body for all values of the index.
  Id sum(Id index, Id body);
  Id extreme(Op op, Id index, Id body); ///< max or min
  Id anyOf(Id k, Id index, Id body);    ///< the k-th smallest
  Id repeated(Id count, Id body);       ///< so many draws, added up
  Id copies(Op op, Id count, Id body, Id k = nothing);

  /// How many values the index has.
  Id countOf(Id index) { return add(subtract(to(index), from(index)), one); }

  /// `e` with `by` in place of the index.
  Id substitute(Id e, Id index, Id by);

  /// The factors that divide all terms of a sum, and those that all terms are divided by.
  Id sharedFactor(Id e);
  /// A sum without that factor, as a sum, however long that is.
  Id divideTerms(Id sum, Id front);

  // What is known (SignAnalysis). Where something is not, it may be assumed.
  bool nonnegative(Id e) { return SignAnalysis(*this, signs).nonnegative(e); }
  bool positive(Id e) { return SignAnalysis(*this, signs).positive(e); }
  bool whole(Id e) { return SignAnalysis(*this, signs).whole(e); }
  bool assumeNonnegative(Id e) { return SignAnalysis(*this, signs).assumeNonnegative(e); }
  bool assumeWhole(Id e) { return SignAnalysis(*this, signs).assumeWhole(e); }
  /// The model says that it is 0 or more.
  void state(Id e) { SignAnalysis(*this, signs).state(e); }
  /// The index has so many values or more (0 or 1).
  bool assumeTurns(Id index, int least);
  /// And a whole number of them.
  bool assumeRange(Id index, bool notEmpty);
  /// Assumes it without a look at what is known.
  void assume(Assumption a) { signs.assumptions.push_back(a); }
  const std::vector<Assumption> &assumptions() const { return signs.assumptions; }

private:
  // Sums and products.
  Id sumOf(Terms &&terms);
  Id productOf(const std::map<Id, int> &exponents, Coefficient factor);
  Id multiplyTerms(Coefficient factor, Id sum);
  Id multiplyProducts(Id a, Id b, Coefficient factor);
  Id multiplyVector(Id vector, Id scalar);
  std::optional<Id> cancelSum(Id sum, Id product);
  Id expandProduct(Id a, Id b);
  bool dividesBy(Id product, Id factor) const;

  // Random numbers and vectors.
  Id addVectors(std::span<const Id> parts);
  /// Parts of a sum that are no random numbers, and how often each random one is drawn.
  struct Draws {
    std::vector<Id> certain;
    std::vector<std::pair<Id, Id>> random; ///< body, count
  };
  Draws drawsOf(std::span<const Id> parts);
  Id addRandom(std::span<const Id> parts);
  Id scale(Id factor, Id random);

  // Functions and operators.
  Id function(Op op, std::vector<Id> args, std::string_view text = {});
  Id branch(Id condition, Id yes, Id no);
  Id kthSmallest(std::vector<Id> args);
  Id logical(Op op, Id a, Id b);
  Id arithmetic(Op op, Id a, Id b);
  Id quotient(Op op, Id a, Id b);
  Id compare(Op op, Id a, Id b);
  Id largest(std::string_view function, std::vector<Id> args);
  void flatten(Id e, bool isMax, std::vector<Id> &certain, std::vector<Id> &random) const;
  void dropDominated(std::vector<Id> &args, bool isMax);
  Id rounded(std::string_view function, Id e);
  Id commonDivisor(std::vector<Id> args);

  // Sums and largest values over an index.
  Id explicitly(Op op, Id index, Id body, Id k = nothing);
  Id sumOfVector(Id index, Id body);
  Id sumOfTotal(Id index, const Expression &body);
  Id sumOfDraws(Id index, Id body);
  /// outside * i^power * inside; see splitByIndex().
  struct IndexedTerm {
    Id outside = one;
    int power = 0;
    Id inside = nothing;
  };
  std::optional<IndexedTerm> splitByIndex(Id index, Id product, Coefficient weight);
  Id sumOfTerms(Id index, Id body, Id count);
  Id sumOfFunction(Id index, Id outside, int m, Id inside);
  Id sumOfRest(Id index, const std::vector<Id> &rest);
  Id sumOfPowers(Id from, Id to, int exponent);
  Id geometric(Id index, Id base, Id exponent);
  // What hangs on a remainder of the index; `nothing` where there is no closed form.
  Id sumOfRemainders(Id index, Id dividend, Id divisor, int exponent);
  Id sumOfQuotient(Id index, Id product, Coefficient weight);
  Id sumByRemainder(Id index, Id body);
  struct Residue {
    Id turns, value; ///< an index, and what it makes of the one that is summed over
    Id body, form;   ///< in terms of the one, and of the other
  };
  std::optional<std::vector<Residue>> residuesOf(Id index, Id body, int64_t period);
  Id extremeOfEach(Op op, Id index, const Expression &call);
  Id endWhereExtreme(Op op, Id index, Id body);
  Id extremeOfTerms(Op op, Id index, Id body);
  Id nonnegativeFactor(Id index, Id e);

  KnownSigns signs;
};

} // namespace quincunx::pamela
