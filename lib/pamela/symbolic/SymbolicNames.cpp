// Evaluates names of a model to expressions.
// The idea: a definition is put in place of its name, once for the same arguments; parameters keep
// theirs. T_main and the like are what a process costs. Reference: docs/12-pamela.md, "Symbolic
// results". Which names there are is checked by Check.
#include "SymbolicEvaluator.h"

#include "pamela/evaluate/ParameterRanges.h"
#include "quincunx/base/Text.h"

namespace quincunx::pamela {

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

void SymbolicEvaluator::stateRanges() {
  for (const Definition &d : model.definitions)
    for (const Tree &bound : {d.least, d.most})
      if (bound && !trouble)
        stateBound(d, bound, bound == d.least);
  numbersOf.clear(), met.clear(); // nobody asked for them yet
}

void SymbolicEvaluator::stateBound(const Definition &d, const Tree &bound, bool isLeast) {
  if (kept && !kept->contains(d.name) && !d.body && !fixed.contains(d.name))
    return;
  const Node name{Op::name, 0, d.name, {}, d.at, {}};
  const Id x = certain(name, nullptr, "a number that has a range");
  const Id limit = certain(*bound, nullptr, "a bound");
  const bool hasDefault = !kept && d.body && !all.isNumber(x);
  const Id value = hasDefault && !trouble ? number(*d.body, nullptr) : x;
  if (trouble)
    return;
  if (all.isNumber(value) && all.isNumber(limit)) {
    const double v = all.value(value), l = all.value(limit);
    if (isLeast ? v < l : v > l)
      fail(*bound, outOfRange(d, v, isLeast, l));
  }
  all.state(isLeast ? all.subtract(x, limit) : all.subtract(limit, x));
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
