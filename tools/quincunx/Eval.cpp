// quincunx eval: what a model says for values of its parameters. Here are only the options; the
// model is lib/pamela's, the text lib/report's.
#include "ModelFile.h"
#include "Reader.h"
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Eval.h"

#include <cmath>
#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  std::string file;
  pamela::EvaluateOptions evaluate;
  std::vector<std::string> define, sweep;
  bool json = false, tsv = false;
};

/// A parameter and the values it takes.
struct Sweep {
  std::string name;
  std::vector<double> values;
};

/// Points of all sweeps together; more is a slip of the pen.
constexpr size_t mostPoints = 1000000;

/// "1..10", "0..1..0.1", "1..1024:x2".
bool parseRange(std::string_view text, std::vector<double> &values) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos)
    return false;
  const std::string_view rest = text.substr(dots + 2);
  const size_t more = std::min(rest.find(".."), rest.find(":x"));
  const bool times = more != std::string_view::npos && rest[more] == ':';
  double from = 0, to = 0, step = 1;
  const bool good = parseNumber(text.substr(0, dots), from) &&
                    parseNumber(rest.substr(0, more), to) &&
                    (more == std::string_view::npos || parseNumber(rest.substr(more + 2), step));
  if (!good || from > to || (times ? step <= 1 || from <= 0 : step <= 0))
    return false;
  for (double x = from; x <= to * (1 + 1e-12) && values.size() <= mostPoints;)
    values.push_back(x), x = times ? x * step : from + static_cast<double>(values.size()) * step;
  return true;
}

/// "P=1..1024:x2" or "P=1,2,5", several with ';' or by several options.
Status parseSweep(const std::string &text, std::vector<Sweep> &out) {
  const size_t equals = text.find('=');
  Sweep sweep{text.substr(0, equals), {}};
  bool good = equals != 0 && equals != std::string::npos;
  for (const std::string_view word : good ? fields(std::string_view(text).substr(equals + 1), ',')
                                          : std::vector<std::string_view>()) {
    double x = 0;
    if (parseNumber(word, x))
      sweep.values.push_back(x);
    else
      good = good && parseRange(word, sweep.values);
  }
  if (!good)
    return Error{"--sweep " + escape(text) +
                 " is not NAME=VALUE,... or NAME=FROM..TO, with ..STEP or :xFACTOR behind it"};
  out.push_back(std::move(sweep));
  return Done{};
}

/// The points of all sweeps, the last one fastest.
Result<std::vector<EvaluatedPoint>> pointsOf(const std::vector<Sweep> &sweeps) {
  std::vector<EvaluatedPoint> points(1);
  for (const Sweep &s : sweeps) {
    std::vector<EvaluatedPoint> more;
    if (points.size() * s.values.size() > mostPoints)
      return Error{"--sweep has more than " + std::to_string(mostPoints) + " points"};
    for (const EvaluatedPoint &p : points)
      for (const double x : s.values) {
        more.push_back(p);
        more.back().parameters.emplace_back(s.name, x);
      }
    points = std::move(more);
  }
  return points;
}

Status evaluateAll(const Options &options, std::vector<EvaluatedPoint> &points) {
  const Result<pamela::Model> model = readModel(options.file);
  if (!model)
    return model.error();
  for (EvaluatedPoint &p : points) {
    pamela::EvaluateOptions o = options.evaluate;
    for (const auto &[name, value] : p.parameters)
      o.parameters[name] = value;
    Result<pamela::Evaluated> e = pamela::evaluate(*model, o);
    if (!e)
      return e.error();
    p.result = std::move(*e);
  }
  if (points.size() == 1 && points[0].parameters.empty())
    points[0].parameters.assign(options.evaluate.parameters.begin(),
                                options.evaluate.parameters.end());
  return Done{};
}

int runEval(Options &options) {
  std::vector<Sweep> sweeps;
  Result<std::map<std::string, double>> parameters = parseDefines(options.define);
  Status s = parameters ? Status(Done{}) : parameters.error();
  if (parameters)
    options.evaluate.parameters = std::move(*parameters);
  for (size_t i = 0; s && i < options.sweep.size(); ++i)
    s = parseSweep(options.sweep[i], sweeps);
  Result<std::vector<EvaluatedPoint>> points =
      s ? pointsOf(sweeps) : Result<std::vector<EvaluatedPoint>>(s.error());
  if (!points) {
    fail(points.error());
    return usage;
  }
  if (s = evaluateAll(options, *points); !s)
    return failInModel(s.error());
  std::ios::sync_with_stdio(false);
  if (options.json)
    s = printEvaluatedJson(options.file, options.evaluate.target, *points, std::cout);
  else if (options.tsv)
    printEvaluatedTsv(*points, std::cout);
  else
    printEvaluated(options.evaluate.target, *points, wantsColour(), std::cout);
  if (!s)
    return fail(s.error());
  std::cout.flush();
  return std::cout ? ok : fail(Error{"cannot write the answer"});
}

} // namespace

void addEval(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand("eval", "Evaluate a PAMELA+ model");
  verb->footer("Examples:\n"
               "  quincunx eval mrm.pam -D P=100\n"
               "  quincunx eval mrm.pam --sweep P=1..1024:x2\n"
               "  quincunx eval psrs.pam -D N=81920 --sweep P=1,2,4,8 --tsv\n"
               "  quincunx eval design.pam --target phase2 --json");
  verb->add_option("model", options->file, "Model (.pam)")->required()->type_name("MODEL");
  verb->add_option("-D,--define", options->define, "The value of a parameter; may be repeated")
      ->type_name("NAME=NUMBER");
  verb->add_option("--sweep", options->sweep,
                   "Evaluate at each value; of several sweeps at each combination")
      ->type_name("NAME=FROM..TO[..STEP|:xFACTOR]|NAME=VALUE,...");
  verb->add_option("--target", options->evaluate.target,
                   "The process or number to evaluate (default: main)")
      ->type_name("NAME");
  verb->add_flag("--strict", options->evaluate.strict,
                 "Moments that no law has are an error, not a note");
  CLI::Option *json = verb->add_flag("--json", options->json, "Everything, for programs");
  verb->add_flag("--tsv", options->tsv, "A line per point, fields between tabs")->excludes(json);
  verb->callback([options, &status] { status = runEval(*options); });
}

} // namespace quincunx::tool
