// Symbolic results as models of numbers.
// The idea: the parameters that were met, with the values they have in the model, and what the
// target costs in terms of them. Reference: docs/12-pamela.md, "Symbolic results".
#include "quincunx/pamela/Analyze.h"

#include "SymbolicEvaluator.h"
#include "pamela/algebra/Assumptions.h"
#include "pamela/algebra/TreeWriter.h"
#include "pamela/syntax/ErrorAt.h"
#include "pamela/syntax/Names.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

namespace {

bool isClosed(const Algebra &all, Id id, std::unordered_set<Id> &seen) {
  if (id == Algebra::nothing || !seen.insert(id).second)
    return true;
  const Expression &e = all[id];
  if (e.form == Form::reduce || (e.form == Form::element && e.args.size() > 3))
    return false;
  for (const Id a : e.args)
    if (!isClosed(all, a, seen))
      return false;
  return true;
}

/// Has it a number that is none, as of inf - inf or 0 * inf?
bool hasNone(const Algebra &all, Id id, std::unordered_set<Id> &seen) {
  if (id == Algebra::nothing || !seen.insert(id).second)
    return false;
  const Expression &e = all[id];
  const auto isNone = [](const Coefficient &x) { return std::isnan(x.value()); };
  return isNone(e.value) || std::any_of(e.weights.begin(), e.weights.end(), isNone) ||
         std::any_of(e.args.begin(), e.args.end(), [&](Id a) { return hasNone(all, a, seen); });
}

Error noValue(const Model &model, const Definition &d, const std::string &name) {
  return errorAt(model, d.at, "'" + escape(name) + "' has no value: inf - inf or 0 * inf");
}

using Results = std::vector<std::pair<std::string, Id>>;

/// What the target costs, and by which names.
Results resultsOf(SymbolicEvaluator &s, const Definition &d) {
  if (d.kind == Kind::numeric)
    return d.body ? Results{{d.name, s.number(*d.body, nullptr)}} : Results{};
  const Node use{Op::name, 0, d.name, {}, d.at, {}};
  const SymbolicTimes t = s.timesOf(d, use);
  Results results{{"T_" + d.name, t.T}, {"phi_" + d.name, t.phi}, {"delta_" + d.name, t.demands}};
  const Id omega = s.trouble ? Algebra::zero : s.omega(t.demands);
  results.emplace_back("omega_" + d.name, omega);
  if (omega != Algebra::zero && t.phi != Algebra::zero && !s.all[omega].random &&
      !s.all[t.phi].random)
    results.emplace_back("theta_" + d.name, s.all.call("log", {s.all.divide(omega, t.phi)}));
  return results;
}

/// Adds the parameters that were met, with the values they have in the model. `taken`: names that
/// indices must not hide; `seen`: expressions without a number that is none.
Status addParameters(SymbolicEvaluator &s, const Model &model, const std::set<std::string> &taken,
                     std::unordered_set<Id> &seen, Model &out) {
  const auto bound = [&](const Tree &t) {
    return t ? toTree(s.all, s.number(*t, nullptr), taken) : nullptr;
  };
  for (size_t known = 0; known != s.parameters().size();) { // bounds may name others
    known = s.parameters().size();
    for (const Definition *p : s.parameters())
      bound(p->least), bound(p->most);
  }
  for (const Definition *p : s.parameters()) {
    out.definitions.push_back({Kind::numeric, true, p->name, {}, nullptr, {}});
    out.definitions.back().least = bound(p->least);
    out.definitions.back().most = bound(p->most);
    if (!p->body)
      continue;
    const Id value = s.number(*p->body, nullptr);
    if (hasNone(s.all, value, seen))
      return noValue(model, *p, p->name);
    out.definitions.back().body = toTree(s.all, value, taken);
  }
  return Done{};
}

} // namespace

Result<Analyzed> analyze(const Model &model, const AnalyzeOptions &options) {
  SymbolicEvaluator s(model, options.parameters);
  for (const auto &[name, value] : options.parameters)
    if (!isParameter(s.definition(name)))
      return noParameter(name);
  const Definition *d = s.definition(options.target);
  if (!d || d->kind == Kind::resource)
    return Error{"no process and no number is called '" + escape(options.target) + "'"};
  if (!d->arguments.empty())
    return takesArguments(*d);
  s.stateRanges();
  const Results results = resultsOf(s, *d);
  if (s.trouble)
    return *s.trouble;
  std::unordered_set<Id> found, seen;
  std::set<std::string> names;
  for (const auto &[name, id] : results) {
    if (hasNone(s.all, id, found))
      return noValue(model, *d, name);
    names.insert(name);
  }
  for (const Definition *p : s.parameters())
    names.insert(p->name);
  Analyzed out;
  out.model.files = {model.files[0]};
  if (const Status ok = addParameters(s, model, names, found, out.model); !ok)
    return ok.error();
  for (const auto &[name, id] : results) {
    if (!s.all.isVector(id))
      out.closed = isClosed(s.all, id, seen) && out.closed;
    out.model.definitions.push_back({Kind::numeric, false, name, {}, toTree(s.all, id, names), {}});
  }
  out.assumptions = describeAssumptions(s.all, names);
  return out;
}

} // namespace quincunx::pamela
