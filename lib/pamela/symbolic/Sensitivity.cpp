// Derivatives of the figures of a model.
// The idea: the model as an expression in the one parameter is a function of it also between whole
// numbers; where it has none, or does not hold, the model itself is gone through. What is
// differentiated is also computed by differences: where both do not agree there is a kink or a
// step. Reference: docs/12-pamela.md, "Derivatives".
#include "quincunx/pamela/Sensitivity.h"

#include "quincunx/base/Text.h"
#include "quincunx/pamela/Analyze.h"

#include <cmath>
#include <limits>
#include <map>

namespace quincunx::pamela {

namespace {

constexpr double agreement = 1e-6; ///< of two ways to one derivative, at least
constexpr double mostError = 0.01; ///< of a derivative that is known

/// The model as a function of one parameter.
class ModelFunction {
public:
  ModelFunction(const Model &model, const EvaluateOptions &options, std::string parameter)
      : given(model), asked(options), name(std::move(parameter)) {}

  /// Its value and what the model says there.
  Status start();
  std::optional<Evaluated> at(double x);
  /// The derivative of the mean as an expression says it.
  std::optional<double> differentiated() const;

  double here = 0;
  Evaluated first;
  bool isBound = false;
  std::vector<std::string> notes;

private:
  void express();
  /// Of the closed form.
  std::map<std::string, double> values(double x) const {
    return isUsed ? std::map<std::string, double>{{name, x}} : std::map<std::string, double>{};
  }

  const Model &given;
  EvaluateOptions asked;
  std::string name;
  std::optional<Analyzed> closed; ///< when it holds
  std::string result, slope;      ///< names in it
  bool isUsed = false;            ///< the parameter is
  std::map<double, std::optional<Evaluated>> known;
};

Status ModelFunction::start() {
  EvaluateOptions itself = asked;
  itself.target = name;
  const Result<Evaluated> value = evaluate(given, itself);
  if (!value)
    return value.error();
  if (value->T.k2 != 0 || !std::isfinite(value->T.k1))
    return Error{"'" + escape(name) + "' is no constant: there is no derivative in it"};
  here = value->T.k1;
  asked.parameters[name] = here;
  Result<Evaluated> e = evaluate(given, asked);
  if (!e)
    return e.error();
  first = std::move(*e);
  isBound = !first.isTime();
  express();
  return Done{};
}

/// The closed form is taken where it has the values of the model.
void ModelFunction::express() {
  AnalyzeOptions options{asked.target, asked.parameters, {name}, false, {name}};
  options.parameters.erase(name);
  Result<Analyzed> a = analyze(given, options);
  if (!a) {
    notes.push_back("no expression: " + a.error().text + "; by differences of the model");
    return;
  }
  for (const Definition &d : a->model.definitions) {
    isUsed = isUsed || d.name == name;
    if (d.parameter)
      continue;
    if (result.empty())
      result = d.name;
    if (d.name == "d" + result + "_d" + name)
      slope = d.name;
  }
  closed = std::move(*a);
  const std::optional<Evaluated> e = at(here);
  const auto differs = [](double x, double y) {
    return !(std::fabs(x - y) <= 1e-9 * std::max(1.0, std::fabs(y)));
  };
  if (!e || differs(e->T.k1, first.T.k1) || differs(e->T.k2, first.T.k2)) {
    notes.emplace_back("what the closed form takes for granted does not hold here; by differences "
                       "of the model");
    closed.reset(), slope.clear(), known.clear();
    return;
  }
  for (const std::string &text : closed->assumptions)
    if (text.ends_with(" whole"))
      notes.push_back("the model says nothing between whole numbers (" + text +
                      "): derivatives are of its closed form");
}

std::optional<Evaluated> ModelFunction::at(double x) {
  const auto [found, isNew] = known.try_emplace(x);
  if (!isNew)
    return found->second;
  EvaluateOptions o = asked;
  o.parameters[name] = x;
  if (closed)
    o.target = result, o.parameters = values(x);
  Result<Evaluated> e = evaluate(closed ? closed->model : given, o);
  if (!e)
    return std::nullopt;
  if (closed) { // which is a number; whether it is the time, the model has said
    e->upper.reset();
    e->omega.k1 = isBound ? 1 : 0;
  }
  return found->second = std::move(*e);
}

std::optional<double> ModelFunction::differentiated() const {
  if (slope.empty())
    return std::nullopt;
  EvaluateOptions o;
  o.target = slope, o.parameters = values(here);
  const Result<Evaluated> e = evaluate(closed->model, o);
  return e ? std::optional(e->T.k1) : std::nullopt;
}

FigureSlope figureSlope(ModelFunction &f, const Figure &figure) {
  FigureSlope out{figure.name, figure.of(f.first), {}, false};
  out.slope = slopeAt(
      [&](double x) -> std::optional<double> {
        const std::optional<Evaluated> e = f.at(x);
        return e ? std::optional(figure.of(*e)) : std::nullopt;
      },
      f.here);
  const std::optional<double> d = figure.name == "mean" ? f.differentiated() : std::nullopt;
  if (d && out.isOne() &&
      std::fabs(*d - out.slope.value) <= 10 * out.slope.error + agreement * std::fabs(*d))
    out.slope.value = *d, out.slope.error = 0, out.isExact = true;
  return out;
}

} // namespace

bool FigureSlope::isOne() const {
  const bool is = slope.kind == Slope::Kind::smooth || slope.kind == Slope::Kind::above ||
                  slope.kind == Slope::Kind::below;
  return is && (slope.error <= mostError * std::fabs(slope.value) ||
                slope.error <= agreement * std::fabs(value));
}

double elasticity(double slope, double at, double value) {
  return at == 0 || value == 0 ? std::numeric_limits<double>::quiet_NaN() : slope * at / value;
}

Result<Sensitivity> sensitivityOf(const Model &model, const EvaluateOptions &options,
                                  const std::string &parameter, std::span<const Figure> figures) {
  ModelFunction f(model, options, parameter);
  if (const Status s = f.start(); !s)
    return s.error();
  Sensitivity out{parameter, f.here, f.isBound, {}, std::move(f.notes)};
  for (const Figure &figure : figures)
    if (f.first.T.k2 != 0 || figure.name == "mean")
      out.figures.push_back(figureSlope(f, figure));
  return out;
}

} // namespace quincunx::pamela
