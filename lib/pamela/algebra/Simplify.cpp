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
constexpr size_t mostCompared = 24;
} // namespace

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
  Expression e;
  e.form = Form::function, e.op = op, e.args = {a, b};
  return intern(std::move(e));
}

Id Algebra::apply(Op op, std::vector<Id> args) {
  const Id a = args[0], b = args.size() > 1 ? args[1] : nothing;
  if (op == Op::branch) {
    const Id no = args.size() > 2 ? args[2] : zero;
    if (isNumber(a) && (value(a) == 0 || value(a) == 1))
      return value(a) == 1 ? b : no;
    if (isTruth(a) && b == no && !entries[b].random)
      return b;
    Expression e;
    e.form = Form::function, e.op = op, e.args = {a, b, no};
    e.random = !isTruth(a);
    return intern(std::move(e));
  }
  if (op == Op::select) {
    Expression e;
    e.form = Form::function, e.op = op, e.args = std::move(args);
    e.random = a == nothing;
    return intern(std::move(e));
  }
  if (op == Op::any) { // the k-th smallest of those behind k
    const bool numbers = std::all_of(args.begin(), args.end(), [&](Id x) { return isNumber(x); });
    if (numbers && value(a) >= 1 && value(a) < static_cast<double>(args.size())) {
      std::sort(args.begin() + 1, args.end(), [&](Id x, Id y) { return value(x) < value(y); });
      return args[static_cast<size_t>(std::ceil(value(a)))];
    }
    Expression e;
    e.form = Form::function, e.op = op, e.args = std::move(args);
    return intern(std::move(e));
  }
  if (op == Op::logicalNot) {
    if (isNumber(a))
      return number(computed(op, value(a)));
    Expression e;
    e.form = Form::function, e.op = op, e.args = {a};
    return intern(std::move(e));
  }
  if (op >= Op::equal && op <= Op::greaterEqual)
    return compare(op, a, b);
  if (isNumber(a) && isNumber(b) && !std::isnan(computed(op, value(a), value(b))))
    return number(computed(op, value(a), value(b)));
  if (op == Op::logicalAnd || op == Op::logicalOr) {
    const Id decides = op == Op::logicalAnd ? zero : one;
    for (const auto &[x, y] : {std::pair{a, b}, std::pair{b, a}})
      if (isNumber(x) && isTruth(y))
        return (value(x) != 0) == (decides == one) ? decides : y;
  }
  if (op == Op::power) {
    if (isNumber(b) && value(b) == std::floor(value(b)) && std::fabs(value(b)) <= 64)
      return power(a, static_cast<int>(value(b)));
    if (a == one)
      return one;
  }
  if (op == Op::div && whole(a) && b == one)
    return a;
  if (op == Op::mod && whole(a) && b == one)
    return zero;
  Expression e;
  e.form = Form::function, e.op = op, e.args = std::move(args);
  return intern(std::move(e));
}

/// max and min: one list, without what is known not to decide; together: max, for numbers that are
/// large at once.
Id Algebra::largest(std::string_view function, std::vector<Id> args) {
  const bool isMax = function != "min";
  std::vector<Id> certain, random;
  const auto take = [&](const auto &self, Id a) -> void {
    const Expression &e = entries[a];
    const bool nested = e.form == Form::function && e.op == Op::call && !e.random &&
                        e.text == (isMax ? "max" : "min") && !isVector(e.args[0]);
    if (nested)
      for (const Id inner : e.args)
        self(self, inner);
    else if (e.random || e.form == Form::vector)
      random.push_back(a);
    else
      certain.push_back(a);
  };
  for (const Id a : args)
    take(take, a);
  std::sort(certain.begin(), certain.end());
  certain.erase(std::unique(certain.begin(), certain.end()), certain.end());
  for (size_t i = 0; certain.size() <= mostCompared && i < certain.size();) {
    const bool loses = std::any_of(certain.begin(), certain.end(), [&](Id other) {
      return other != certain[i] &&
             nonnegative(isMax ? subtract(other, certain[i]) : subtract(certain[i], other));
    });
    if (loses)
      certain.erase(certain.begin() + static_cast<ptrdiff_t>(i));
    else
      ++i;
  }
  if (function == "together") {
    std::sort(random.begin(), random.end());
    random.erase(std::unique(random.begin(), random.end()), random.end());
  }
  std::string name(function);
  if (name == "together" &&
      std::none_of(random.begin(), random.end(), [&](Id r) { return entries[r].random; }))
    name = "max";
  args = std::move(certain);
  args.insert(args.end(), random.begin(), random.end());
  if (args.size() == 1 && !isVector(args[0]))
    return args[0];
  Expression e;
  e.form = Form::function, e.op = Op::call, e.text = name, e.args = std::move(args);
  return intern(std::move(e));
}

Id Algebra::call(std::string_view function, std::vector<Id> args) {
  if (function == "max" || function == "min" || function == "together")
    return largest(function, std::move(args));
  const std::optional<Function> f = functionNamed(function);
  if (f && std::all_of(args.begin(), args.end(), [&](Id a) { return isNumber(a); })) {
    std::vector<double> x;
    for (const Id a : args)
      x.push_back(value(a));
    const double y = computed(*f, x);
    if (std::isfinite(y))
      return number(y);
  }
  if (function == "floor" || function == "ceil") {
    if (whole(args[0]))
      return args[0];
    // Whole terms need no rounding.
    std::vector<Id> out, in;
    for (const auto &[product, weight] : termsOf(args[0])) {
      const Id term = multiply(number(weight), product);
      (whole(term) ? out : in).push_back(term);
    }
    if (!out.empty()) {
      out.push_back(call(function, {add(in)}));
      return add(out);
    }
  }
  if (function == "gcd") {
    std::sort(args.begin(), args.end());
    args.erase(std::unique(args.begin(), args.end()), args.end());
    if (args[0] == one || (args.size() > 1 && args[1] == one))
      return one;
    if (args.size() > 1 && args[0] == zero)
      args.erase(args.begin());
  }
  if (function == "abs" && nonnegative(args[0]))
    return args[0];
  Expression e;
  e.form = Form::function, e.op = Op::call, e.text = std::string(function),
  e.args = std::move(args);
  return intern(std::move(e));
}

} // namespace quincunx::pamela
