// Symbolic results as models of numbers.
// The idea: the parameters that were met, with the values they have in the model, and what the
// target costs in terms of them. Reference: docs/12-pamela.md, "Symbolic results".
#include "quincunx/pamela/Analyze.h"

#include "SymbolicEvaluator.h"
#include "pamela/algebra/Assumptions.h"
#include "pamela/algebra/TreeWriter.h"
#include "pamela/syntax/ErrorAt.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

namespace {

bool isParameter(const Definition *d) {
  return d && d->kind == Kind::numeric && d->arguments.empty();
}

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

} // namespace

Result<Analyzed> analyze(const Model &model, const AnalyzeOptions &options) {
  SymbolicEvaluator s(model, options.parameters);
  for (const auto &[name, value] : options.parameters)
    if (!isParameter(s.definition(name)))
      return Error{"the model has no parameter '" + escape(name) + "'"};
  const Definition *d = s.definition(options.target);
  if (!d || d->kind == Kind::resource)
    return Error{"no process and no number is called '" + escape(options.target) + "'"};
  if (!d->arguments.empty())
    return Error{"'" + escape(d->name) + "' takes arguments; define a process that passes them"};
  const Node use{Op::name, 0, d->name, {}, d->at, {}};
  std::vector<std::pair<std::string, Id>> results;
  if (d->kind == Kind::numeric && d->body) {
    results.emplace_back(d->name, s.number(*d->body, nullptr));
  } else if (d->kind == Kind::process) {
    const SymbolicTimes t = s.timesOf(*d, use);
    results = {{"T_" + d->name, t.T}, {"phi_" + d->name, t.phi}, {"delta_" + d->name, t.demands}};
    const Id omega = s.trouble ? Algebra::zero : s.omega(t.demands);
    results.emplace_back("omega_" + d->name, omega);
    if (omega != Algebra::zero && t.phi != Algebra::zero && !s.all[omega].random &&
        !s.all[t.phi].random)
      results.emplace_back("theta_" + d->name, s.all.call("log", {s.all.divide(omega, t.phi)}));
  }
  if (s.trouble)
    return *s.trouble;
  const auto none = [&](const Definition &of, const std::string &name) {
    return errorAt(model, of.at, "'" + escape(name) + "' has no value: inf - inf or 0 * inf");
  };
  std::unordered_set<Id> found;
  for (const auto &[name, id] : results)
    if (hasNone(s.all, id, found))
      return none(*d, name);
  Analyzed out;
  out.model.files = {model.files[0]};
  std::set<std::string> names;
  for (const Definition *p : s.parameters()) {
    names.insert(p->name);
    out.model.definitions.push_back({Kind::numeric, true, p->name, {}, nullptr, {}});
  }
  for (const auto &[name, id] : results)
    names.insert(name);
  std::unordered_set<Id> seen;
  const auto parameters = s.parameters();
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i]->body) {
      const Id value = s.number(*parameters[i]->body, nullptr);
      if (hasNone(s.all, value, found))
        return none(*parameters[i], parameters[i]->name);
      out.model.definitions[i].body = toTree(s.all, value, names);
    }
  for (const auto &[name, id] : results) {
    if (!s.all.isVector(id))
      out.closed = isClosed(s.all, id, seen) && out.closed;
    out.model.definitions.push_back({Kind::numeric, false, name, {}, toTree(s.all, id, names), {}});
  }
  out.assumptions = describeAssumptions(s.all, names);
  return out;
}

} // namespace quincunx::pamela
