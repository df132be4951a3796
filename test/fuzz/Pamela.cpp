// One text, through everything that lib/pamela does with one: parsed, printed, parsed again,
// checked, evaluated and simulated, made symbolic and computed at points.
// The idea: a text is either refused with a place in it, or what was read is printed so that it
// reads the same, comments included, and prints the same again. What is symbolic is a model, too. A
// point that can be evaluated has a value by Formula. Whatever it costs, limits hold.
// Reference: docs/12-pamela.md. What values are right is for the unit tests.
#include "Target.h"
#include "Texts.h"

#include "quincunx/base/Text.h"
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Check.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Formula.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Print.h"
#include "quincunx/pamela/Simulate.h"

#include <algorithm>
#include <string>
#include <vector>

namespace quincunx::fuzz {

using namespace pamela;

namespace {

const std::string file = QUINCUNX_SOURCE_DIR "/examples/pamela/fuzz.pam"; // finds what is included

/// In one line, and with a place that is in the text.
void judge(const Error &error, const std::string &text) {
  judgeError(error);
  if (error.line == 0 || error.column == 0 || error.file.empty())
    wrong("an error without a place", error.message());
  if (error.file == escape(file) && pointOut(error, text).empty())
    wrong("an error with a place that is not in the text", error.message());
}

/// What comments say, however they were joined.
std::vector<std::string> said(const Model &model) {
  std::vector<std::string> all;
  for (const Comment &c : model.comments)
    for (std::string_view piece : fields(c.text, '%')) {
      const size_t first = std::min(piece.find_first_not_of(" \t\r"), piece.size());
      piece.remove_prefix(first);
      all.emplace_back(piece.substr(0, piece.find_last_not_of(" \t\r") + 1));
    }
  std::ranges::sort(all);
  return all;
}

bool same(const Definition &a, const Definition &b) {
  return a.kind == b.kind && a.parameter == b.parameter && a.name == b.name &&
         a.arguments == b.arguments && !a.body == !b.body && pamela::same(a.body, b.body);
}

void judgeLayout(const Model &model) {
  const std::string once = print(model);
  const Result<Model> again = parseText(once, file);
  if (!again)
    wrong("what was printed does not parse", again.error().message() + "\n" + once);
  if (!std::ranges::equal(model.definitions, again->definitions, same))
    wrong("what was printed says something else", once);
  if (said(model) != said(*again))
    wrong("comments are not those that were there", once);
  const std::string twice = print(*again);
  if (twice != once)
    wrong("the layout of a layout is another one", once + "----\n" + twice);
}

bool isNumber(const Definition &d) { return d.kind == Kind::numeric && d.arguments.empty(); }

void judgeSymbolic(const Model &model, const std::string &target, const std::string &text) {
  AnalyzeOptions options;
  options.target = target;
  const Result<Analyzed> a = analyze(model, options);
  if (!a)
    return judge(a.error(), text);
  judgeLayout(a->model);
  const Result<Model> read = parseText(print(a->model), file);
  if (const std::vector<Error> errors = check(*read); !errors.empty())
    wrong("what is symbolic is no model", errors[0].message() + "\n" + print(a->model));
}

void judgeFormula(const Model &model, const EvaluateOptions &limits, const std::string &text) {
  std::vector<std::string> names;
  for (const Definition &d : model.definitions)
    if (isNumber(d) && d.name != limits.target && names.size() < 2)
      names.push_back(d.name);
  Result<Formula> formula = Formula::of(model, limits, names);
  if (!formula)
    wrong("a formula is refused", formula.error().message());
  for (const double x : {0.0, 2.5, 9.0}) { // larger ones take long
    const std::vector<double> values(names.size(), x);
    EvaluateOptions at = limits;
    for (const std::string &name : names)
      at.parameters[name] = x;
    Evaluated out[1];
    const Status computed = formula->at(values, out);
    if (computed)
      continue;
    judge(computed.error(), text);
    if (evaluate(model, at))
      wrong("a point has a value by evaluate() only", computed.error().message());
  }
}

void judgeTimes(const Model &model, const std::string &text) {
  for (const Definition &d : model.definitions) {
    if (d.kind == Kind::resource || !d.arguments.empty())
      continue;
    EvaluateOptions limits;
    limits.target = d.name;
    limits.steps = 20000;
    if (const Result<Evaluated> e = evaluate(model, limits); !e)
      judge(e.error(), text);
    judgeSymbolic(model, d.name, text);
    judgeFormula(model, limits, text);
    if (d.kind != Kind::process || !d.body)
      continue;
    SimulateOptions few;
    few.target = d.name;
    few.replications = 3;
    few.maxEvents = 20000;
    few.maxLive = 1000;
    if (const Result<Simulated> s = simulate(model, few); !s)
      judge(s.error(), text);
  }
}

void judgeText(const std::string &text) {
  const Result<Model> model = parseText(text, file);
  if (!model)
    return judge(model.error(), text);
  judgeLayout(*model);
  const std::vector<Error> errors = check(*model);
  for (const Error &e : errors)
    judge(e, text);
  if (errors.empty())
    judgeTimes(*model, text);
}

std::string changedText(const std::string &text, Random &random) {
  Texts texts(random.number());
  return text.empty() || random.oneIn(2) ? texts.model() : texts.changed(text, texts.model());
}

} // namespace

const Target target{judgeText, changedText};

} // namespace quincunx::fuzz
