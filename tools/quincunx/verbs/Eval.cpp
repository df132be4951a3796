// quincunx eval: what a model says for values of its parameters, as expressions in them, and for
// which it says enough. Here are only the options; the model is lib/pamela's, the text
// lib/report's.
#include "Verbs.h"
#include "arguments/ModelFile.h"
#include "arguments/ParameterSearch.h"
#include "system/TerminalTraits.h"

#include "quincunx/base/Text.h"
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Formula.h"
#include "quincunx/report/Eval.h"
#include "quincunx/report/FormulaCode.h"
#include "quincunx/report/Sensitivity.h"

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace quincunx::tool {

namespace {

struct Options {
  std::string file;
  pamela::EvaluateOptions evaluate;
  std::vector<std::string> define, sweep, derivatives;
  std::string condition, parameter, language;
  bool symbolic = false, plot = false, json = false, tsv = false;
};

/// Demands are listed for so many points.
constexpr size_t fewPoints = 100;
/// Values that are tried when no range is given.
constexpr const char *triedValues = "=1..100000";

Result<EvaluatedModel> evaluateAll(const pamela::Model &model, const Options &options,
                                   const std::vector<Sweep> &sweeps,
                                   const std::vector<double> &values) {
  std::vector<std::string> names;
  for (const Sweep &s : sweeps)
    names.push_back(s.name);
  Result<pamela::Formula> formula = pamela::Formula::of(model, options.evaluate, names);
  if (!formula)
    return formula.error();
  const size_t n = names.size(), count = n == 0 ? 1 : values.size() / n;
  std::vector<pamela::Evaluated> results(count);
  if (const Status s = formula->at(values, results); !s)
    return s.error();
  EvaluatedModel m{options.file, options.evaluate.target, {}, formula->remark()};
  for (size_t p = 0; p < count; ++p) {
    EvaluatedPoint point{{}, std::move(results[p]), {}};
    for (size_t i = 0; i < n; ++i)
      point.parameters.emplace_back(names[i], values[p * n + i]);
    // Expressions bound from below; the model itself is gone through for the other end.
    if (!point.result.upper && point.result.omega.k1 != 0 && count <= fewPoints) {
      pamela::EvaluateOptions here = options.evaluate;
      for (size_t i = 0; i < n; ++i)
        here.parameters[names[i]] = values[p * n + i];
      const Result<pamela::Evaluated> walked = pamela::evaluate(model, here);
      if (walked)
        point.result.upper = walked->upper;
    }
    if (options.json && count <= fewPoints) {
      Result<std::map<double, Cumulants>> demands =
          formula->demandsAt(std::span(values).subspan(p * n, n));
      if (demands)
        point.demands = std::move(*demands);
    }
    m.points.push_back(std::move(point));
  }
  if (n == 0)
    m.points[0].parameters.assign(options.evaluate.parameters.begin(),
                                  options.evaluate.parameters.end());
  return m;
}

int runAnalysis(const pamela::Model &model, const Options &options) {
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

int runDerivatives(const pamela::Model &model, const Options &options) {
  std::vector<pamela::Sensitivity> all;
  for (const std::string &name : options.derivatives) {
    Result<pamela::Sensitivity> s = sensitivityOf(model, options.evaluate, name);
    if (!s)
      return failInModel(s.error());
    all.push_back(std::move(*s));
  }
  const std::string &target = options.evaluate.target;
  if (!options.json)
    printSensitivities(target, all, wantsColour(), std::cout);
  else if (const Status s = printSensitivitiesJson(options.file, target, all, std::cout); !s)
    return fail(s.error());
  return ok;
}

int runSolve(const pamela::Model &model, const Options &options) {
  const Result<Condition> condition = parseCondition(options.condition);
  const bool ranged = options.parameter.find('=') != std::string::npos;
  const Result<std::vector<Sweep>> sweeps =
      parseSweeps(options.parameter + (ranged ? "" : triedValues), "--for");
  if (!condition || !sweeps || sweeps->size() != 1)
    return failUsage(!condition ? condition.error()
                     : !sweeps  ? sweeps.error()
                                : Error{"--for takes one parameter"});
  const Sweep *const sweep = &sweeps->front();
  const Result<Solution> s = solve(model, options.evaluate, *condition, *sweep);
  if (!s)
    return failInModel(s.error());
  const std::string what = condition->figure + " of " + condition->target;
  if (options.json) {
    nlohmann::ordered_json j{{"version", 1},
                             {"model", options.file},
                             {"condition", options.condition},
                             {"parameter", sweep->name}};
    j["value"] = s->value ? nlohmann::ordered_json(*s->value) : nlohmann::ordered_json(nullptr);
    j["figure"] = s->figure;
    j["lowerBound"] = s->isBound;
    std::cout << j.dump(2) << "\n";
  } else if (s->value) {
    std::cout << sweep->name << " = " << exact(*s->value) << ": " << what << " is "
              << exact(s->figure) << "\n";
    if (s->isBound)
      std::cout << "note: of the lower bound; who waits for resources may take longer\n";
  }
  if (s->value)
    return ok;
  const auto [least, most] = std::minmax_element(sweep->values.begin(), sweep->values.end());
  return fail(Error{"no " + escape(sweep->name) + " from " + exact(*least) + " to " + exact(*most) +
                    " will do: the " + (condition->below ? "least " : "largest ") + what + " is " +
                    exact(s->figure) + ", at " + exact(s->best)});
}

int runValues(const pamela::Model &model, const Options &options, const std::vector<Sweep> &sweeps,
              const std::vector<double> &values) {
  const Result<EvaluatedModel> m = evaluateAll(model, options, sweeps, values);
  if (!m)
    return failInModel(m.error());
  Status s = Done{};
  if (options.json)
    s = printEvaluatedJson(*m, std::cout);
  else if (options.tsv)
    printEvaluatedTsv(*m, std::cout);
  else if (options.plot)
    plotEvaluated(*m, wantsColour(), readsUtf8(), std::cout);
  else
    printEvaluated(*m, wantsColour(), std::cout);
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

int runEval(Options &options) {
  Result<std::map<std::string, double>> parameters = parseDefines(options.define);
  if (!parameters)
    return failUsage(parameters.error());
  options.evaluate.parameters = std::move(*parameters);
  const Result<std::vector<Sweep>> sweeps = sweepsOf(options.sweep);
  const Result<std::vector<double>> values = sweeps ? pointsOf(*sweeps) : sweeps.error();
  if (!values)
    return failUsage(values.error());
  const Result<pamela::Model> model = readModel(options.file);
  if (!model)
    return failInModel(model.error());
  std::ios::sync_with_stdio(false);
  const int status = options.symbolic               ? runAnalysis(*model, options)
                     : !options.condition.empty()   ? runSolve(*model, options)
                     : !options.derivatives.empty() ? runDerivatives(*model, options)
                                                    : runValues(*model, options, *sweeps, *values);
  return finishOutput("the answer", status);
}

/// Options that exclude each other: what is asked, and how the answer is written.
void addQuestions(CLI::App &verb, Options &options, CLI::Option *sweep) {
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
  CLI::Option *derivative =
      verb.add_option("--derivative", options.derivatives,
                      "How mean and percentiles change with a parameter, and by how many percent "
                      "with one percent of it; may be repeated")
          ->type_name("NAME")
          ->allow_extra_args(false)
          ->excludes(sweep)
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
  verb.add_flag("--plot", options.plot, "A bar for each point: the mean, and on to p99")
      ->excludes(json)
      ->excludes(tsv)
      ->excludes(symbolic)
      ->excludes(derivative)
      ->excludes(solve);
}

} // namespace

void addEval(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand("eval", "Evaluate a PAMELA+ model");
  verb->footer("Examples:\n"
               "  quincunx eval mrm.pam -D P=100 -D N=1000\n"
               "  quincunx eval mrm.pam -D N=1000 --sweep P=1..1024:x2 --plot\n"
               "  quincunx eval --symbolic apsp.pam\n"
               "  quincunx eval --symbolic --as python apsp.pam > apsp.py\n"
               "  quincunx eval mrm.pam -D P=100 -D N=1000 --derivative P\n"
               "  quincunx eval mrm.pam -D N=1000 --solve 'main.p99 > 20000' --for P=1..1000\n"
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
  verb->add_option("--target", options->evaluate.target,
                   "The process or number to evaluate (default: main), or T_NAME, phi_NAME, "
                   "omega_NAME of a process")
      ->type_name("NAME");
  verb->add_flag("--strict", options->evaluate.strict,
                 "Moments that no law has are an error, not a note");
  addQuestions(*verb, *options, sweep);
  verb->callback([options, &status] { status = runEval(*options); });
}

} // namespace quincunx::tool
