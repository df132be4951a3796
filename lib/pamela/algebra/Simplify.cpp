// Functions and operators with what can be said of them before their values are known.
// The idea: numbers are computed by the same code as everywhere (Arithmetic), what is known to be
// the larger of two is (SignAnalysis), whole numbers need no rounding. What is left stays as it is.
// Reference: docs/12-pamela.md, "Symbolic results".
#include "Algebra.h"
#include "pamela/evaluate/Arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quincunx::pamela {

namespace {
/// More arguments of max and min than that are not compared with each other.
constexpr size_t maxCompared = 24;

void sortUnique(std::vector<Id> &args) {
  std::sort(args.begin(), args.end());
  args.erase(std::unique(args.begin(), args.end()), args.end());
}
} // namespace

Id Algebra::function(Op op, std::vector<Id> args, std::string_view text) {
  return intern(
      {.form = Form::function, .op = op, .text = std::string(text), .args = std::move(args)});
}

Id Algebra::compare(Op op, Id a, Id b) {
  if (op == Op::greater || op == Op::greaterEqual)
    return compare(op == Op::greater ? Op::less : Op::lessEqual, b, a);
  const Id d = subtract(b, a);
  if (isNumber(d))
    return number(computed(op, 0, value(d)));
  const bool above = positive(d), atLeast = above || nonnegative(d);
  const bool below = !atLeast && positive(multiply(minusOne, d));
  const bool atMost = !above && (below || nonnegative(multiply(minusOne, d)));
  if (op == Op::less && (above || atMost))
    return above ? one : zero;
  if (op == Op::lessEqual && (atLeast || below))
    return atLeast ? one : zero;
  if ((op == Op::equal || op == Op::notEqual) && (above || below))
    return op == Op::equal ? zero : one;
  return function(op, {a, b});
}

Id Algebra::branch(Id condition, Id yes, Id no) {
  if (isNumber(condition) && (value(condition) == 0 || value(condition) == 1))
    return value(condition) == 1 ? yes : no;
  if (isTruth(condition) && yes == no && !entries[yes].random)
    return yes;
  return intern({.form = Form::function,
                 .op = Op::branch,
                 .random = !isTruth(condition),
                 .args = {condition, yes, no}});
}

/// The k-th smallest of those behind k.
Id Algebra::kthSmallest(std::vector<Id> args) {
  const Id k = args[0];
  const bool numbers = std::all_of(args.begin(), args.end(), [&](Id x) { return isNumber(x); });
  if (numbers && value(k) >= 1 && value(k) < static_cast<double>(args.size())) {
    std::sort(args.begin() + 1, args.end(), [&](Id x, Id y) { return value(x) < value(y); });
    return args[static_cast<size_t>(std::ceil(value(k)))];
  }
  return function(Op::any, std::move(args));
}

/// `and` and `or`: one operand may decide, or leave it to the other.
Id Algebra::logical(Op op, Id a, Id b) {
  const Id decides = op == Op::logicalAnd ? zero : one;
  for (const auto &[x, y] : {std::pair{a, b}, std::pair{b, a}})
    if (isNumber(x) && isTruth(y))
      return (value(x) != 0) == (decides == one) ? decides : y;
  return function(op, {a, b});
}

/// ^, div and mod.
Id Algebra::arithmetic(Op op, Id a, Id b) {
  if (op == Op::power) {
    if (isNumber(b) && value(b) == std::floor(value(b)) && std::fabs(value(b)) <= 64)
      return power(a, static_cast<int>(value(b)));
    if (a == one)
      return one;
  }
  const bool divides = op != Op::power && b != zero && whole(a) && whole(b);
  return divides ? quotient(op, a, b) : function(op, {a, b});
}

/// (q b + x) div b = q + x div b and (q b + x) mod b = x mod b, whole numbers all.
Id Algebra::quotient(Op op, Id a, Id b) {
  std::vector<Id> out, in;
  for (const auto &[product, weight] : termsOf(a)) {
    const Id term = multiply(number(weight), product);
    if (isNumber(term) && isNumber(b)) {
      const double q = std::trunc(value(term) / value(b));
      out.push_back(number(q)), in.push_back(number(value(term) - q * value(b)));
    } else if (const Id q = divide(term, b); whole(q)) {
      out.push_back(q);
    } else {
      in.push_back(term);
    }
  }
  const Id x = add(in);
  const Id left = x == zero                    ? zero
                  : isNumber(x) && isNumber(b) ? number(computed(op, value(x), value(b)))
                                               : function(op, {x, b});
  if (op == Op::mod)
    return left;
  out.push_back(left);
  return add(out);
}

Id Algebra::apply(Op op, std::vector<Id> args) {
  const Id a = args[0], b = args.size() > 1 ? args[1] : nothing;
  if (op == Op::branch)
    return branch(a, b, args.size() > 2 ? args[2] : zero);
  if (op == Op::select)
    return intern(
        {.form = Form::function, .op = op, .random = a == nothing, .args = std::move(args)});
  if (op == Op::any)
    return kthSmallest(std::move(args));
  if (op == Op::logicalNot)
    return isNumber(a) ? number(computed(op, value(a))) : function(op, {a});
  if (op >= Op::equal && op <= Op::greaterEqual)
    return compare(op, a, b);
  if (isNumber(a) && isNumber(b) && !std::isnan(computed(op, value(a), value(b))))
    return number(computed(op, value(a), value(b)));
  return op == Op::logicalAnd || op == Op::logicalOr ? logical(op, a, b) : arithmetic(op, a, b);
}

/// Takes max of max (min of min) apart, and random numbers and vectors from the others.
void Algebra::flatten(Id id, bool isMax, std::vector<Id> &certain, std::vector<Id> &random) const {
  const Expression &e = entries[id];
  const bool nested = e.form == Form::function && e.op == Op::call && !e.random &&
                      e.text == (isMax ? "max" : "min") && !isVector(e.args[0]);
  if (nested)
    for (const Id inner : e.args)
      flatten(inner, isMax, certain, random);
  else
    (e.random || e.form == Form::vector ? random : certain).push_back(id);
}

/// Leaves out what is known not to decide.
void Algebra::dropDominated(std::vector<Id> &args, bool isMax) {
  for (size_t i = 0; args.size() <= maxCompared && i < args.size();) {
    const bool loses = std::any_of(args.begin(), args.end(), [&](Id other) {
      return other != args[i] &&
             nonnegative(isMax ? subtract(other, args[i]) : subtract(args[i], other));
    });
    if (loses)
      args.erase(args.begin() + static_cast<ptrdiff_t>(i));
    else
      ++i;
  }
}

/// max and min: one list, without what is known not to decide; together: max, for numbers that are
/// large at once.
Id Algebra::largest(std::string_view name, std::vector<Id> args) {
  const bool isMax = name != "min";
  std::vector<Id> certain, random;
  for (const Id a : args)
    flatten(a, isMax, certain, random);
  sortUnique(certain);
  dropDominated(certain, isMax);
  if (name == "together") {
    sortUnique(random);
    if (std::none_of(random.begin(), random.end(), [&](Id r) { return entries[r].random; }))
      name = "max";
  }
  args = std::move(certain);
  args.insert(args.end(), random.begin(), random.end());
  if (args.size() == 1 && !isVector(args[0]))
    return args[0];
  return function(Op::call, std::move(args), name);
}

/// floor and ceil: whole terms need no rounding.
Id Algebra::rounded(std::string_view name, Id id) {
  if (whole(id))
    return id;
  std::vector<Id> out, in;
  for (const auto &[product, weight] : termsOf(id)) {
    const Id term = multiply(number(weight), product);
    (whole(term) ? out : in).push_back(term);
  }
  if (out.empty())
    return function(Op::call, {id}, name);
  out.push_back(call(name, {add(in)}));
  return add(out);
}

Id Algebra::commonDivisor(std::vector<Id> args) {
  sortUnique(args);
  if (args[0] == one || (args.size() > 1 && args[1] == one))
    return one;
  if (args.size() > 1 && args[0] == zero)
    args.erase(args.begin());
  return function(Op::call, std::move(args), "gcd");
}

Id Algebra::call(std::string_view name, std::vector<Id> args) {
  if (name == "max" || name == "min" || name == "together")
    return largest(name, std::move(args));
  const std::optional<Function> f = functionNamed(name);
  if (f && std::all_of(args.begin(), args.end(), [&](Id a) { return isNumber(a); })) {
    std::vector<double> x;
    for (const Id a : args)
      x.push_back(value(a));
    const double y = computed(*f, x);
    if (std::isfinite(y))
      return number(y);
  }
  if (name == "floor" || name == "ceil")
    return rounded(name, args[0]);
  if (name == "gcd")
    return commonDivisor(std::move(args));
  if (name == "abs" && nonnegative(args[0]))
    return args[0];
  if (name == "abs" && nonnegative(multiply(minusOne, args[0])))
    return multiply(minusOne, args[0]);
  return function(Op::call, std::move(args), name);
}

} // namespace quincunx::pamela
