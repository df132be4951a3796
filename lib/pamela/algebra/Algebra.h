// Private to lib/pamela: expressions with parameters kept, in a normal form.
// The idea: every expression is made once (equal ones have equal numbers), and whoever makes one
// gets it simplified: sums of products with exact coefficients, like terms put together, closed
// forms of sums and largest values over an index. Random numbers are kept as draws: X + X are two
// draws of one law, `total` counts them; 2 * X is one, scaled.
// A closed form can hold only where bounds are what they are meant to be (a range that is not
// empty, a whole number of turns): what it takes for granted is written down in `assumptions`.
#pragma once

#include "Coefficient.h"
#include "quincunx/pamela/Ast.h"

#include <array>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace quincunx::pamela {

using Id = uint32_t;

enum class Form : uint8_t {
  number,
  parameter, ///< `text`
  index,     ///< `text`; args: from, to; `depth`
  sum,       ///< args: products; weights: their factors
  product,   ///< args: factors; weights: their exponents, whole
  function,  ///< `op`, or op call and `text`; args
  reduce, ///< `op`: sum, max, min or any over args[0], an index; args[1]: the body; any: args[2] is
          ///< k
  copies, ///< `op`: sum, max, min, any of args[0] draws of args[1]; sum: a random number of them
  law,    ///< `text`; args; `op` branch: rates of a condition
  scaled, ///< args[0] times one draw of args[1]
  total,  ///< args[0], and then pairs: args[i + 1] draws of args[i]
  vector, ///< args: elements, added up
  element, ///< args: value, index of its place, servers, indices it is added up over
};

struct Expression {
  Form form = Form::number;
  Op op = Op::number;
  bool random = false;
  uint8_t depth = 0; ///< of an index
  uint64_t free = 0; ///< depths of the indices it depends on
  Coefficient value;
  std::string text;
  std::vector<Id> args;
  std::vector<Coefficient> weights;
};

/// What must be so for a closed form to hold: `e` is 0 or more, or whole.
struct Assumption {
  Id e = 0;
  bool whole = false;
};

class Algebra {
public:
  Algebra();

  const Expression &operator[](Id e) const { return entries[e]; }
  bool isNumber(Id e) const { return entries[e].form == Form::number; }
  bool isVector(Id e) const { return entries[e].form == Form::vector; }
  double value(Id e) const { return entries[e].value.value(); } ///< of a number
  bool dependsOn(Id e, Id index) const {
    return (entries[e].free >> entries[index].depth & 1) != 0;
  }
  static constexpr int deepest = 62; ///< nested indices

  Id number(Coefficient x);
  Id parameter(const std::string &name, bool random);
  Id index(const std::string &name, int depth, Id from, Id to);
  Id from(Id index) const { return entries[index].args[0]; }
  Id to(Id index) const { return entries[index].args[1]; }

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
  /// Like together, in the worst case that there can be.
  Id worst(std::vector<Id> args);
  Id vector(std::vector<Id> elements);
  Id element(Id value, Id place, Id servers, std::vector<Id> over);

  /// Of the values of the body for all values of the index.
  Id sum(Id index, Id body);
  Id extreme(Op op, Id index, Id body); ///< max or min
  Id anyOf(Id k, Id index, Id body);    ///< the k-th smallest
  Id repeated(Id count, Id body);       ///< so many draws, added up
  Id copies(Op op, Id count, Id body, Id k = nothing);

  Id substitute(Id e, Id index, Id by);
  /// Depths of all indices in it, also of those that are added up over.
  uint64_t depthsIn(Id e) const;

  // What is known. Where something is not, it may be taken for granted (an assumption).
  bool nonnegative(Id e) { return nonnegative(e, 0); }
  bool positive(Id e) { return positive(e, 0); }
  bool whole(Id e) { return whole(e, 0); }
  bool assumeNonnegative(Id e) { return assumeNonnegative(e, 0); }
  bool assumeWhole(Id e);
  /// The index has so many values or more (0 or 1).
  bool assumeTurns(Id index, int least);
  /// And a whole number of them.
  bool assumeRange(Id index, bool notEmpty);
  bool isTruth(Id e) const; ///< always 0 or 1

  std::vector<Assumption> assumptions;

  static constexpr Id zero = 0, one = 1, minusOne = 2;
  static constexpr Id nothing = UINT32_MAX;

  /// Of a sum: products and their factors; anything else is one term.
  using Terms = std::vector<std::pair<Id, Coefficient>>;
  Terms termsOf(Id e) const;
  /// Of a product: its factors and their exponents; anything else is one factor, 1 has none.
  using Factors = std::vector<std::pair<Id, int>>;
  Factors factorsOf(Id product) const;
  /// What divides all terms of a sum, and what they are all divided by.
  Id sharedFactor(Id e);
  /// A sum without it, as a sum, however long that is.
  Id divideTerms(Id sum, Id front);

private:
  Id intern(Expression e);
  Id sumOf(Terms &&terms);
  Id productOf(const std::map<Id, int> &exponents, Coefficient factor);
  Id multiplyProducts(Id a, Id b, Coefficient factor);
  bool dividesBy(Id product, Id factor) const;
  Id addVectors(std::span<const Id> parts);
  Id addRandom(std::span<const Id> parts);
  Id scale(Id factor, Id random);
  Id largest(std::string_view function, std::vector<Id> args);
  Id compare(Op op, Id a, Id b);
  Id explicitly(Op op, Id index, Id body, Id k = nothing);
  Id sumOfVector(Id index, Id body);
  Id sumOfTotal(Id index, const Expression &body);
  Id sumOfFunction(Id index, Id outside, int m, Id inside);
  Id sumOfRest(Id index, const std::vector<Id> &rest);
  Id sumOfPowers(Id index, int exponent);
  Id geometric(Id index, Id base, Id exponent);
  bool nonnegative(Id e, int tries);
  bool positive(Id e, int tries);
  bool whole(Id e, int tries);
  bool assumeNonnegative(Id e, int tries);
  bool nonnegativeSum(Id e, int tries);
  double lower(Id e, int tries); ///< a bound from below, -inf when none is known
  bool mayAssume(Id e) const;
  Id deepestIndex(Id e) const;
  int degree(Id e, Id index) const; ///< as a polynomial; -1: it is none

  std::deque<Expression> entries; ///< those that are known stay where they are
  std::unordered_multimap<uint64_t, Id> known;
  std::map<Id, double> lowest; ///< of parameters
  std::unordered_set<Id> wholes, proven;
  /// What could not be shown: when so much was taken for granted, with so many tries behind it.
  std::unordered_map<Id, std::pair<size_t, int>> open;
};

} // namespace quincunx::pamela
