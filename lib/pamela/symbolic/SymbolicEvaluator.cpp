// Evaluates numbers of a model to expressions.
// The idea: the same walk as in NumberEvaluator, with the algebra in place of arithmetic. What has
// no expression (a random bound of something that depends on the index, say) is an error with its
// place; whoever asked can still compute values one by one. Reference: docs/12-pamela.md.
#include "SymbolicEvaluator.h"

#include "pamela/evaluate/Arithmetic.h"
#include "pamela/evaluate/NumberEvaluator.h"
#include "pamela/syntax/ErrorAt.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

namespace {

constexpr int deepest = 2000;

bool isOperator(Op op) { return op >= Op::add && op <= Op::logicalOr; }

} // namespace

const Binding *SymbolicEvaluator::find(std::string_view name, const Binding *scope) {
  while (scope && scope->name != name)
    scope = scope->outer;
  return scope;
}

SymbolicEvaluator::SymbolicEvaluator(const Model &m, const std::map<std::string, double> &f,
                                     const std::set<std::string> *k)
    : model(m), fixed(f), kept(k) {
  for (const Definition &d : model.definitions)
    definitions.emplace(d.name, &d);
}

const Definition *SymbolicEvaluator::definition(std::string_view name) const {
  const auto at = definitions.find(name);
  return at == definitions.end() ? nullptr : at->second;
}

std::vector<const Definition *> SymbolicEvaluator::parameters() const {
  std::vector<const Definition *> out(met.begin(), met.end());
  std::sort(out.begin(), out.end()); // they stand in one list
  return out;
}

Id SymbolicEvaluator::fail(const Node &n, const std::string &text) {
  if (!trouble)
    trouble = errorAt(model, n.at, text);
  return Algebra::zero;
}

Id SymbolicEvaluator::certain(const Node &n, const Binding *scope, const char *what) {
  const Id x = number(n, scope);
  if (all.isVector(x))
    return fail(n, "a vector where a number is needed");
  if (all[x].random)
    return fail(n, std::string(what) + " is random here");
  return x;
}

Id SymbolicEvaluator::order(const Node &n, const Binding *scope) {
  const Id k = certain(n, scope, "the order");
  if (!trouble && all.isNumber(k) && !all.whole(k))
    return fail(n, orderError(all.value(k)));
  if (!trouble && kept && !all.isNumber(k))
    all.assumeWhole(k); // whoever has a value there gets the error
  return k;
}

Id SymbolicEvaluator::combined(const Node &n, Id a, Id b) {
  const bool vectors = all.isVector(a) || all.isVector(b);
  if (n.op == Op::multiply && !(all.isVector(a) && all.isVector(b)))
    return all.multiply(a, b);
  if (n.op == Op::divide && !all.isVector(b)) {
    if (all[b].random)
      return fail(n, "a random divisor");
    if (b == Algebra::zero)
      return fail(n, "division by zero");
    return all.divide(a, b);
  }
  if (vectors)
    return fail(n, "not defined for vectors");
  if (all[a].random || all[b].random)
    return fail(n, "takes constants, and here is a random number");
  if ((n.op == Op::mod || n.op == Op::div) && b == Algebra::zero)
    return fail(n, "division by zero");
  if (all.isNumber(a) && all.isNumber(b) && std::isnan(computed(n.op, all.value(a), all.value(b))))
    return fail(n, whyNoValue(n.op, all.value(a), all.value(b)));
  return all.apply(n.op, {a, b});
}

/// Chains lean to the left; sums of many parts are put together at once.
Id SymbolicEvaluator::chain(const Node &n, const Binding *scope) {
  std::vector<const Node *> links;
  const Node *first = &n;
  for (; isOperator(first->op); first = first->args[0].get())
    links.push_back(first);
  std::vector<Id> parts{number(*first, scope)};
  const auto total = [&] {
    if (parts.size() > 1) {
      const bool vectors =
          std::any_of(parts.begin(), parts.end(), [&](Id p) { return all.isVector(p); });
      if (vectors &&
          !std::all_of(parts.begin(), parts.end(), [&](Id p) { return all.isVector(p); }))
        fail(n, "a number and a vector do not add up");
      else
        parts = {all.add(parts)};
    }
    return parts[0];
  };
  for (; !links.empty() && !trouble; links.pop_back()) {
    const Node &link = *links.back();
    const Id right = number(*link.args[1], scope);
    if (link.op == Op::add || link.op == Op::subtract)
      parts.push_back(link.op == Op::add ? right : all.multiply(Algebra::minusOne, right));
    else
      parts = {combined(link, total(), right)};
  }
  return total();
}

Id SymbolicEvaluator::number(const Node &n, const Binding *scope) {
  if (trouble)
    return Algebra::zero;
  if (isOperator(n.op))
    return chain(n, scope);
  if (depth >= deepest)
    return fail(n, "nested more than " + std::to_string(deepest) + " deep");
  ++depth;
  const Id x = numberOf(n, scope);
  --depth;
  return x;
}

Id SymbolicEvaluator::numberOf(const Node &n, const Binding *scope) {
  switch (n.op) {
  case Op::number:
    return all.number(n.value);
  case Op::name:
    return named(n, scope);
  case Op::negate:
    return all.multiply(Algebra::minusOne, number(*n.args[0], scope));
  case Op::logicalNot:
    return all.apply(Op::logicalNot, {certain(*n.args[0], scope, "what 'not' takes")});
  case Op::vector: {
    std::vector<Id> elements;
    for (size_t i = 0; i < n.args.size(); ++i)
      elements.push_back(all.element(number(*n.args[i], scope), all.number(static_cast<double>(i)),
                                     Algebra::one, {}));
    return all.vector(std::move(elements));
  }
  case Op::call:
  case Op::law:
    return called(n, scope);
  case Op::sum:
  case Op::max:
  case Op::min:
    return over(n, scope);
  case Op::any:
    return anyNumber(n, scope);
  case Op::branch:
  case Op::select:
    return chosenNumber(n, scope);
  default:
    return fail(n, "a process or a resource where a number is needed");
  }
}

Id SymbolicEvaluator::index(const Node &n, const Binding *scope, Id &randomCount) {
  randomCount = Algebra::nothing;
  const Id first = certain(*n.args[0], scope, "the lower bound"), last = number(*n.args[1], scope);
  if (all.isVector(last))
    return fail(n, "bounds are numbers");
  if (loops >= Algebra::deepest)
    return fail(n, "more than " + std::to_string(Algebra::deepest) + " indices within each other");
  if (all[last].random)
    randomCount = all.add(last, all.subtract(Algebra::one, first));
  const Id i = all.index(n.text, loops, first, all[last].random ? first : last);
  // For values instead of expressions: turns are whole, and where their number is not, there may be
  // one more of them.
  const Id length = all.subtract(all.to(i), first);
  const bool less = all.isNumber(length) && all.value(length) > -1 && all.value(length) < 0;
  if (kept && (less || !all.assumeWhole(length)) && all.isNumber(length))
    all.assume({length, true});
  return i;
}

Id SymbolicEvaluator::over(const Node &n, const Binding *scope) {
  Id count = Algebra::nothing;
  const Id i = index(n, scope, count);
  if (trouble)
    return Algebra::zero;
  const Binding inner{n.text, Kind::numeric, i, {}, {}, scope};
  ++loops;
  const Id body = number(*n.args[2], &inner);
  --loops;
  if (trouble)
    return Algebra::zero;
  if (count != Algebra::nothing) {
    if (n.op != Op::sum || all.dependsOn(body, i))
      return fail(n, "the number of parts is random");
    return all.repeated(count, body);
  }
  return n.op == Op::sum ? all.sum(i, body) : all.extreme(n.op, i, body);
}

Id SymbolicEvaluator::kthOf(const Node &n, Id k, std::vector<Id> parts) {
  if (const auto count = static_cast<double>(parts.size());
      all.isNumber(k) && !(all.value(k) >= 1 && all.value(k) <= count))
    return fail(n,
                "the " + exact(all.value(k)) + "-th of " + exact(count) + " parts is none of them");
  if (k == Algebra::one)
    return all.call("min", std::move(parts));
  parts.insert(parts.begin(), k);
  return all.apply(Op::any, std::move(parts));
}

Id SymbolicEvaluator::anyNumber(const Node &n, const Binding *scope) {
  const Id k = order(*n.args[0], scope);
  const Node &parts = *n.args[1];
  if (parts.op == Op::call) {
    std::vector<Id> values;
    for (const Tree &a : parts.args)
      values.push_back(number(*a, scope));
    return kthOf(n, k, std::move(values));
  }
  Id count = Algebra::nothing;
  const Id i = index(parts, scope, count);
  if (count != Algebra::nothing)
    return fail(n, "the number of parts is random");
  const Binding inner{parts.text, Kind::numeric, i, {}, {}, scope};
  ++loops;
  const Id body = number(*parts.args[2], &inner);
  --loops;
  return k == Algebra::one ? all.extreme(Op::min, i, body) : all.anyOf(k, i, body);
}

} // namespace quincunx::pamela
