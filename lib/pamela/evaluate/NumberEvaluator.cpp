// Numbers of a model, by going through their trees.
// The idea: a number is four cumulants, a constant has only the first; operands are independent
// draws, as a name is replaced by what it means wherever it stands. Replications whose body does
// not depend on the index are counted, not gone through. It simplifies nothing.
#include "NumberEvaluator.h"

#include "Arithmetic.h"
#include "LawCumulants.h"
#include "pamela/syntax/ErrorAt.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quincunx::pamela {

namespace {

constexpr double probabilitySlack = 1e-9;
/// What a pair of laws in a join takes, in parts that are looked at: 5 us, and a part takes 50 ns.
constexpr size_t stepsOfPair = 100;

Value constantValue(double x) { return {{x, 0, 0, 0}, false, {}}; }

} // namespace

bool usesIndex(const Node &n, std::string_view index) {
  std::vector<const Node *> waiting{&n}; // chains are deep
  while (!waiting.empty()) {
    const Node &at = *waiting.back();
    waiting.pop_back();
    if (at.op == Op::name && at.text == index && at.args.empty())
      return true;
    const bool binds = at.op == Op::seq || at.op == Op::par || at.op == Op::sum ||
                       at.op == Op::max || at.op == Op::min;
    for (size_t i = 0; i < at.args.size(); ++i)
      if (at.args[i] && !(binds && i == 2 && at.text == index))
        waiting.push_back(at.args[i].get());
  }
  return false;
}

NumberEvaluator::NumberEvaluator(const Model &m, const EvaluateOptions &o)
    : laws(o.steps), model(m), options(o) {
  for (const Definition &d : model.definitions)
    definitions.emplace(d.name, &d);
}

Error NumberEvaluator::error(const Node &n, const std::string &text) const {
  return errorAt(model, n.at, text);
}

void NumberEvaluator::note(const std::string &text) {
  if (std::find(notes.begin(), notes.end(), text) == notes.end())
    notes.push_back(text);
}

Error NumberEvaluator::tooMany(const Node &n) const {
  return error(n, "more than " + std::to_string(options.steps) +
                      " parts to go through; make bounds smaller, or bodies that do not depend on "
                      "the index");
}

Status NumberEvaluator::step(const Node &n, size_t parts) {
  steps += parts;
  if (steps + stepsOfPair * joinedPairs > options.steps)
    return tooMany(n);
  return Done{};
}

const Definition *NumberEvaluator::definition(std::string_view name) const {
  const auto at = definitions.find(name);
  return at == definitions.end() ? nullptr : at->second;
}

const Scope *NumberEvaluator::find(std::string_view name, const Scope *scope) {
  while (scope && scope->name != name)
    scope = scope->outer;
  return scope;
}

const Scope *NumberEvaluator::enter(const Definition &d, const Node &n, const Scope *scope,
                                    std::vector<Scope> &frames) const {
  frames.reserve(d.arguments.size());
  for (size_t i = 0; i < d.arguments.size() && i < n.args.size(); ++i)
    frames.push_back(
        {d.arguments[i], 0, n.args[i].get(), scope, frames.empty() ? nullptr : &frames.back()});
  return frames.empty() ? nullptr : &frames.back();
}

Result<Value> NumberEvaluator::named(const Node &n, const Scope *scope) {
  if (const Scope *s = n.args.empty() ? find(n.text, scope) : nullptr)
    return s->argument ? value(*s->argument, s->passedFrom)
                       : Result<Value>(constantValue(s->index));
  const Definition *d = definition(n.text);
  if (!d)
    return analysed(n);
  if (d->arguments.size() != n.args.size())
    return error(n, "'" + escape(n.text) + "' takes " + std::to_string(d->arguments.size()) +
                        " arguments, here are " + std::to_string(n.args.size()));
  if (d->kind != Kind::numeric)
    return error(n, "'" + escape(n.text) + "' is no number");
  if (d->arguments.empty())
    if (const auto given = options.parameters.find(n.text); given != options.parameters.end())
      return constantValue(given->second);
  if (!d->body)
    return error(n, "parameter '" + escape(n.text) + "' has no value; give it one, as in -D " +
                        escape(n.text) + "=10");
  std::vector<Scope> frames;
  return value(*d->body, enter(*d, n, scope, frames));
}

Result<RandomNumber> NumberEvaluator::scalar(const Node &n, const Scope *scope) {
  Result<Value> v = value(n, scope);
  if (!v)
    return v.error();
  if (v->isVector)
    return error(n, "a vector where a number is needed");
  return v->k;
}

Result<double> NumberEvaluator::constant(const Node &n, const Scope *scope, const char *what) {
  const Result<RandomNumber> k = scalar(n, scope);
  if (!k)
    return k.error();
  if (!isConstant(*k))
    return error(n, std::string(what) + " is random here");
  if (std::isnan(k->k1))
    return error(n, std::string(what) + " is not a number");
  return k->k1;
}

Result<double> NumberEvaluator::order(const Node &n, const Scope *scope) {
  const Result<double> k = constant(n, scope, "the order");
  if (k && *k != std::floor(*k))
    return error(n, orderError(*k));
  return k;
}

Result<Bounds> NumberEvaluator::bounds(const Node &n, const Scope *scope) {
  const Result<double> from = constant(*n.args[0], scope, "the lower bound");
  if (!from)
    return from.error();
  const bool sawBefore = std::exchange(sawRates, false);
  const Result<RandomNumber> to = scalar(*n.args[1], scope);
  const bool isAverage = std::exchange(sawRates, sawBefore || sawRates);
  if (!to)
    return to.error();
  if (!std::isfinite(*from) || !std::isfinite(to->k1) || !std::isfinite(to->k1 - *from))
    return error(n, "bounds are not finite");
  Bounds b;
  b.indexed = usesIndex(*n.args[2], n.text);
  if (b.indexed && !(std::fabs(*from) <= largestIndex && std::fabs(to->k1) <= largestIndex))
    return error(n, boundsError(*from, to->k1));
  const Turns turns = turnsOf(to->k1 - *from + 1);
  b.from = std::floor(*from);
  b.to = b.from + turns.whole - 1;
  b.part = turns.part;
  b.count = turns.whole + turns.part;
  if (b.indexed && b.count > static_cast<double>(options.steps))
    return tooMany(n);
  b.isAverage = isAverage;
  if (!isConstant(*to))
    b.random = laws.wholeTurns(laws.sum(*to, Cumulants{1 - *from, 0, 0, 0}));
  return b;
}

RandomNumber NumberEvaluator::times(const Bounds &b, const RandomNumber &x) {
  if (b.random)
    return laws.times(*b.random, x);
  if (b.part == 0)
    return laws.times(b.count, x);
  if (!b.isAverage)
    return laws.times(laws.wholeTurns(Cumulants{b.count, 0, 0, 0}), x);
  note("an average of " + exact(b.count) +
       " turns has no spread here: simulate draws one of the two whole numbers next to it, so that "
       "percentiles and bounds are too narrow");
  return laws.times(b.count, x);
}

RandomNumber NumberEvaluator::turn(const Bounds &b, double i, const RandomNumber &x) {
  return i <= b.to ? x : laws.branched(*numberOf("bernoulli", std::span(&b.part, 1)), x, {});
}

Result<RandomNumber> NumberEvaluator::condition(const Node &n, const Scope *scope) {
  const bool outer = std::exchange(asRates, true);
  sawRates = false;
  const Result<RandomNumber> rate = scalar(n, scope);
  asRates = outer;
  if (!rate)
    return rate.error();
  if (!(rate->k1 >= 0 && rate->k1 <= 1))
    return error(n, "a condition is 0, 1 or a probability, not " + exact(rate->k1));
  if (isConstant(*rate) && !sawRates) // a probability, drawn anew each time
    return kept(*numberOf("bernoulli", std::span(&rate->k1, 1)));
  return *rate;
}

Result<NumberEvaluator::Selected> NumberEvaluator::selected(const Node &n, const Scope *scope) {
  Selected out;
  const bool hasElse = n.args.size() % 2 == 0;
  const size_t pairs = (n.args.size() - 1) / 2;
  const Result<double> chosen =
      n.args[0] ? constant(*n.args[0], scope, "the selector") : Result<double>(0.0);
  if (!chosen)
    return chosen.error();
  double rest = 1;
  for (size_t p = 0; p < pairs; ++p) {
    const Result<double> value =
        constant(*n.args[2 * p + 1], scope, n.args[0] ? "a case" : "a probability");
    if (!value)
      return value.error();
    if (n.args[0]) {
      if (*value == *chosen) {
        out.part = 2 * p + 2;
        return out;
      }
      continue;
    }
    if (!(*value >= 0) || *value > rest + probabilitySlack)
      return error(*n.args[2 * p + 1], "probabilities are below 0, or more than 1 together");
    rest -= *value;
    out.drawn.emplace_back(2 * p + 2, *value);
  }
  const size_t last = hasElse ? n.args.size() - 1 : 0;
  if (n.args[0])
    out.part = last;
  else if (rest > probabilitySlack)
    out.drawn.emplace_back(last, rest);
  return out;
}

/// The process that T_main, phi_main, delta_main, omega_main or theta_main is about; null: it is no
/// such name.
const Definition *NumberEvaluator::processOf(std::string_view name) const {
  const size_t dash = name.find('_');
  const std::string_view what = name.substr(0, dash);
  if (dash == std::string_view::npos ||
      (what != "T" && what != "phi" && what != "delta" && what != "omega" && what != "theta"))
    return nullptr;
  const Definition *d = definition(name.substr(dash + 1));
  return d && d->kind == Kind::process && d->arguments.empty() ? d : nullptr;
}

Result<Value> NumberEvaluator::analysed(const Node &n) {
  const Definition *d = processOf(n.text);
  if (!d || !analysis)
    return error(n, "'" + escape(n.text) + "' is not defined");
  return analysis(std::string_view(n.text).substr(0, n.text.find('_')),
                  Node{Op::name, 0, d->name, {}, n.at, {}});
}

Result<Value> NumberEvaluator::called(const Node &n, const Scope *scope) {
  std::vector<Value> values;
  for (const Tree &a : n.args) {
    Result<Value> v = value(*a, scope);
    if (!v)
      return v.error();
    values.push_back(std::move(*v));
  }
  if (n.text == "max" || n.text == "min")
    return extremeOf(n, values, n.text == "max");
  if (n.text == "together")
    return together(n, values);
  std::vector<double> x;
  for (const Value &v : values) {
    if (v.isVector || !isConstant(v.k))
      return error(n, n.text + "() takes constants");
    x.push_back(v.k.k1);
  }
  if (n.text == "unitvec")
    return Value{{}, true, {{x[0], {1, 0, 0, 0}}}};
  const std::optional<Function> f = functionNamed(n.text);
  if (!f || !takes(*f, x.size()))
    return error(n, "no function " + escape(n.text) + "() takes " + std::to_string(x.size()) +
                        " arguments");
  if (const std::string why = whyNoValue(n.text, x); !why.empty())
    return error(n, why);
  return constantValue(computed(*f, x));
}

Result<Value> NumberEvaluator::law(const Node &n, const Scope *scope) {
  std::vector<double> arguments;
  for (const Tree &a : n.args) {
    const Result<double> x = constant(*a, scope, "an argument of a law");
    if (!x)
      return x.error();
    arguments.push_back(*x);
  }
  sawRates = sawRates || n.text == "moments";
  const Result<RandomNumber> k = numberOf(n.text, arguments);
  if (!k)
    return error(n, k.error().text);
  if (k->k2 == 0 || asRates || admissible(moments(*k)))
    return Value{*k, false, {}};
  const Result<Cumulants> nearest = admitted(*k);
  return nearest ? Result<Value>(Value{*nearest, false, {}}) : error(n, nearest.error().text);
}

Result<Cumulants> NumberEvaluator::admitted(const Cumulants &k) {
  const Moments m = moments(k);
  const std::string what = "no law has skewness " + exact(m.skewness) + " and kurtosis " +
                           exact(m.kurtosis) + ": a kurtosis is at least 1 + skewness^2";
  if (options.strict)
    return Error{what};
  note(what + "; the nearest possible one is taken");
  return cumulants(project(m).moments);
}

Result<Value> NumberEvaluator::sum(const Node &n, const Scope *scope) {
  const Result<Bounds> b = bounds(n, scope);
  if (!b)
    return b.error();
  const Node &body = *n.args[2];
  if (!b->indexed) {
    Result<Value> v = value(body, scope);
    if (!v)
      return v;
    v->k = times(*b, v->k);
    for (auto &[at, k] : v->elements)
      k = times(*b, k);
    return v;
  }
  if (b->random)
    return error(n, "the number of parts is random, and they depend on the index");
  Value total;
  for (double i = b->from; i <= b->last(); ++i) {
    const Scope inner{n.text, i, nullptr, nullptr, scope};
    const Result<Value> v = value(body, &inner);
    if (!v)
      return v;
    total.isVector = total.isVector || v->isVector;
    total.k = laws.sum(total.k, turn(*b, i, v->k));
    for (const auto &[at, k] : v->elements)
      total.elements[at] = laws.sum(total.elements[at], turn(*b, i, k));
  }
  return total;
}

Result<Value> NumberEvaluator::branch(const Node &n, const Scope *scope) {
  const Result<RandomNumber> rate = condition(*n.args[0], scope);
  if (!rate)
    return rate.error();
  const auto part = [&](size_t i) {
    return i < n.args.size() ? scalar(*n.args[i], scope) : Result<RandomNumber>(RandomNumber());
  };
  if (isConstant(*rate) && (rate->k1 == 0 || rate->k1 == 1)) {
    const size_t i = rate->k1 == 1 ? 1 : 2;
    return i < n.args.size() ? value(*n.args[i], scope) : Result<Value>(constantValue(0));
  }
  const Result<RandomNumber> onTrue = part(1), onFalse = part(2);
  if (!onTrue || !onFalse)
    return !onTrue ? onTrue.error() : onFalse.error();
  return Value{laws.branched(*rate, *onTrue, *onFalse), false, {}};
}

Result<Value> NumberEvaluator::select(const Node &n, const Scope *scope) {
  const Result<Selected> s = selected(n, scope);
  if (!s)
    return s.error();
  if (s->drawn.empty())
    return s->part == 0 ? Result<Value>(constantValue(0)) : value(*n.args[s->part], scope);
  std::vector<RandomNumber> parts;
  std::vector<double> weights;
  for (const auto &[part, p] : s->drawn) {
    const Result<RandomNumber> k =
        part == 0 ? Result<RandomNumber>(RandomNumber()) : scalar(*n.args[part], scope);
    if (!k)
      return k.error();
    parts.push_back(*k);
    weights.push_back(p);
  }
  return Value{laws.oneOf(parts, weights), false, {}};
}

} // namespace quincunx::pamela
