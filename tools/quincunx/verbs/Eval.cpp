// quincunx eval: what a model says for values of its parameters, as expressions in them, and for
// which it says enough. Here are only the options; the model is lib/pamela's, the text
// lib/report's.
#include "Verbs.h"
#include "arguments/ModelFile.h"
#include "arguments/ModelPoints.h"
#include "arguments/ParameterSearch.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include "quincunx/base/Text.h"
#include "quincunx/pamela/Analyze.h"
#include "quincunx/report/Eval.h"
#include "quincunx/report/FormulaCode.h"
#include "quincunx/report/JsonText.h"
#include "quincunx/report/Sensitivity.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct EvalArguments {
  std::string file;
  pamela::EvaluateOptions evaluate;
  std::vector<std::string> define, sweep, derivatives;
  std::vector<std::string> targets{"main"};
  std::string condition, parameter, language;
  bool largest = false, simulate = false;
  bool symbolic = false, plot = false, json = false, tsv = false;
};

/// Demands are listed for so many points, and so many are simulated.
constexpr size_t fewPoints = 100;
/// Values that are tried when no range is given.
constexpr const char *triedValues = "=1..100000";

/// `options` with the values of a point.
pamela::EvaluateOptions optionsAt(pamela::EvaluateOptions options,
                                  const std::vector<std::string> &names,
                                  std::span<const double> point) {
  for (size_t i = 0; i < names.size(); ++i)
    options.parameters[names[i]] = point[i];
  return options;
}

/// Adds all points of one target.
Status evaluateTarget(const pamela::Model &model, const EvalArguments &options,
                      const std::vector<std::string> &names, const std::vector<double> &values,
                      EvaluatedModel &to) {
  const size_t n = names.size(), count = n == 0 ? 1 : values.size() / n;
  const pamela::EvaluateOptions &asked = options.evaluate;
  Result<ModelPoints> points = ModelPoints::of(model, asked, names, count * options.targets.size());
  if (!points)
    return points.error();
  std::vector<pamela::Evaluated> results(count);
  if (const Status s = points->at(values, results); !s)
    return s;
  if (const std::string remark = points->formula().remark(); !remark.empty())
    to.remarks.push_back(remark);
  for (size_t p = 0; p < count; ++p) {
    EvaluatedPoint point{asked.target, {}, std::move(results[p]), {}, {}};
    const std::span<const double> place = std::span(values).subspan(p * n, n);
    for (size_t i = 0; i < n; ++i)
      point.parameters.emplace_back(names[i], place[i]);
    if (options.json && count <= fewPoints)
      if (Result<std::map<double, Cumulants>> demands = points->formula().demandsAt(place))
        point.demands = std::move(*demands);
    if (options.simulate) {
      pamela::SimulateOptions play;
      play.target = asked.target, play.parameters = optionsAt(asked, names, place).parameters;
      Result<pamela::Simulated> drawn = pamela::simulate(model, play);
      if (!drawn)
        return drawn.error();
      point.simulated = std::move(*drawn);
    }
    if (n == 0)
      point.parameters.assign(asked.parameters.begin(), asked.parameters.end());
    to.points.push_back(std::move(point));
  }
  return Done{};
}

Result<EvaluatedModel> evaluateAll(const pamela::Model &model, EvalArguments options,
                                   const std::vector<Sweep> &sweeps,
                                   const std::vector<double> &values) {
  std::vector<std::string> names;
  for (const Sweep &s : sweeps)
    names.push_back(s.name);
  EvaluatedModel m{options.file, options.targets, {}, {}};
  for (const std::string &target : options.targets) {
    options.evaluate.target = target;
    if (const Status s = evaluateTarget(model, options, names, values, m); !s)
      return s.error();
  }
  // All targets of a point stand together.
  const size_t targets = options.targets.size(), count = m.points.size() / targets;
  std::vector<EvaluatedPoint> inTurn;
  for (size_t p = 0; p < count; ++p)
    for (size_t t = 0; t < targets; ++t)
      inTurn.push_back(std::move(m.points[t * count + p]));
  m.points = std::move(inTurn);
  return m;
}

int runAnalysis(const pamela::Model &model, const EvalArguments &options) {
  const bool isCode = options.language == "c" || options.language == "python";
  const Result<pamela::Analyzed> a = pamela::analyze(
      model,
      {options.evaluate.target, options.evaluate.parameters, {}, isCode, options.derivatives});
  if (!a)
    return failInModel(a.error());
  for (const std::string &name : a->missing)
    if (!isCode || name.starts_with("T_") || name == options.evaluate.target ||
        !options.derivatives.empty())
      return fail(Error{escape(name) + " has no expression: " +
                        (isCode ? "the mean of the largest of random times is none; --as latex "
                                  "writes it with its laws"
                                : "without --symbolic, --derivative computes it")});
  if (!options.language.empty()) {
    const Result<std::string> code = options.language == "c"        ? formulaAsC(*a)
                                     : options.language == "python" ? formulaAsPython(*a)
                                                                    : formulaAsLatex(*a);
    if (!code)
      return fail(code.error());
    std::cout << *code;
  } else if (!options.json)
    printAnalyzed(*a, std::cout);
  else if (const Status s = printAnalyzedJson(options.file, options.evaluate.target, *a, std::cout);
           !s)
    return fail(s.error());
  return ok;
}

int runDerivatives(const pamela::Model &model, const EvalArguments &options) {
  std::vector<pamela::Sensitivity> all;
  for (const std::string &name : options.derivatives) {
    Result<pamela::Sensitivity> s = sensitivityOf(model, options.evaluate, name);
    if (!s)
      return failInModel(s.error());
    all.push_back(std::move(*s));
  }
  const std::string &target = options.evaluate.target;
  if (!options.json)
    printSensitivities(target, all, readersDisplay(), std::cout);
  else if (const Status s = printSensitivitiesJson(options.file, target, all, std::cout); !s)
    return fail(s.error());
  return ok;
}

int runSolve(const pamela::Model &model, const EvalArguments &options) {
  const Result<Condition> condition = parseCondition(options.condition);
  const bool ranged = options.parameter.find('=') != std::string::npos;
  const Result<std::vector<Sweep>> sweeps =
      parseSweeps(options.parameter + (ranged ? "" : triedValues), "--for");
  if (!condition || !sweeps || sweeps->size() != 1)
    return failUsage(!condition ? condition.error()
                     : !sweeps  ? sweeps.error()
                                : Error{"--for takes one parameter"});
  const Sweep *const sweep = &sweeps->front();
  const Result<Solution> s = solve(model, options.evaluate, *condition, *sweep, options.largest);
  if (!s)
    return failInModel(s.error());
  const std::string what = escape(condition->figure) + " of " + escape(condition->target);
  const char *const side = condition->below ? "upper" : "lower";
  if (options.json) {
    nlohmann::ordered_json j{{"schema", schemaOf("solve")},
                             {"model", options.file},
                             {"condition", options.condition},
                             {"parameter", sweep->name}};
    j["value"] = s->value ? nlohmann::ordered_json(*s->value) : nlohmann::ordered_json(nullptr);
    j["figure"] = s->figure;
    j["bound"] = s->isBound ? nlohmann::ordered_json(side) : nlohmann::ordered_json(nullptr);
    std::cout << jsonText(j) << "\n";
  } else if (s->value) {
    std::cout << escape(sweep->name) << " = " << exact(*s->value) << ": " << what << " is "
              << exact(s->figure) << "\n";
    if (s->isBound)
      std::cout
          << "note: that is the " << side
          << " bound, as one may wait for resources: the condition holds wherever the time is\n";
  }
  if (s->value)
    return ok;
  const auto [least, most] = std::minmax_element(sweep->values.begin(), sweep->values.end());
  return fail(Error{"no " + escape(sweep->name) + " from " + exact(*least) + " to " + exact(*most) +
                    " will do: the " + (condition->below ? "least " : "largest ") + what + " is " +
                    exact(s->figure) + ", at " + exact(s->best) +
                    (s->isBound ? std::string(" (the ") + side + " bound)" : "")});
}

int runValues(const pamela::Model &model, const EvalArguments &options,
              const std::vector<Sweep> &sweeps, const std::vector<double> &values) {
  const Result<EvaluatedModel> m = evaluateAll(model, options, sweeps, values);
  if (!m)
    return failInModel(m.error());
  Status s = Done{};
  if (options.json)
    s = printEvaluatedJson(*m, std::cout);
  else if (options.tsv)
    printEvaluatedTsv(*m, std::cout);
  else if (options.plot)
    plotEvaluated(*m, readersDisplay(), std::cout);
  else
    printEvaluated(*m, readersDisplay(), std::cout);
  return s ? ok : fail(s.error());
}

/// All of --sweep, in their order.
Result<std::vector<Sweep>> sweepsOf(const std::vector<std::string> &texts) {
  std::vector<Sweep> sweeps;
  for (const std::string &text : texts) {
    const Result<std::vector<Sweep>> more = parseSweeps(text, "--sweep");
    if (!more)
      return more.error();
    sweeps.insert(sweeps.end(), more->begin(), more->end());
  }
  return sweeps;
}

int runEval(EvalArguments &options) {
  Result<std::map<std::string, double>> parameters = parseDefines(options.define);
  if (!parameters)
    return failUsage(parameters.error());
  options.evaluate.parameters = std::move(*parameters);
  const Result<std::vector<Sweep>> sweeps = sweepsOf(options.sweep);
  const Result<std::vector<double>> values = sweeps ? pointsOf(*sweeps) : sweeps.error();
  if (!values)
    return failUsage(values.error());
  const size_t points = sweeps->empty() ? 1 : values->size() / sweeps->size();
  if (options.targets.size() > 1 &&
      (options.symbolic || !options.condition.empty() || !options.derivatives.empty()))
    return failUsage(Error{"several --target are evaluated, not solved or expressed: give one"});
  if (options.simulate && points > fewPoints)
    return failUsage(Error{"--simulate takes up to " + std::to_string(fewPoints) + " points"});
  options.evaluate.target = options.targets.front();
  const Result<pamela::Model> model = readModel(options.file);
  if (!model)
    return failInModel(model.error());
  writeInLargePieces();
  const int status = options.symbolic               ? runAnalysis(*model, options)
                     : !options.condition.empty()   ? runSolve(*model, options)
                     : !options.derivatives.empty() ? runDerivatives(*model, options)
                                                    : runValues(*model, options, *sweeps, *values);
  return finishOutput("the answer", status);
}

/// Options that exclude each other: what is asked, and how the answer is written.
void addQuestions(CLI::App &verb, EvalArguments &options, CLI::Option *sweep) {
  CLI::Option *symbolic =
      verb.add_flag("--symbolic", options.symbolic,
                    "The results as expressions in the parameters, a model again")
          ->excludes(sweep);
  CLI::Option *solve =
      verb.add_option("--solve", options.condition,
                      "Find the smallest value of the parameter --for that does it")
          ->type_name("'TARGET[.FIGURE] <= NUMBER'")
          ->excludes(sweep)
          ->excludes(symbolic);
  CLI::Option *parameter =
      verb.add_option("--for", options.parameter,
                      "What to find, and among which values (default: 1..100000)")
          ->type_name("NAME[=VALUES]")
          ->needs(solve);
  solve->needs(parameter);
  verb.add_flag("--largest", options.largest, "Find the largest value with --solve")->needs(solve);
  CLI::Option *derivative =
      verb.add_option("--derivative", options.derivatives,
                      "How mean and percentiles change with a parameter, and by how many percent "
                      "with one percent of it; may be repeated")
          ->type_name("NAME")
          ->allow_extra_args(false)
          ->excludes(sweep)
          ->excludes(solve);
  CLI::Option *simulate =
      verb.add_flag(
              "--simulate", options.simulate,
              "Simulate, too: its mean and percentiles with standard errors beside the bounds")
          ->excludes(symbolic)
          ->excludes(derivative)
          ->excludes(solve);
  CLI::Option *as = verb.add_option("--as", options.language,
                                    "Write the expressions of --symbolic as functions or equations")
                        ->type_name("c|python|latex")
                        ->check(CLI::IsMember({"c", "python", "latex"}).description(""))
                        ->needs(symbolic);
  CLI::Option *json =
      verb.add_flag("--json", options.json, "Everything, for programs")->excludes(as);
  CLI::Option *tsv = verb.add_flag("--tsv", options.tsv, "A line per point, fields between tabs")
                         ->excludes(json)
                         ->excludes(symbolic)
                         ->excludes(derivative)
                         ->excludes(solve);
  verb.add_flag("--plot", options.plot,
                "A bar for each point: the mean, and on to p99 or to its upper bound")
      ->excludes(simulate)
      ->excludes(json)
      ->excludes(tsv)
      ->excludes(symbolic)
      ->excludes(derivative)
      ->excludes(solve);
}

} // namespace

void addEval(CLI::App &app, int &status) {
  auto options = std::make_shared<EvalArguments>();
  CLI::App *verb = app.add_subcommand("eval", "Evaluate a PAMELA+ model");
  verb->footer("Examples:\n"
               "  quincunx eval mrm.pam -D P=100 -D N=1000\n"
               "  quincunx eval mrm.pam -D N=1000 --sweep P=1..1024:x2 --plot\n"
               "  quincunx eval --symbolic apsp.pam\n"
               "  quincunx eval --symbolic --as python apsp.pam > apsp.py\n"
               "  quincunx eval mrm.pam -D P=100 -D N=1000 --derivative P\n"
               "  quincunx eval mrm.pam -D N=1000 --solve 'main.p99 > 20000' --for P=1..1000\n"
               "  quincunx eval mrm.pam -D N=10 --solve 'main <= 500' --for P=1..100 --largest\n"
               "  quincunx eval mrm.pam -D N=10 -D P=20 --simulate\n"
               "  quincunx eval design.pam --target phase2 --json");
  verb->add_option("model", options->file, "Model (.pam)")->required()->type_name("MODEL");
  verb->add_option("-D,--define", options->define, "The value of a parameter; may be repeated")
      ->type_name("NAME=NUMBER")
      ->allow_extra_args(false);
  CLI::Option *sweep =
      verb->add_option("--sweep", options->sweep,
                       "Evaluate at each value; of several sweeps at each combination")
          ->type_name("NAME=FROM..TO[..STEP|:xFACTOR]|NAME=VALUE,...")
          ->allow_extra_args(false);
  verb->add_option("--target", options->targets,
                   "The process or number to evaluate (default: main), or T_NAME, phi_NAME, "
                   "omega_NAME of a process; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  verb->add_flag("--strict", options->evaluate.strict,
                 "Moments that no law has are an error, not a note");
  addQuestions(*verb, *options, sweep);
  verb->callback([options, &status] { status = runEval(*options); });
}

} // namespace quincunx::tool
