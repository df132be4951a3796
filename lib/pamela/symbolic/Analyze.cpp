// Symbolic results as models of numbers.
// The idea: the parameters that were met, with the values they have in the model, and what the
// target costs in terms of them. Reference: docs/12-pamela.md, "Symbolic results".
#include "quincunx/pamela/Analyze.h"

#include "SymbolicEvaluator.h"
#include "pamela/algebra/Assumptions.h"
#include "pamela/algebra/Derivative.h"
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

/// Puts means in place of random results.
void takeMeans(Algebra &all, Results &results, std::vector<std::string> &missing) {
  Results means;
  for (const auto &[name, id] : results)
    if (const std::optional<Id> mean = meanOf(all, id))
      means.emplace_back(name, *mean);
    else
      missing.push_back(name);
  results = std::move(means);
}

/// dT_main_dn and elasticity_T_main_n of `of`, T_main, with this mean.
void addDerivative(Algebra &all, const std::string &parameter, const std::string &of,
                   std::optional<Id> mean, Results &results, Analyzed &out) {
  const std::string name = "d" + of + "_d" + parameter;
  const Id x = all.parameter(parameter, false);
  const std::optional<Derivative> d = mean ? derivative(all, *mean, x) : std::nullopt;
  if (!d) {
    out.missing.push_back(name);
    return;
  }
  out.piecewise = out.piecewise || d->isPiecewise;
  results.emplace_back(name, d->e);
  if (*mean != Algebra::zero)
    results.emplace_back("elasticity_" + of + "_" + parameter,
                         all.divide(all.multiply(x, d->e), *mean));
}

/// What was asked for besides.
Status addAsked(SymbolicEvaluator &s, const AnalyzeOptions &options, Results &results,
                Analyzed &out) {
  for (const std::string &p : options.derivatives) {
    const Definition *d = s.definition(p);
    if (!isParameter(d) || options.parameters.contains(p) ||
        (!d->parameter && options.only.empty()))
      return Error{"a derivative in '" + escape(p) + "' needs it as a symbol: " +
                   (isParameter(d) && d->parameter ? "it has a value here"
                                                   : "it is no parameter of the model")};
  }
  const auto [name, id] = results.empty() ? Results::value_type{} : results[0];
  const std::optional<Id> mean = s.all.isVector(id) ? std::nullopt : meanOf(s.all, id);
  if (options.means)
    takeMeans(s.all, results, out.missing);
  for (const std::string &p : options.derivatives)
    addDerivative(s.all, p, name, mean, results, out);
  return Done{};
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
  const std::set<std::string> kept(options.only.begin(), options.only.end());
  SymbolicEvaluator s(model, options.parameters, kept.empty() ? nullptr : &kept);
  for (const auto &[name, value] : options.parameters)
    if (!isParameter(s.definition(name)))
      return noParameter(name);
  const Definition *d = s.definition(options.target);
  if (!d || d->kind == Kind::resource)
    return Error{"no process and no number is called '" + escape(options.target) + "'"};
  if (!d->arguments.empty())
    return takesArguments(*d);
  s.stateRanges();
  Results results = resultsOf(s, *d);
  if (s.trouble)
    return *s.trouble;
  Analyzed out;
  if (const Status ok = addAsked(s, options, results, out); !ok)
    return ok.error();
  std::unordered_set<Id> found, seen;
  std::set<std::string> names;
  for (const auto &[name, id] : results) {
    if (hasNone(s.all, id, found))
      return noValue(model, *d, name);
    names.insert(name);
  }
  for (const Definition *p : s.parameters())
    names.insert(p->name);
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
