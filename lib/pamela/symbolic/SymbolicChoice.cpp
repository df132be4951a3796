// Evaluates if and switch to expressions.
// The idea: what is known to be chosen is taken alone; otherwise the alternatives are put together
// number by number, for demands place by place. Reference: docs/12-pamela.md.
#include "Contention.h"
#include "SymbolicEvaluator.h"

#include "pamela/evaluate/LawCumulants.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <utility>

namespace quincunx::pamela {

namespace {
constexpr double probabilitySlack = 1e-9;
} // namespace

/// Takes for granted that it is 0 or more and at most 1, if that is simply said: what does not hang
/// on it is not computed.
void SymbolicEvaluator::assumeProbability(const Node &n, Id p) {
  const bool known = all.isNumber(p), isLaw = all[p].form == Form::law;
  if (const auto rates = isLaw ? valuesOf(all[p].args) : std::nullopt; rates && !rates->empty())
    if (const Result<Cumulants> k = cumulantsOf(all[p].text, *rates);
        k && !(k->k1 >= 0 && k->k1 <= 1))
      fail(n, exact(k->k1) + " is no probability");
  if (trouble || all.isVector(p) || all.isTruth(p))
    return;
  if (known && !(all.value(p) >= 0 && all.value(p) <= 1 + probabilitySlack))
    fail(n, exact(all.value(p)) + " is no probability");
  if (known)
    return;
  for (const Id e : {p, all.subtract(Algebra::one, p)})
    if (!all[p].random)
      all.assumeNonnegative(e);
    else if (kept && all[p].free == 0)
      all.assume({e, false}); // of its mean
}

/// What decides (see Algebra::apply), and the parts that may be chosen; a part that is known to be
/// chosen alone. Null: nothing.
std::vector<Id> SymbolicEvaluator::choice(const Node &n, const Binding *scope,
                                          std::vector<const Node *> &parts) {
  const auto part = [&](size_t i) { return i < n.args.size() ? n.args[i].get() : nullptr; };
  if (n.op == Op::branch) {
    const bool outer = std::exchange(asRates, true);
    const Id c = number(*n.args[0], scope);
    asRates = outer;
    assumeProbability(*n.args[0], c);
    if (all.isNumber(c) && (all.value(c) == 0 || all.value(c) == 1))
      parts = {part(all.value(c) == 1 ? 1 : 2)};
    else
      parts = {part(1), part(2)};
    return {c};
  }
  const Id selector = n.args[0] ? certain(*n.args[0], scope, "the selector") : Algebra::nothing;
  std::vector<Id> head{selector};
  bool known = n.args[0] && all.isNumber(selector);
  Id total = Algebra::zero; ///< of the probabilities
  const size_t pairs = (n.args.size() - 1) / 2;
  const Node *last = n.args.size() % 2 == 0 ? n.args.back().get() : nullptr;
  for (size_t p = 0; p < pairs; ++p) {
    head.push_back(certain(*n.args[2 * p + 1], scope, "a case"));
    parts.push_back(part(2 * p + 2));
    known = known && all.isNumber(head.back());
    if (n.args[0] || trouble || all.isVector(head.back()))
      continue;
    assumeProbability(*n.args[2 * p + 1], head.back());
    total = all.add(total, head.back());
  }
  assumeProbability(n, total);
  parts.push_back(last);
  for (size_t p = 0; known && p < pairs; ++p)
    if (head[p + 1] == selector)
      last = parts[p], p = pairs;
  if (known)
    parts = {last};
  return head;
}

Id SymbolicEvaluator::chosenNumber(const Node &n, const Binding *scope) {
  std::vector<const Node *> parts;
  const std::vector<Id> head = choice(n, scope, parts);
  std::vector<Id> values;
  for (const Node *p : parts)
    values.push_back(p ? number(*p, scope) : Algebra::zero);
  if (trouble)
    return Algebra::zero;
  return values.size() == 1 ? values[0] : mixed(n, n.op, head, values);
}

Id SymbolicEvaluator::mixed(const Node &n, Op op, const std::vector<Id> &head,
                            const std::vector<Id> &parts) {
  if (std::any_of(parts.begin(), parts.end(), [&](Id p) { return all.isVector(p); }))
    return mixedVectors(n, op, head, parts);
  if (op == Op::branch)
    return all.apply(op, {head[0], parts[0], parts[1]});
  std::vector<Id> args{head[0]};
  for (size_t i = 0; i + 1 < parts.size(); ++i)
    args.push_back(head[i + 1]), args.push_back(parts[i]);
  args.push_back(parts.back());
  return all.apply(op, std::move(args));
}

/// Place by place; what may fall on one place must be known to when it is chance that decides.
Id SymbolicEvaluator::mixedVectors(const Node &n, Op op, const std::vector<Id> &head,
                                   const std::vector<Id> &parts) {
  std::map<std::vector<Id>, std::vector<Id>> places;
  std::vector<std::vector<Id>> order;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!all.isVector(parts[i]))
      continue;
    for (const Id x : all[parts[i]].args) {
      std::vector<Id> key(all[x].args.begin() + 1, all[x].args.end());
      const auto [at, isNew] =
          places.try_emplace(key, std::vector<Id>(parts.size(), Algebra::zero));
      if (isNew)
        order.push_back(key);
      at->second[i] = all[x].args[0];
    }
  }
  std::vector<Id> elements;
  for (const std::vector<Id> &key : order)
    elements.push_back(
        all.element(mixed(n, op, head, places[key]), key[0], key[1], {key.begin() + 2, key.end()}));
  const bool chance = op == Op::branch ? !all.isTruth(head[0]) : head[0] == Algebra::nothing;
  for (size_t i = 0; chance && i < elements.size(); ++i)
    for (size_t k = 0; k <= i; ++k)
      if (k == i ? !onceEach(all, elements[i]) : !neverMeet(all, elements[i], elements[k]))
        return fail(n, "both parts may use one resource, or not, as values say");
  return all.vector(std::move(elements));
}

} // namespace quincunx::pamela
