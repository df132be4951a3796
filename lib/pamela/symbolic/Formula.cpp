// Symbolic results at points.
// The idea: results and assumptions are on one tape; a point where an assumption does not hold, or
// that has no finite answer, is evaluated by going through the model, which also finds the error to
// tell. Reference: docs/12-pamela.md, "Symbolic results".
#include "quincunx/pamela/Formula.h"

#include "SymbolicEvaluator.h"
#include "Tape.h"
#include "pamela/algebra/TreeWriter.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace quincunx::pamela {

namespace {

constexpr double slack = 1e-9; ///< of assumptions, for rounding

/// The nearest whole number, without a call: adding this leaves no digits behind the point.
/// Above 2^51 it is off by less than the slack.
double nearest(double x) {
  constexpr double big = 6755399441055744.0; // 1.5 * 2^52
  return x + big - big;
}

bool isFinite(const Cumulants &k) {
  return std::isfinite(k.k1) && std::isfinite(k.k2) && std::isfinite(k.k3) && std::isfinite(k.k4);
}

bool hasReduction(const Algebra &all, Id id, std::unordered_set<Id> &seen) {
  if (id == Algebra::nothing || !seen.insert(id).second)
    return false;
  const Expression &e = all[id];
  return e.form == Form::reduce || e.form == Form::element ||
         std::any_of(e.args.begin(), e.args.end(),
                     [&](Id a) { return hasReduction(all, a, seen); });
}

} // namespace

struct Formula::Parts {
  const Model &model;
  EvaluateOptions options;
  std::vector<std::string> names;
  std::set<std::string> kept;
  std::optional<SymbolicEvaluator> symbolic;
  std::optional<Tape> tape;
  Tree demands;                        ///< a vector
  std::vector<Assumption> assumptions; ///< on the tape behind the four results
  bool isNumber = false;
  size_t fallen = 0;
  std::string remark;
};

Formula::Formula(std::unique_ptr<Parts> p) : parts(std::move(p)) {}
Formula::Formula(Formula &&) noexcept = default;
Formula::~Formula() = default;
size_t Formula::pointByPoint() const { return parts->fallen; }
std::string Formula::remark() const { return parts->remark; }

Result<Formula> Formula::of(const Model &model, const EvaluateOptions &options,
                            std::vector<std::string> names) {
  auto p = std::make_unique<Parts>(
      Parts{model, options, std::move(names), {}, {}, {}, {}, {}, false, 0, {}});
  p->kept.insert(p->names.begin(), p->names.end());
  for (const std::string &name : p->names)
    p->options.parameters.erase(name);
  SymbolicEvaluator &s = p->symbolic.emplace(model, p->options.parameters, &p->kept);
  const auto isParameter = [&](const std::string &name) {
    const Definition *d = s.definition(name);
    return d && d->kind == Kind::numeric && d->arguments.empty();
  };
  for (const std::string &name : p->names)
    if (!isParameter(name))
      return Error{"the model has no parameter '" + escape(name) + "'"};
  for (const auto &[name, value] : p->options.parameters)
    if (!isParameter(name))
      return Error{"the model has no parameter '" + escape(name) + "'"};
  const Definition *d = s.definition(options.target);
  const Node use{Op::name, 0, options.target, {}, d ? d->at : Place{}, {}};
  p->isNumber = !d || d->kind == Kind::numeric;
  if (d && (d->kind == Kind::resource || !d->arguments.empty()))
    return Formula(std::move(p)); // evaluate() knows the error
  const Id number = p->isNumber ? s.number(use, nullptr) : Algebra::zero;
  const SymbolicTimes t =
      p->isNumber ? SymbolicTimes{number, number, Algebra::zero} : s.timesOf(*d, use);
  Id omega = Algebra::zero, worst = t.T;
  if (!s.trouble && !p->isNumber)
    omega = s.omega(t.demands), worst = s.worst(t.T, t.demands);
  if (s.trouble || s.all.isVector(t.T)) {
    p->remark = s.trouble ? "no expression: " + s.trouble->text : "";
    return Formula(std::move(p));
  }
  Tape &tape = p->tape.emplace(s.all, model, p->options, p->names);
  std::unordered_set<Id> seen;
  for (const Id e : {t.T, worst, t.phi, omega}) {
    tape.want(e);
    if (hasReduction(s.all, e, seen))
      p->remark = "not in closed form: time grows with the bounds of what is left";
  }
  if (!p->isNumber) {
    std::set<std::string> taken;
    for (const Definition &other : model.definitions)
      taken.insert(other.name);
    p->demands = toTree(s.all, t.demands, taken);
  }
  p->assumptions = s.all.assumptions();
  for (const Assumption &assumption : p->assumptions)
    tape.want(assumption.e);
  tape.compile();
  return Formula(std::move(p));
}

Status Formula::at(std::span<const double> values, std::span<Evaluated> out) {
  Parts &p = *parts;
  const size_t n = p.names.size();
  std::vector<std::vector<double>> columns(n, std::vector<double>(Tape::block, 0));
  std::vector<const double *> inputs;
  for (const std::vector<double> &c : columns)
    inputs.push_back(c.data());
  for (size_t first = 0; first < out.size(); first += Tape::block) {
    const size_t points = std::min(Tape::block, out.size() - first);
    for (size_t i = 0; i < n; ++i)
      for (size_t k = 0; k < Tape::block; ++k)
        columns[i][k] = values[(first + std::min(k, points - 1)) * n + i];
    if (p.tape)
      p.tape->run(inputs, points);
    std::array<uint64_t, Tape::block> holds;
    holds.fill(p.tape.has_value());
    for (size_t i = 0; i < p.assumptions.size(); ++i) {
      const double *const x = p.tape->means(4 + i);
      for (size_t k = 0; k < Tape::block; ++k)
        holds[k] &= p.assumptions[i].whole
                        ? std::fabs(x[k] - nearest(x[k])) <= slack * std::max(1.0, std::fabs(x[k]))
                        : x[k] >= -slack;
    }
    for (size_t k = 0; k < points; ++k) {
      Evaluated &e = out[first + k];
      bool good = holds[k] != 0;
      if (good) {
        e.T = p.tape->result(0, k), e.upper = p.tape->result(1, k);
        e.phi = p.tape->result(2, k), e.omega = p.tape->result(3, k);
        e.theta =
            p.isNumber ? -std::numeric_limits<double>::infinity() : std::log(e.omega.k1 / e.phi.k1);
        good = isFinite(e.T) && isFinite(e.phi) && isFinite(e.omega) && isFinite(e.upper);
        e.notes = p.tape->notes();
      }
      if (good)
        continue;
      ++p.fallen;
      EvaluateOptions options = p.options;
      for (size_t i = 0; i < n; ++i)
        options.parameters[p.names[i]] = columns[i][k];
      Result<Evaluated> walked = evaluate(p.model, options);
      if (!walked)
        return walked.error();
      e = std::move(*walked);
    }
  }
  return Done{};
}

Result<std::map<double, Cumulants>> Formula::demandsAt(std::span<const double> point) {
  Parts &p = *parts;
  std::map<double, Cumulants> out;
  EvaluateOptions options = p.options;
  for (size_t i = 0; i < p.names.size(); ++i)
    options.parameters[p.names[i]] = point[i];
  Evaluated e;
  const size_t before = p.fallen;
  if (const Status s = at(point, std::span(&e, 1)); !s)
    return s.error();
  if (p.fallen == before && p.demands) {
    NumberEvaluator numbers(p.model, options);
    Result<Value> v = numbers.value(*p.demands, nullptr);
    if (!v)
      return v.error();
    return std::move(v->elements);
  }
  for (const auto &[index, d] : e.demands)
    if (std::isfinite(d.multiplicity))
      out[index] = scaled(1 / d.multiplicity, d.k);
  return out;
}

} // namespace quincunx::pamela
