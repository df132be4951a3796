// Evaluates processes.
// The idea: each part of a process has its critical path, its demand on every resource and its
// bound, and each way to compose them has its rule, the four rules and the joins for random costs.
// Parts that do not depend on the index of a replication are looked at once.
// Reference: docs/12-pamela.md, "What it costs".
#include "ProcessEvaluator.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

namespace {

/// The demand on each resource that one may have to wait for, per server.
std::vector<std::pair<double, RandomNumber>> perServer(LawArithmetic &laws,
                                                       const Demands &demands) {
  std::vector<std::pair<double, RandomNumber>> all;
  for (const auto &[index, d] : demands)
    if (std::isfinite(d.multiplicity))
      all.emplace_back(index, laws.scaled(1 / d.multiplicity, d.k));
  return all;
}

} // namespace

Status ProcessEvaluator::add(const Node &n, const Demands &more, double times, Demands &to) {
  if (Status s = numbers.step(n, more.size()); !s)
    return s;
  for (const auto &[index, demand] : more) {
    Demand &d = to.try_emplace(index, Demand{{}, demand.multiplicity}).first->second;
    d.k = numbers.laws.sum(d.k, numbers.laws.times(times, demand.k));
  }
  return Done{};
}

/// (4), where demands are of different draws but nobody knows which.
Result<RandomNumber> ProcessEvaluator::omega(const Demands &demands) {
  std::vector<RandomNumber> all;
  for (const auto &[index, k] : perServer(numbers.laws, demands))
    all.push_back(k);
  return largestOfDependent(std::move(all), numbers.joinedPairs);
}

Result<RandomNumber> ProcessEvaluator::bound(const RandomNumber &parts, const Demands &demands) {
  std::vector<RandomNumber> all{parts};
  for (const auto &[index, k] : perServer(numbers.laws, demands))
    all.push_back(k);
  return largestOfDependent(std::move(all), numbers.joinedPairs);
}

/// T_main and so on. delta is per server.
Result<Value> ProcessEvaluator::analysed(std::string_view what, const Node &process) {
  const Result<Times> t = of(process, nullptr);
  if (!t)
    return t.error();
  if (what == "T" || what == "phi")
    return Value{what == "T" ? t->T : t->phi, false, {}};
  if (what == "omega" || what == "theta") {
    const Result<RandomNumber> k = omega(t->demands);
    if (!k)
      return k.error();
    if (what == "omega")
      return Value{*k, false, {}};
    return Value{{std::log(k->k1 / t->phi.k1), 0, 0, 0}, false, {}};
  }
  Value v{{}, true, {}};
  for (const auto &[index, k] : perServer(numbers.laws, t->demands))
    v.elements[index] = k;
  return v;
}

Result<ProcessEvaluator::Server> ProcessEvaluator::resource(const Node &n, const Scope *scope) {
  return numbers.nested(n, depth, [&] { return server(n, scope); });
}

Result<ProcessEvaluator::Server> ProcessEvaluator::server(const Node &n, const Scope *scope) {
  if (n.op == Op::fcfs) {
    const Result<double> index = numbers.constant(*n.args[0], scope, "the index of a resource");
    if (!index)
      return index.error();
    const Result<double> servers = numbers.constant(*n.args[1], scope, "a multiplicity");
    if (!servers)
      return servers.error();
    if (const std::string why = multiplicities.meet(*index, *servers); !why.empty())
      return numbers.error(n, why);
    return Server{*index, *servers};
  }
  if (n.op != Op::name)
    return numbers.error(n, "a resource is needed here: a name, or fcfs(index, multiplicity)");
  std::vector<Scope> frames;
  const Result<Meaning> meant = meaning(n, scope, Kind::resource, frames);
  return meant ? resource(*meant->body, meant->scope) : meant.error();
}

Result<ProcessEvaluator::Meaning> ProcessEvaluator::meaning(const Node &n, const Scope *scope,
                                                            Kind kind, std::vector<Scope> &frames) {
  if (const Scope *s = n.args.empty() ? NumberEvaluator::find(n.text, scope) : nullptr;
      s && s->argument)
    return Meaning{s->argument, s->passedFrom};
  const Definition *d = numbers.definition(n.text);
  if (!d || d->kind != kind || !d->body || d->arguments.size() != n.args.size())
    return numbers.error(n, "'" + escape(n.text) + "' is no " +
                                (kind == Kind::resource ? "resource" : "process") + " with " +
                                std::to_string(n.args.size()) + " arguments");
  return Meaning{d->body.get(), numbers.enter(*d, n, scope, frames)};
}

Result<Times> ProcessEvaluator::named(const Node &n, const Scope *scope) {
  std::vector<Scope> frames;
  const Result<Meaning> meant = meaning(n, scope, Kind::process, frames);
  return meant ? of(*meant->body, meant->scope) : meant.error();
}

Result<Times> ProcessEvaluator::use(const Node &n, const Scope *scope) {
  const bool delays = n.op == Op::delay;
  const Result<RandomNumber> time = numbers.scalar(*n.args[delays ? 0 : 1], scope);
  if (!time)
    return time.error();
  if (!(time->k1 >= 0) || !std::isfinite(time->k1))
    return numbers.error(n, "a time of " + exact(time->k1) + " is not possible");
  Times t{*time, *time, *time, {}, *time, {}, {}};
  if (delays)
    return t;
  const Result<Server> server = resource(*n.args[0], scope);
  if (!server)
    return server.error();
  t.demands[server->index] = {*time, server->multiplicity};
  if (std::isfinite(server->multiplicity)) {
    t.work = numbers.laws.scaled(1 / server->multiplicity, *time);
    t.sharedPath = numbers.laws.scaled(1 - 1 / server->multiplicity, *time);
  }
  return t;
}

Result<Times> ProcessEvaluator::sequence(const Node &n, const Scope *scope) {
  Times sum;
  for (const Tree &part : n.args) {
    const Result<Times> t = of(*part, scope);
    if (!t)
      return t;
    for (const auto figure : figuresOfTimes)
      sum.*figure = numbers.laws.sum(sum.*figure, (*t).*figure);
    if (Status s = add(*part, t->demands, 1, sum.demands); !s)
      return s.error();
  }
  return sum;
}

Result<Times> ProcessEvaluator::replicated(const Node &n, const Scope *scope) {
  const Result<Bounds> b = numbers.bounds(n, scope);
  if (!b)
    return b.error();
  const Node &body = *n.args[2];
  if (!b->indexed) {
    Result<Times> t = of(body, scope);
    if (!t)
      return t;
    for (const auto figure : figuresOfTimes)
      (*t).*figure = numbers.times(*b, (*t).*figure);
    for (auto &[index, d] : t->demands)
      d.k = numbers.times(*b, d.k);
    return t;
  }
  if (b->random)
    return numbers.error(n, "the number of repetitions is random, and they depend on the index");
  Times sum;
  for (double i = b->from; i <= b->last(); ++i) {
    const Scope inner{n.text, i, nullptr, nullptr, scope};
    Result<Times> t = of(body, &inner);
    if (!t)
      return t;
    for (const auto figure : figuresOfTimes)
      sum.*figure = numbers.laws.sum(sum.*figure, numbers.turn(*b, i, (*t).*figure));
    for (auto &[index, d] : t->demands)
      d.k = numbers.turn(*b, i, d.k);
    if (Status s = add(n, t->demands, 1, sum.demands); !s)
      return s.error();
  }
  return sum;
}

Result<Times> ProcessEvaluator::branch(const Node &n, const Scope *scope) {
  const Result<RandomNumber> rate = numbers.condition(*n.args[0], scope);
  if (!rate)
    return rate.error();
  const auto part = [&](size_t i) {
    return i < n.args.size() ? of(*n.args[i], scope) : Result<Times>(Times{});
  };
  if (isConstant(*rate) && (rate->k1 == 0 || rate->k1 == 1))
    return part(rate->k1 == 1 ? 1 : 2);
  const Result<Times> yes = part(1), no = part(2); // in this order: errors come as they are written
  return branched(n, *rate, yes, no);
}

Result<Times> ProcessEvaluator::branched(const Node &n, const RandomNumber &rate,
                                         const Result<Times> &yes, const Result<Times> &no) {
  if (!yes || !no)
    return !yes ? yes : no;
  Times out;
  for (const auto figure : figuresOfTimes)
    out.*figure = numbers.laws.branched(rate, (*yes).*figure, (*no).*figure);
  for (const Times *t : {&*yes, &*no})
    if (Status s = add(n, t->demands, 0, out.demands); !s)
      return s.error();
  for (auto &[index, d] : out.demands) {
    const auto of = [&](const Times &t) {
      const auto at = t.demands.find(index);
      return at == t.demands.end() ? RandomNumber() : at->second.k;
    };
    d.k = numbers.laws.branched(rate, of(*yes), of(*no));
  }
  return out;
}

Result<Times> ProcessEvaluator::select(const Node &n, const Scope *scope) {
  const Result<NumberEvaluator::Selected> s = numbers.selected(n, scope);
  if (!s)
    return s.error();
  if (s->drawn.empty())
    return s->part == 0 ? Result<Times>(Times{}) : of(*n.args[s->part], scope);
  std::vector<Times> all;
  std::vector<double> weights;
  Times out;
  for (const auto &[part, p] : s->drawn) {
    Result<Times> t = part == 0 ? Result<Times>(Times{}) : of(*n.args[part], scope);
    if (!t)
      return t;
    if (Status known = add(n, t->demands, 0, out.demands); !known)
      return known.error();
    all.push_back(std::move(*t));
    weights.push_back(p);
  }
  const auto mixed = [&](auto get) {
    std::vector<RandomNumber> given;
    for (const Times &t : all)
      given.push_back(get(t));
    return numbers.laws.oneOf(given, weights);
  };
  for (const auto figure : figuresOfTimes)
    out.*figure = mixed([figure](const Times &t) { return t.*figure; });
  for (auto &[index, d] : out.demands)
    d.k = mixed([at = index](const Times &t) {
      const auto found = t.demands.find(at);
      return found == t.demands.end() ? RandomNumber() : found->second.k;
    });
  return out;
}

Result<Times> ProcessEvaluator::of(const Node &n, const Scope *scope) {
  if (const Status s = numbers.step(n); !s)
    return s.error();
  Result<Times> t = numbers.nested(n, depth, [&] { return inside(n, scope); });
  if (!t)
    return t;
  for (const auto figure : figuresOfTimes)
    (*t).*figure = numbers.kept((*t).*figure);
  for (auto &[index, d] : t->demands)
    d.k = numbers.kept(d.k);
  return t;
}

Result<Times> ProcessEvaluator::inside(const Node &n, const Scope *scope) {
  switch (n.op) {
  case Op::delay:
  case Op::use:
    return use(n, scope);
  case Op::name:
    return named(n, scope);
  case Op::sequence:
    return sequence(n, scope);
  case Op::seq:
    return replicated(n, scope);
  case Op::parallel:
  case Op::par:
    return joined(n, n, scope, [&](const Parts &all) { return parallel(n, all); });
  case Op::any:
    return any(n, scope);
  case Op::branch:
    return branch(n, scope);
  case Op::select:
    return select(n, scope);
  default:
    return numbers.error(n, "a number or a resource where a process is needed");
  }
}

} // namespace quincunx::pamela
