// Evaluates functions and laws of a model to expressions.
// The idea: a law is taken for granted where its arguments are symbols, and laws that are shifted
// and scaled become multiples of one without parameters, so that cumulants are computed once.
// Reference: docs/12-pamela.md, "Symbolic results". Joins of laws have no expression.
#include "SymbolicEvaluator.h"

#include "Contention.h"
#include "pamela/evaluate/Arithmetic.h"
#include "pamela/evaluate/LawCumulants.h"

#include <algorithm>

namespace quincunx::pamela {

Id SymbolicEvaluator::called(const Node &n, const Binding *scope) {
  std::vector<Id> args;
  for (const Tree &a : n.args)
    args.push_back(number(*a, scope));
  if (trouble)
    return Algebra::zero;
  if (n.op == Op::call && (n.text == "max" || n.text == "min" || n.text == "together"))
    return largest(n.text, args);
  for (const Id a : args)
    if (all[a].random || all.isVector(a))
      return fail(n, "an argument of " + n.text + "() is no constant");
  if (n.op == Op::law)
    return law(n, std::move(args));
  if (n.text == "unitvec")
    return all.vector({all.element(Algebra::one, args[0], Algebra::one, {})});
  if (const std::optional<std::vector<double>> x = valuesOf(args); x && functionNamed(n.text))
    if (const std::string why = whyNoValue(n.text, *x); !why.empty())
      return fail(n, why);
  if (n.text == "sqrt" || n.text.starts_with("log"))
    all.assumeNonnegative(args[0]);
  return all.call(n.text, std::move(args));
}

/// Numbers, when all of them are.
std::optional<std::vector<double>> SymbolicEvaluator::valuesOf(const std::vector<Id> &args) const {
  std::vector<double> values;
  for (const Id a : args) {
    if (!all.isNumber(a))
      return std::nullopt;
    values.push_back(all.value(a));
  }
  return values;
}

/// Takes for granted that there is such a law; false where it is known that there is none, or
/// where that is not simply said.
bool SymbolicEvaluator::assumeLaw(const Node &n, const std::vector<Id> &args) {
  if (const std::optional<std::vector<double>> values = valuesOf(args)) {
    const Result<Cumulants> k = cumulantsOf(n.text, *values);
    if (!k)
      fail(n, k.error().text);
    return static_cast<bool>(k);
  }
  std::vector<Id> needed;
  if (n.text == "histogram") {
    for (size_t i = 1; i < args.size(); i += 2)
      needed.push_back(args[i]);
  } else if (n.text == "uniform") {
    needed = {all.subtract(args[1], args[0])};
  } else if (n.text == "exponential" || n.text == "bernoulli") {
    needed = {args[0]};
  } else {
    needed = {args[1]}; // a variance or deviation
  }
  if (n.text == "gamma" || n.text == "lognormal")
    needed.push_back(args[0]);
  if (n.text == "bernoulli")
    needed.push_back(all.subtract(Algebra::one, args[0]));
  return std::all_of(needed.begin(), needed.end(), [&](Id e) { return all.assumeNonnegative(e); });
}

/// exponential(m) is m exponential(1), and so on: laws without parameters are computed once.
Id SymbolicEvaluator::law(const Node &n, std::vector<Id> args) {
  const std::string &name = n.text;
  if (!assumeLaw(n, args))
    return fail(n, "it is not known that there is such a law");
  const bool known = std::all_of(args.begin(), args.end(), [&](Id a) { return all.isNumber(a); });
  const auto standard = [&](std::vector<Id> of, Id scale, Id shift) {
    return all.add(shift, all.multiply(scale, all.law(name, std::move(of))));
  };
  if (!known && !asRates) {
    if (name == "exponential")
      return standard({Algebra::one}, args[0], Algebra::zero);
    if (name == "normal")
      return standard({Algebra::zero, Algebra::one}, args[1], args[0]);
    if (name == "uniform")
      return standard({Algebra::zero, Algebra::one}, all.subtract(args[1], args[0]), args[0]);
  }
  return all.law(name, std::move(args), asRates && name == "moments");
}

/// A vector stands for its elements.
Id SymbolicEvaluator::largest(const std::string &function, const std::vector<Id> &args) {
  std::vector<Id> flat;
  for (const Id a : args) {
    const bool closes =
        all.isVector(a) && function != "min" && (function == "together" || !all[a].random);
    const std::vector<Id> elements = closes ? largestElements(all, a) : std::vector<Id>{a};
    flat.insert(flat.end(), elements.begin(), elements.end());
  }
  return flat.empty() ? Algebra::zero : all.call(function, std::move(flat));
}

} // namespace quincunx::pamela
