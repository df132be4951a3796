// Operators of numbers: what they do with cumulants, and with vectors element by element.
// The idea: a chain a + b + c leans to the left; it is walked down once and computed on the way
// back, so that long chains need no stack. Random operands are independent; what has no moments in
// closed form (quotients, comparisons) is refused.
#include "Arithmetic.h"
#include "NumberEvaluator.h"
#include "quincunx/base/Text.h"

#include <cmath>
#include <utility>

namespace quincunx::pamela {

namespace {

bool isOperator(Op op) { return op >= Op::add && op <= Op::logicalOr; }

Result<RandomNumber> scalars(LawArithmetic &laws, Op op, const RandomNumber &a,
                             const RandomNumber &b) {
  if (op == Op::add)
    return laws.sum(a, b);
  if (op == Op::subtract)
    return laws.sum(a, laws.scaled(-1, b));
  if (op == Op::multiply)
    return laws.product(a, b);
  const bool divides = op == Op::divide || op == Op::mod || op == Op::div;
  if (divides && isConstant(b) && b.k1 == 0)
    return Error{"division by zero"};
  if (op == Op::divide && isConstant(b))
    return laws.scaled(1 / b.k1, a);
  if (!isConstant(a) || !isConstant(b))
    return Error{std::string("'") + symbol(op) + "' takes constants, and here is a random number"};
  const double x = computed(op, a.k1, b.k1);
  if (const std::string why = std::isfinite(x) ? "" : whyNoValue(op, a.k1, b.k1); !why.empty())
    return Error{why};
  return RandomNumber(Cumulants{x, 0, 0, 0});
}

/// Vectors add up element by element, and are multiplied with numbers.
Result<Value> combined(LawArithmetic &laws, Op op, Value a, const Value &b) {
  if (!a.isVector && !b.isVector) {
    const Result<RandomNumber> k = scalars(laws, op, a.k, b.k);
    return k ? Result<Value>(Value{*k, false, {}}) : k.error();
  }
  // An empty sum of vectors is the number 0.
  const auto isZero = [](const Value &v) { return !v.isVector && v.k == Cumulants{}; };
  if ((op == Op::add && (isZero(a) || isZero(b))) || (op == Op::subtract && isZero(b)))
    return isZero(b) ? a : b;
  Value out{{}, true, a.isVector ? std::move(a.elements) : b.elements};
  if (a.isVector && b.isVector && (op == Op::add || op == Op::subtract)) {
    for (const auto &[at, k] : b.elements)
      out.elements[at] = laws.sum(out.elements[at], op == Op::add ? k : laws.scaled(-1, k));
    return out;
  }
  const bool fits = op == Op::multiply || (op == Op::divide && a.isVector);
  if (a.isVector == b.isVector || !fits)
    return Error{std::string("'") + symbol(op) + "' is not defined for these vectors"};
  for (auto &[at, element] : out.elements) {
    const Result<RandomNumber> k =
        a.isVector ? scalars(laws, op, element, b.k) : scalars(laws, op, a.k, element);
    if (!k)
      return k.error();
    element = *k;
  }
  return out;
}

} // namespace

Result<Value> NumberEvaluator::arithmetic(const Node &n, const Scope *scope) {
  std::vector<const Node *> chain;
  const Node *first = &n;
  for (; isOperator(first->op); first = first->args[0].get())
    chain.push_back(first);
  Result<Value> left = value(*first, scope);
  for (; left && !chain.empty(); chain.pop_back()) {
    const Result<Value> right = value(*chain.back()->args[1], scope);
    if (!right)
      return right;
    Result<Value> both = combined(laws, chain.back()->op, std::move(*left), *right);
    if (!both)
      return error(*chain.back(), both.error().text);
    left = std::move(both);
  }
  return left;
}

Result<Value> NumberEvaluator::unary(const Node &n, const Scope *scope) {
  if (n.op == Op::negate) {
    Result<Value> v = value(*n.args[0], scope);
    return v ? combined(laws, Op::multiply, Value{{-1, 0, 0, 0}, false, {}}, *v) : v;
  }
  const Result<double> x = constant(*n.args[0], scope, "what 'not' takes");
  return x ? Result<Value>(Value{{computed(n.op, *x), 0, 0, 0}, false, {}}) : x.error();
}

Result<Value> NumberEvaluator::vector(const Node &n, const Scope *scope) {
  Value out{{}, true, {}};
  for (size_t i = 0; i < n.args.size(); ++i) {
    const Result<RandomNumber> k = scalar(*n.args[i], scope);
    if (!k)
      return k.error();
    out.elements[static_cast<double>(i)] = *k;
  }
  return out;
}

Result<Value> NumberEvaluator::value(const Node &n, const Scope *scope) {
  if (const Status s = step(n); !s)
    return s.error();
  Result<Value> v = nested(n, depth, [&] { return valueOf(n, scope); });
  if (!v || options.laws)
    return v;
  v->k = kept(v->k);
  for (auto &[at, element] : v->elements)
    element = kept(element);
  return v;
}

Result<Value> NumberEvaluator::valueOf(const Node &n, const Scope *scope) {
  if (isOperator(n.op))
    return arithmetic(n, scope);
  switch (n.op) {
  case Op::number:
    return Value{{n.value, 0, 0, 0}, false, {}};
  case Op::name:
    return named(n, scope);
  case Op::negate:
  case Op::logicalNot:
    return unary(n, scope);
  case Op::vector:
    return vector(n, scope);
  case Op::call:
    return called(n, scope);
  case Op::law:
    return law(n, scope);
  case Op::sum:
    return sum(n, scope);
  case Op::max:
  case Op::min:
    return extreme(n, scope);
  case Op::any:
    return any(n, scope);
  case Op::branch:
    return branch(n, scope);
  case Op::select:
    return select(n, scope);
  default:
    return error(n, "a process or a resource where a number is needed");
  }
}

} // namespace quincunx::pamela
