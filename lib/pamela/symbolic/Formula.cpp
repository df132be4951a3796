// Computes symbolic results at points.
// The idea: results and assumptions are on one tape; a point where an assumption does not hold, or
// that has no finite answer, is evaluated by going through the model, which also finds the error to
// tell. Reference: docs/12-pamela.md, "Symbolic results".
#include "quincunx/pamela/Formula.h"

#include "SymbolicEvaluator.h"
#include "Tape.h"
#include "pamela/algebra/TreeWriter.h"
#include "pamela/evaluate/LawArithmetic.h"
#include "pamela/syntax/Names.h"

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

bool hasReduction(const Algebra &all, Id id, std::unordered_set<Id> &seen) {
  if (id == Algebra::nothing || !seen.insert(id).second)
    return false;
  const Expression &e = all[id];
  return e.form == Form::reduce || e.form == Form::element ||
         std::any_of(e.args.begin(), e.args.end(),
                     [&](Id a) { return hasReduction(all, a, seen); });
}

} // namespace

struct Formula::Impl {
  const Model &model;
  EvaluateOptions options;
  std::vector<std::string> names;
  std::set<std::string> kept;
  std::optional<SymbolicEvaluator> symbolic;
  std::optional<Tape> tape;
  Tree demands;                        ///< a vector
  std::vector<Assumption> assumptions; ///< on the tape behind the three results
  bool isNumber = false;
  size_t fallen = 0;
  std::string remark;

  /// T, phi and omega; none where there is no expression.
  std::optional<std::array<Id, 3>> express(const Definition *d);
  void record(const std::array<Id, 3> &results);
  using PerPoint = std::array<uint64_t, Tape::block>;
  /// Points of the block that was run last at which all assumptions hold.
  PerPoint holds() const;
  /// Reads the results of such a point; false where they are not finite.
  bool read(size_t point, Evaluated &e) const;
  EvaluateOptions optionsAt(std::span<const double> point) const;
};

Formula::Formula(std::unique_ptr<Impl> p) : impl(std::move(p)) {}
Formula::Formula(Formula &&) noexcept = default;
Formula::~Formula() = default;
size_t Formula::pointByPoint() const { return impl->fallen; }
std::string Formula::remark() const { return impl->remark; }

std::optional<std::array<Id, 3>> Formula::Impl::express(const Definition *d) {
  SymbolicEvaluator &s = *symbolic;
  s.stateRanges();
  const Node use{Op::name, 0, options.target, {}, d ? d->at : Place{}, {}};
  const Id number = isNumber ? s.number(use, nullptr) : Algebra::zero;
  const SymbolicTimes t =
      isNumber ? SymbolicTimes{number, number, Algebra::zero} : s.timesOf(*d, use);
  Id omega = Algebra::zero;
  if (!s.trouble && !isNumber)
    omega = s.omega(t.demands);
  if (s.trouble || s.all.isVector(t.T)) {
    remark = s.trouble ? "no expression: " + s.trouble->text : "";
    return std::nullopt;
  }
  if (!isNumber) {
    std::set<std::string> taken;
    for (const Definition &other : model.definitions)
      taken.insert(other.name);
    demands = toTree(s.all, t.demands, taken);
  }
  return std::array{t.T, t.phi, omega};
}

void Formula::Impl::record(const std::array<Id, 3> &results) {
  Algebra &all = symbolic->all;
  tape.emplace(all, model, options, names);
  std::unordered_set<Id> seen;
  for (const Id e : results) {
    tape->want(e);
    if (hasReduction(all, e, seen))
      remark = "not in closed form: time grows with the bounds of what is left";
  }
  assumptions = all.assumptions();
  for (const Assumption &assumption : assumptions)
    tape->want(assumption.e);
  tape->compile();
}

Formula::Impl::PerPoint Formula::Impl::holds() const {
  PerPoint good;
  for (size_t k = 0; k < Tape::block; ++k)
    good[k] = tape && tape->hasValue(k);
  for (size_t i = 0; i < assumptions.size(); ++i) {
    const double *const x = tape->means(3 + i);
    for (size_t k = 0; k < Tape::block; ++k)
      good[k] &= assumptions[i].whole
                     ? std::fabs(x[k] - nearest(x[k])) <= slack * std::max(1.0, std::fabs(x[k]))
                     : x[k] >= -slack;
  }
  return good;
}

bool Formula::Impl::read(size_t point, Evaluated &e) const {
  e.T = tape->result(0, point), e.phi = tape->result(1, point), e.omega = tape->result(2, point);
  e.upper = std::nullopt;
  e.theta = isNumber ? -std::numeric_limits<double>::infinity() : std::log(e.omega.k1 / e.phi.k1);
  e.notes = tape->notes();
  return isFinite(e.T) && isFinite(e.phi) && isFinite(e.omega);
}

EvaluateOptions Formula::Impl::optionsAt(std::span<const double> point) const {
  EvaluateOptions o = options;
  for (size_t i = 0; i < names.size(); ++i)
    o.parameters[names[i]] = point[i];
  return o;
}

Result<Formula> Formula::of(const Model &model, const EvaluateOptions &options,
                            std::vector<std::string> names) {
  auto p = std::make_unique<Impl>(
      Impl{model, options, std::move(names), {}, {}, {}, {}, {}, false, 0, {}});
  p->kept.insert(p->names.begin(), p->names.end());
  for (const std::string &name : p->names)
    p->options.parameters.erase(name);
  const SymbolicEvaluator &s = p->symbolic.emplace(model, p->options.parameters, &p->kept);
  for (const std::string &name : p->names)
    if (!isParameter(s.definition(name)))
      return noParameter(name);
  for (const auto &[name, value] : p->options.parameters)
    if (!isParameter(s.definition(name)))
      return noParameter(name);
  const Definition *d = s.definition(options.target);
  p->isNumber = !d || d->kind == Kind::numeric;
  if (d && (d->kind == Kind::resource || !d->arguments.empty()))
    return Formula(std::move(p)); // evaluate() knows the error
  if (const auto results = p->express(d))
    p->record(*results);
  return Formula(std::move(p));
}

Status Formula::at(std::span<const double> values, std::span<Evaluated> out) {
  Impl &p = *impl;
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
    const Impl::PerPoint holds = p.holds();
    for (size_t k = first; k < first + points; ++k) {
      if (holds[k - first] != 0 && p.read(k - first, out[k]))
        continue;
      ++p.fallen;
      Result<Evaluated> walked = evaluate(p.model, p.optionsAt(values.subspan(k * n, n)));
      if (!walked)
        return walked.error();
      out[k] = std::move(*walked);
    }
  }
  return Done{};
}

Result<std::map<double, Cumulants>> Formula::demandsAt(std::span<const double> point) {
  Impl &p = *impl;
  std::map<double, Cumulants> out;
  Evaluated e;
  const size_t before = p.fallen;
  if (const Status s = at(point, std::span(&e, 1)); !s)
    return s.error();
  if (p.fallen == before && p.demands) {
    const EvaluateOptions options = p.optionsAt(point);
    NumberEvaluator numbers(p.model, options);
    Result<Value> v = numbers.value(*p.demands, nullptr);
    if (!v)
      return v.error();
    return std::map<double, Cumulants>(v->elements.begin(), v->elements.end());
  }
  for (const auto &[index, d] : e.demands)
    if (std::isfinite(d.multiplicity))
      out[index] = scaled(1 / d.multiplicity, d.k);
  return out;
}

} // namespace quincunx::pamela
