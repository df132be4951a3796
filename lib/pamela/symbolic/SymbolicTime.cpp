// Evaluates processes to expressions of what they cost.
// The idea: van Gemund's transformation, (1) to (5): parts in series add up, parallel parts end
// with the last and not before the resource that is used most. A demand is a vector with one
// element per resource. What parts use that may be cancelled has no expression. Reference:
// docs/12-pamela.md, "What it costs".
#include "Contention.h"
#include "SymbolicEvaluator.h"
#include "pamela/syntax/ErrorAt.h"
#include "quincunx/base/Text.h"

#include <array>
#include <cmath>

namespace quincunx::pamela {

namespace {

constexpr int deepestTime = 2000;

/// Takes for granted that the mean is 0 or more, part by part; false where that is not simply said.
bool assumeMean(Algebra &all, Id id) {
  const Expression &e = all[id];
  if (!e.random)
    return all.assumeNonnegative(id);
  if (e.form == Form::scaled)
    return assumeMean(all, e.args[1]) && all.assumeNonnegative(e.args[0]);
  if (e.form == Form::total) {
    bool good = all.assumeNonnegative(e.args[0]);
    for (size_t i = 1; good && i < e.args.size(); i += 2)
      good = assumeMean(all, e.args[i + 1]) && all.assumeNonnegative(e.args[i]);
    return good;
  }
  if (e.form != Form::law || e.text == "histogram")
    return false;
  return all.assumeNonnegative(e.text == "uniform" ? all.add(e.args[0], e.args[1]) : e.args[0]);
}

} // namespace

Id SymbolicEvaluator::omega(Id demands) {
  std::vector<Id> places = largestElements(all, demands);
  return places.empty() ? Algebra::zero : all.call("together", std::move(places));
}

Id SymbolicEvaluator::bound(Id parts, Id demands) {
  std::vector<Id> places = largestElements(all, demands);
  places.push_back(parts);
  return all.call("together", std::move(places));
}

SymbolicTimes SymbolicEvaluator::timesOf(const Definition &d, const Node &use) {
  return process(Node{Op::name, 0, d.name, {}, use.at, {}}, nullptr);
}

SymbolicServer SymbolicEvaluator::resource(const Node &n, const Binding *scope) {
  if (n.op == Op::fcfs) {
    const Id place = certain(*n.args[0], scope, "the index of a resource");
    const Id servers = certain(*n.args[1], scope, "a multiplicity");
    const bool infinite = all.isNumber(servers) && std::isinf(all.value(servers));
    const bool refuted = all.isNumber(place) && !all.whole(place);
    if (!trouble && (refuted || !all.assumeWhole(place)))
      fail(n, "it is not known that the index of the resource is whole");
    if (!trouble && !infinite &&
        !(all.assumeNonnegative(all.subtract(servers, Algebra::one)) &&
          (all.isNumber(servers) ? all.whole(servers) : all.assumeWhole(servers))))
      fail(n, "it is not known that the multiplicity is a whole number from 1 on");
    if (!trouble && multiplicities.try_emplace(place, servers).first->second != servers)
      fail(n, "a resource has this multiplicity here and another one elsewhere");
    return {place, servers};
  }
  const Binding *s = n.op == Op::name && n.args.empty() ? find(n.text, scope) : nullptr;
  if (s && s->kind == Kind::resource)
    return s->server;
  const Definition *d = n.op == Op::name && !s ? definition(n.text) : nullptr;
  if (!d || d->kind != Kind::resource || !d->body || d->arguments.size() != n.args.size()) {
    fail(n, "a resource is needed here");
    return {};
  }
  std::vector<Binding> frames;
  std::vector<Id> key;
  if (!enter(*d, n, scope, frames, key))
    return {};
  const auto [at, isNew] = serversOf.try_emplace({d, key}, SymbolicServer{});
  if (isNew)
    serversOf[{d, key}] = resource(*d->body, frames.empty() ? nullptr : &frames.back());
  return serversOf[{d, key}];
}

SymbolicTimes SymbolicEvaluator::use(const Node &n, const Binding *scope) {
  const bool delays = n.op == Op::delay;
  const Id time = number(*n.args[delays ? 0 : 1], scope);
  if (trouble || all.isVector(time)) {
    fail(n, "a time is a number");
    return {};
  }
  if (all.isNumber(time) && !std::isfinite(all.value(time))) {
    fail(n, "a time of " + exact(all.value(time)) + " is not possible");
    return {};
  }
  if (!all[time].random && !all.assumeNonnegative(time)) {
    fail(n, "it is not known that the time is 0 or more");
    return {};
  }
  if (kept && all[time].random && all[time].free == 0 && !assumeMean(all, time))
    all.assume({time, false}); // of its mean
  SymbolicTimes t{time, time, all.vector({})};
  if (delays)
    return t;
  const SymbolicServer s = resource(*n.args[0], scope);
  if (!(all.isNumber(s.servers) && std::isinf(all.value(s.servers))))
    t.demands = all.vector({all.element(time, s.place, s.servers, {})});
  return t;
}

SymbolicEvaluator::Alternatives SymbolicEvaluator::partsOf(const std::vector<Tree> &parts,
                                                           const Binding *scope) {
  Alternatives out;
  for (const Tree &part : parts)
    out.add(process(*part, scope));
  return out;
}

SymbolicTimes SymbolicEvaluator::sequence(const Node &n, const Binding *scope) {
  const Alternatives parts = partsOf(n.args, scope);
  if (trouble)
    return {};
  return {all.add(parts.T), all.add(parts.phi), all.add(parts.demands)};
}

SymbolicTimes SymbolicEvaluator::parallel(const Node &n, const Binding *scope) {
  Alternatives parts = partsOf(n.args, scope);
  if (trouble)
    return {};
  const Id sum = all.add(parts.demands);
  return {bound(all.call("max", std::move(parts.T)), sum), all.call("max", std::move(parts.phi)),
          sum};
}

/// seq and par.
SymbolicTimes SymbolicEvaluator::loop(const Node &n, const Binding *scope) {
  Id count = Algebra::nothing;
  const Id i = index(n, scope, count);
  if (trouble)
    return {};
  // What the replication needs itself is known inside of it.
  if (count == Algebra::nothing)
    all.assumeTurns(i, n.op == Op::par ? 1 : 0);
  const Binding inner{n.text, Kind::numeric, i, {}, {}, scope};
  ++loops;
  const SymbolicTimes t = process(*n.args[2], &inner);
  --loops;
  if (trouble)
    return {};
  if (count != Algebra::nothing) {
    if (n.op == Op::par || all.dependsOn(t.T, i) || all.dependsOn(t.demands, i)) {
      fail(n, "the number of parts is random");
      return {};
    }
    return {all.repeated(count, t.T), all.repeated(count, t.phi), all.repeated(count, t.demands)};
  }
  const Id demands = all.sum(i, t.demands);
  if (n.op == Op::seq)
    return {all.sum(i, t.T), all.sum(i, t.phi), demands};
  return {bound(all.extreme(Op::max, i, t.T), demands), all.extreme(Op::max, i, t.phi), demands};
}

SymbolicTimes SymbolicEvaluator::any(const Node &n, const Binding *scope) {
  const Id k = order(*n.args[0], scope);
  const Node &parts = *n.args[1];
  if (parts.op == Op::parallel) {
    Alternatives ended = partsOf(parts.args, scope);
    for (const Id d : ended.demands)
      if (!trouble && !all[d].args.empty())
        fail(n, "what is used by parts that may be cancelled");
    if (trouble)
      return {};
    return {kthOf(n, k, std::move(ended.T)), kthOf(n, k, std::move(ended.phi)), all.vector({})};
  }
  Id count = Algebra::nothing;
  const Id i = index(parts, scope, count);
  if (count != Algebra::nothing)
    fail(n, "the number of parts is random");
  if (trouble)
    return {};
  const Binding inner{parts.text, Kind::numeric, i, {}, {}, scope};
  ++loops;
  const SymbolicTimes t = process(*parts.args[2], &inner);
  --loops;
  if (trouble)
    return {};
  if (all.dependsOn(t.demands, i) || (!all[t.demands].args.empty() && all[t.T].random))
    fail(n, "what is used by parts that may be cancelled");
  const auto kth = [&](Id x) {
    return k == Algebra::one ? all.extreme(Op::min, i, x) : all.anyOf(k, i, x);
  };
  return {kth(t.T), kth(t.phi), all.repeated(k, t.demands)};
}

SymbolicTimes SymbolicEvaluator::chosen(const Node &n, const Binding *scope) {
  std::vector<const Node *> parts;
  const std::vector<Id> head = choice(n, scope, parts);
  Alternatives given;
  for (const Node *p : parts)
    given.add(p && !trouble ? process(*p, scope) : SymbolicTimes{0, 0, all.vector({})});
  if (trouble)
    return {};
  if (parts.size() == 1)
    return {given.T[0], given.phi[0], given.demands[0]};
  return {mixed(n, n.op, head, given.T), mixed(n, n.op, head, given.phi),
          mixed(n, n.op, head, given.demands)};
}

SymbolicTimes SymbolicEvaluator::call(const Node &n, const Binding *scope) {
  const Binding *s = n.args.empty() ? find(n.text, scope) : nullptr;
  if (s && s->kind == Kind::process)
    return s->times;
  const Definition *d = s ? nullptr : definition(n.text);
  if (!d || d->kind != Kind::process || !d->body || d->arguments.size() != n.args.size()) {
    fail(n, "'" + escape(n.text) + "' is no process with " + std::to_string(n.args.size()) +
                " arguments");
    return {};
  }
  std::vector<Binding> frames;
  std::vector<Id> key;
  if (!enter(*d, n, scope, frames, key))
    return {};
  if (const auto at = timesOfCalls.find({d, key}); at != timesOfCalls.end())
    return at->second;
  const SymbolicTimes t = process(*d->body, frames.empty() ? nullptr : &frames.back());
  timesOfCalls[{d, std::move(key)}] = t;
  return t;
}

SymbolicTimes SymbolicEvaluator::process(const Node &n, const Binding *scope) {
  if (trouble)
    return {};
  if (depth >= deepestTime) {
    fail(n, "nested more than " + std::to_string(deepestTime) + " deep");
    return {};
  }
  ++depth;
  SymbolicTimes t;
  switch (n.op) {
  case Op::delay:
  case Op::use:
    t = use(n, scope);
    break;
  case Op::name:
    t = call(n, scope);
    break;
  case Op::sequence:
    t = sequence(n, scope);
    break;
  case Op::parallel:
    t = parallel(n, scope);
    break;
  case Op::seq:
  case Op::par:
    t = loop(n, scope);
    break;
  case Op::any:
    t = any(n, scope);
    break;
  case Op::branch:
  case Op::select:
    t = chosen(n, scope);
    break;
  default:
    fail(n, "a number or a resource where a process is needed");
  }
  --depth;
  return t;
}

} // namespace quincunx::pamela
