// Evaluates numbers of a model to expressions.
// The idea: the same walk as in NumberEvaluator, with the algebra in place of arithmetic. What has
// no expression (a random bound of something that depends on the index, say) is an error with its
// place; whoever asked can still compute values one by one. Reference: docs/12-pamela.md.
#include "SymbolicEvaluator.h"

#include "Contention.h"
#include "pamela/evaluate/Arithmetic.h"
#include "pamela/evaluate/LawCumulants.h"
#include "pamela/evaluate/NumberEvaluator.h"
#include "pamela/syntax/ErrorAt.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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
  // For values instead of expressions: a body that names its index is gone through in whole steps,
  // even if its value is always one; and less than one part is not always none.
  const Id length = all.subtract(all.to(i), first);
  const bool less = all.isNumber(length) && all.value(length) > -1 && all.value(length) < 0;
  if (kept && (less || (usesIndex(*n.args[2], n.text) && !all.assumeWhole(length))) &&
      all.isNumber(length))
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

Id SymbolicEvaluator::kthOf(Id k, std::vector<Id> parts) {
  if (k == Algebra::one)
    return all.call("min", std::move(parts));
  parts.insert(parts.begin(), k);
  return all.apply(Op::any, std::move(parts));
}

Id SymbolicEvaluator::anyNumber(const Node &n, const Binding *scope) {
  const Id k = certain(*n.args[0], scope, "the order");
  const Node &parts = *n.args[1];
  if (parts.op == Op::call) {
    std::vector<Id> values;
    for (const Tree &a : parts.args)
      values.push_back(number(*a, scope));
    return kthOf(k, std::move(values));
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

Kind SymbolicEvaluator::kindOf(const Node &n, const Binding *scope) const {
  switch (n.op) {
  case Op::delay:
  case Op::use:
  case Op::sequence:
  case Op::parallel:
  case Op::seq:
  case Op::par:
    return Kind::process;
  case Op::any:
    return kindOf(*n.args[1], scope);
  case Op::fcfs:
    return Kind::resource;
  case Op::branch:
    return kindOf(*n.args[1], scope);
  case Op::select:
    return kindOf(*n.args[2], scope);
  case Op::name: {
    if (const Binding *s = n.args.empty() ? find(n.text, scope) : nullptr)
      return s->kind;
    const Definition *d = definition(n.text);
    return d ? d->kind : Kind::numeric;
  }
  default:
    return Kind::numeric;
  }
}

bool SymbolicEvaluator::enter(const Definition &d, const Node &n, const Binding *scope,
                              std::vector<Binding> &frames, std::vector<Id> &key) {
  frames.reserve(d.arguments.size());
  for (size_t i = 0; i < d.arguments.size(); ++i) {
    const Node &a = *n.args[i];
    Binding l{
        d.arguments[i], kindOf(a, scope), 0, {}, {}, frames.empty() ? nullptr : &frames.back()};
    if (l.kind == Kind::numeric)
      l.number = number(a, scope);
    else if (l.kind == Kind::process)
      l.times = process(a, scope);
    else
      l.server = resource(a, scope);
    key.insert(key.end(), {static_cast<Id>(l.kind), l.number, l.times.T, l.times.phi,
                           l.times.demands, l.server.place, l.server.servers});
    frames.push_back(l);
  }
  return !trouble;
}

Id SymbolicEvaluator::named(const Node &n, const Binding *scope) {
  if (const Binding *s = n.args.empty() ? find(n.text, scope) : nullptr)
    return s->kind == Kind::numeric ? s->number : fail(n, "'" + escape(n.text) + "' is no number");
  const Definition *d = definition(n.text);
  if (!d)
    return analysed(n);
  if (d->kind != Kind::numeric || d->arguments.size() != n.args.size())
    return fail(n, "'" + escape(n.text) + "' is no number with " + std::to_string(n.args.size()) +
                       " arguments");
  std::vector<Binding> frames;
  std::vector<Id> key;
  if (!enter(*d, n, scope, frames, key))
    return Algebra::zero;
  key.push_back(asRates);
  const auto [at, isNew] = numbersOf.try_emplace({d, key}, Algebra::zero);
  if (!isNew)
    return at->second;
  const bool plain = d->arguments.empty(), isGiven = plain && fixed.contains(d->name);
  const bool stays = plain && !isGiven && (kept ? kept->contains(d->name) : d->parameter);
  if (!d->body && !stays && !isGiven)
    return fail(n, "parameter '" + escape(n.text) + "' has no value; give it one, as in -D " +
                       escape(n.text) + "=10");
  Id x = isGiven   ? all.number(fixed.at(d->name))
         : d->body ? number(*d->body, frames.empty() ? nullptr : &frames.back())
                   : Algebra::zero;
  if (stays && (kept || !all.isVector(x))) {
    met.insert(d);
    x = all.parameter(d->name, !kept && all[x].random);
  }
  numbersOf[{d, key}] = x;
  return x;
}

/// T_main, phi_main, delta_main, omega_main, theta_main.
Id SymbolicEvaluator::analysed(const Node &n) {
  const std::optional<size_t> d = analysedBy(model, definitionsOf(model), n.text);
  if (!d || !n.args.empty())
    return fail(n, "'" + escape(n.text) + "' is not defined");
  const std::string what = n.text.substr(0, n.text.find('_'));
  const SymbolicTimes t = timesOf(model.definitions[*d], n);
  if (what == "T")
    return t.T;
  if (what == "phi")
    return t.phi;
  if (what == "delta" || trouble)
    return t.demands;
  const Id largest = omega(t.demands);
  if (what == "omega")
    return largest;
  if (all[largest].random || all[t.phi].random)
    return fail(n, "means of random times are no expression");
  return all.call("log", {all.divide(largest, t.phi)});
}

} // namespace quincunx::pamela
