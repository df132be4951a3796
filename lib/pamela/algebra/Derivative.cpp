// Differentiates expressions.
// The idea: the rules of sums, products, powers and chains; of the largest of several it is that of
// the one that is the largest, of what steps 0. Reference: docs/12-pamela.md, "Derivatives".
#include "Derivative.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace quincunx::pamela {

namespace {

using MaybeId = std::optional<Id>;

class Differentiation {
public:
  Differentiation(Algebra &algebra, Id of) : all(algebra), parameter(of) {}

  /// Each expression once; `found` is false when one of them has no derivative.
  Id of(Id e);
  bool found = true, isPiecewise = false;

private:
  Id made(Id e);
  Id none() {
    found = false;
    return Algebra::zero;
  }
  /// Of what is constant between steps.
  Id step() {
    isPiecewise = true;
    return Algebra::zero;
  }
  bool depends(Id e);
  Id product(Id e);
  Id function(const Expression &e);
  Id call(Id e);
  Id largest(const Expression &e, std::span<const Id> args);
  Id power(const Expression &e);
  Id choice(const Expression &e);
  Id reduction(const Expression &e);

  Algebra &all;
  Id parameter;
  std::unordered_map<Id, Id> done;
  std::unordered_map<Id, bool> dependent;
};

bool Differentiation::depends(Id e) {
  if (e == Algebra::nothing || e == parameter)
    return e == parameter;
  if (const auto at = dependent.find(e); at != dependent.end())
    return at->second;
  const std::vector<Id> &args = all[e].args;
  const bool any = std::any_of(args.begin(), args.end(), [&](Id a) { return depends(a); });
  return dependent[e] = any;
}

Id Differentiation::of(Id e) {
  if (!found || !depends(e))
    return Algebra::zero;
  if (e == parameter)
    return Algebra::one;
  if (const auto at = done.find(e); at != done.end())
    return at->second;
  const Id d = made(e);
  return done[e] = d;
}

Id Differentiation::made(Id id) {
  const Expression &e = all[id];
  if (e.random)
    return none();
  switch (e.form) {
  case Form::sum: {
    std::vector<Id> parts;
    for (size_t i = 0; i < e.args.size(); ++i)
      parts.push_back(all.multiply(all.number(e.weights[i]), of(e.args[i])));
    return all.add(parts);
  }
  case Form::product:
    return product(id);
  case Form::function:
    return e.op == Op::call ? call(id) : function(e);
  case Form::reduce:
    return reduction(e);
  default: // an index is the same number for all values of the parameter
    return e.form == Form::index ? Algebra::zero : none();
  }
}

/// Sum over the factors f^k of k f' / f, times the product.
Id Differentiation::product(Id id) {
  std::vector<Id> parts;
  const Algebra::Factors factors = all.factorsOf(id);
  for (size_t i = 0; i < factors.size(); ++i) {
    Id part = all.multiply(all.number(factors[i].second), of(factors[i].first));
    for (size_t k = 0; k < factors.size(); ++k)
      part = all.multiply(part, all.power(factors[k].first, factors[k].second - (i == k ? 1 : 0)));
    parts.push_back(part);
  }
  return all.add(parts);
}

/// Of the first one where it is the largest (smallest), else of the others.
Id Differentiation::largest(const Expression &e, std::span<const Id> args) {
  if (all.isVector(args[0]))
    return none();
  const Id first = of(args[0]);
  if (args.size() == 1)
    return first;
  const Id others = largest(e, args.subspan(1));
  const Id rest = all.call(e.text, {args.begin() + 1, args.end()});
  const Op op = e.text == "max" ? Op::greaterEqual : Op::lessEqual;
  isPiecewise = isPiecewise || first != others;
  return first == others ? first
                         : all.apply(Op::branch, {all.apply(op, {args[0], rest}), first, others});
}

Id Differentiation::call(Id id) {
  const Expression &e = all[id];
  if (e.text == "max" || e.text == "min")
    return largest(e, e.args);
  if (e.text == "floor" || e.text == "ceil" || e.text == "gcd")
    return step();
  if (e.args.size() != 1 || all.isVector(e.args[0]))
    return none();
  const Id x = e.args[0], d = of(x);
  isPiecewise = isPiecewise || e.text == "abs";
  if (e.text == "abs")
    return all.apply(Op::branch, {all.apply(Op::greaterEqual, {x, Algebra::zero}), d,
                                  all.multiply(Algebra::minusOne, d)});
  if (e.text == "sqrt")
    return all.divide(d, all.multiply(all.number(2), id));
  if (e.text == "exp")
    return all.multiply(id, d);
  if (e.text == "log")
    return all.divide(d, x);
  if (e.text == "log2")
    return all.divide(d, all.multiply(x, all.number(std::log(2))));
  return none();
}

/// (a^b)' = a^b (b a' / a + b' log a)
Id Differentiation::power(const Expression &e) {
  const Id a = e.args[0], b = e.args[1];
  const auto raised = [&](Id exponent) { return all.apply(Op::power, {a, exponent}); };
  const Id base = all.multiply(all.multiply(b, raised(all.subtract(b, Algebra::one))), of(a));
  return depends(b)
             ? all.add(base, all.multiply(all.multiply(raised(b), all.call("log", {a})), of(b)))
             : base;
}

Id Differentiation::choice(const Expression &e) {
  if (e.args[0] == Algebra::nothing) // chances are random
    return none();
  std::vector<Id> args = e.args;
  const bool isBranch = e.op == Op::branch;
  isPiecewise = isPiecewise || depends(args[0]);
  for (size_t i = isBranch ? 1 : 2; i < args.size(); i += isBranch ? 1 : 2)
    args[i] = of(args[i]);
  if (!isBranch)
    args.back() = of(e.args.back());
  return all.apply(e.op, std::move(args));
}

Id Differentiation::function(const Expression &e) {
  switch (e.op) {
  case Op::power:
    return power(e);
  case Op::mod: // a - b floor(a / b)
    isPiecewise = true;
    return all.subtract(of(e.args[0]),
                        all.multiply(of(e.args[1]), all.apply(Op::div, {e.args[0], e.args[1]})));
  case Op::branch:
  case Op::select:
    return choice(e);
  case Op::any:
  case Op::multiply:
    return none();
  default: // div, comparisons and logic
    return step();
  }
}

Id Differentiation::reduction(const Expression &e) {
  if (e.op != Op::sum || depends(e.args[0]))
    return none();
  const Id inner = of(e.args[1]);
  return found ? all.sum(e.args[0], inner) : Algebra::zero;
}

/// Of a law by its arguments.
MaybeId meanOfLaw(Algebra &all, const Expression &e) {
  if (e.text == "uniform")
    return all.divide(all.add(e.args[0], e.args[1]), all.number(2));
  if (e.text != "histogram")
    return e.args[0];
  std::vector<Id> weighted, weights;
  for (size_t i = 0; i + 1 < e.args.size(); i += 2)
    weighted.push_back(all.multiply(e.args[i], e.args[i + 1])), weights.push_back(e.args[i + 1]);
  return all.divide(all.add(weighted), all.add(weights));
}

/// Chances and what they choose, the last one by what is left.
MaybeId meanOfChances(Algebra &all, std::span<const Id> args) {
  Id rest = Algebra::one;
  std::vector<Id> parts;
  for (size_t i = 0; i + 1 < args.size(); i += 2) {
    const MaybeId chance = meanOf(all, args[i]), part = meanOf(all, args[i + 1]);
    if (!chance || !part)
      return std::nullopt;
    parts.push_back(all.multiply(*chance, *part));
    rest = all.subtract(rest, *chance);
  }
  const MaybeId last = meanOf(all, args.back());
  if (!last)
    return std::nullopt;
  parts.push_back(all.multiply(rest, *last));
  return all.add(parts);
}

MaybeId product(Algebra &all, MaybeId a, MaybeId b) {
  return a && b ? MaybeId(all.multiply(*a, *b)) : std::nullopt;
}

/// Of each element; of an element, where it is.
MaybeId meanOfVector(Algebra &all, const Expression &e) {
  std::vector<Id> parts = e.args;
  for (size_t i = 0; i < (e.form == Form::vector ? parts.size() : 1); ++i) {
    const MaybeId mean = meanOf(all, parts[i]);
    if (!mean)
      return mean;
    parts[i] = *mean;
  }
  return e.form == Form::vector
             ? all.vector(std::move(parts))
             : all.element(parts[0], parts[1], parts[2], {parts.begin() + 3, parts.end()});
}

MaybeId meanOfFunction(Algebra &all, const Expression &e) {
  if (e.op == Op::multiply)
    return product(all, meanOf(all, e.args[0]), meanOf(all, e.args[1]));
  const bool isBranch = e.op == Op::branch;
  if ((!isBranch && e.op != Op::select) || e.args[0] == Algebra::nothing)
    return e.op == Op::select ? meanOfChances(all, std::span(e.args).subspan(1)) : std::nullopt;
  if (isBranch && !all.isTruth(e.args[0]))
    return meanOfChances(all, e.args);
  std::vector<Id> args = e.args;
  for (Id &a : args) {
    const MaybeId mean = meanOf(all, a);
    if (!mean)
      return mean;
    a = *mean;
  }
  return all.apply(e.op, std::move(args));
}

} // namespace

std::optional<Derivative> derivative(Algebra &all, Id e, Id parameter) {
  Differentiation d(all, parameter);
  const Id out = d.of(e);
  return d.found ? std::optional(Derivative{out, d.isPiecewise}) : std::nullopt;
}

std::optional<Id> meanOf(Algebra &all, Id id) {
  const Expression &e = all[id];
  if (!e.random)
    return id;
  switch (e.form) {
  case Form::law:
    return meanOfLaw(all, e);
  case Form::scaled:
    return product(all, e.args[0], meanOf(all, e.args[1]));
  case Form::total: {
    Id sum = e.args[0];
    for (size_t i = 1; i < e.args.size(); i += 2) {
      const MaybeId part = product(all, e.args[i], meanOf(all, e.args[i + 1]));
      if (!part)
        return part;
      sum = all.add(sum, *part);
    }
    return sum;
  }
  case Form::copies:
    return e.op == Op::sum ? product(all, meanOf(all, e.args[0]), meanOf(all, e.args[1]))
                           : std::nullopt;
  case Form::function:
    return meanOfFunction(all, e);
  case Form::vector:
  case Form::element:
    return meanOfVector(all, e);
  default:
    return std::nullopt;
  }
}

} // namespace quincunx::pamela
