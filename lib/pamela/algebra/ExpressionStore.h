// Expressions with parameters kept, each stored once.
// The idea: equal expressions have equal numbers, so that comparing them is comparing numbers and
// what is shared is computed once. Reference: docs/12-pamela.md, "Symbolic results". It knows no
// rules: those by which sums and products get their normal form are Algebra's.
#pragma once

#include "Coefficient.h"
#include "quincunx/pamela/Ast.h"

#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
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
  Coefficient value = {};
  std::string text = {};
  std::vector<Id> args = {};
  std::vector<Coefficient> weights = {};
};

class ExpressionStore {
public:
  static constexpr Id zero = 0, one = 1, minusOne = 2;
  static constexpr Id nothing = UINT32_MAX;
  static constexpr int deepest = 62; ///< nested indices

  ExpressionStore();

  const Expression &operator[](Id e) const { return entries[e]; }
  bool isNumber(Id e) const { return entries[e].form == Form::number; }
  bool isVector(Id e) const { return entries[e].form == Form::vector; }
  bool isTruth(Id e) const;                                     ///< always 0 or 1
  double value(Id e) const { return entries[e].value.value(); } ///< of a number
  bool dependsOn(Id e, Id index) const {
    return (entries[e].free >> entries[index].depth & 1) != 0;
  }

  Id number(Coefficient x);
  Id parameter(const std::string &name, bool random);
  Id index(const std::string &name, int depth, Id from, Id to);
  Id from(Id index) const { return entries[index].args[0]; }
  Id to(Id index) const { return entries[index].args[1]; }

  /// The products of a sum and their weights; anything else is one term.
  using Terms = std::vector<std::pair<Id, Coefficient>>;
  Terms termsOf(Id e) const;
  /// The factors of a product and their exponents; anything else is one factor, 1 has none.
  using Factors = std::vector<std::pair<Id, int>>;
  Factors factorsOf(Id product) const;

  /// Depths of all indices in it, also of those that are added up over.
  uint64_t depthsIn(Id e) const;
  /// The innermost index it depends on; nothing when there is none.
  Id deepestIndex(Id e) const;
  int degree(Id e, Id index) const; ///< as a polynomial; -1: it is none

protected:
  /// Terms of sums that are multiplied out or taken apart again.
  static constexpr size_t shortSum = 64;

  /// The number of the expression, a new one when there is no equal one. Finds out itself which
  /// indices it depends on, and that it is random when a part of it is.
  Id intern(Expression e);

  std::deque<Expression> entries; ///< references to them stay valid

private:
  std::unordered_multimap<uint64_t, Id> known;
};

} // namespace quincunx::pamela
