// Evaluates the target of a model.
// The idea: a number is its value alone; a process has a time, a critical path, demands, and what
// the demands make of the time when it is not known how they hang together.
// Reference: docs/12-pamela.md, "What it costs".
#include "quincunx/pamela/Evaluate.h"

#include "ParameterRanges.h"
#include "ProcessEvaluator.h"
#include "pamela/syntax/Names.h"
#include "quincunx/base/Text.h"

#include <cmath>
#include <limits>

namespace quincunx::pamela {

namespace {

Status check(const ProcessEvaluator &processes, const EvaluateOptions &options) {
  const NumberEvaluator &numbers = processes.numbers;
  const Definition *d = numbers.definition(options.target);
  const bool isResult = !d && numbers.isResult(options.target);
  if (!isResult && (!d || d->kind == Kind::resource))
    return Error{"no process and no number is called '" + escape(options.target) + "'"};
  if (d && !d->arguments.empty())
    return takesArguments(*d);
  for (const auto &[name, value] : options.parameters)
    if (!isParameter(numbers.definition(name)))
      return noParameter(name);
  return Done{};
}

Result<Evaluated> evaluateNumber(NumberEvaluator &numbers, const Node &use) {
  const Result<RandomNumber> k = numbers.scalar(use, nullptr);
  if (!k)
    return k.error();
  Evaluated out;
  out.T = out.phi = *k;
  out.upper = Evaluated::Upper{*k, {}};
  out.theta = -std::numeric_limits<double>::infinity();
  out.notes = numbers.notes;
  return out;
}

Result<Evaluated> evaluateProcess(ProcessEvaluator &processes, const Node &use) {
  const Result<Times> t = processes.of(use, nullptr);
  if (!t)
    return t.error();
  const Result<RandomNumber> omega = processes.omega(t->demands);
  if (!omega)
    return processes.numbers.error(use, omega.error().text);
  Evaluated out;
  out.T = t->T;
  out.upper = Evaluated::Upper{t->path, t->wait};
  out.phi = t->phi;
  out.omega = *omega;
  out.demands = t->demands;
  out.theta = std::log(out.omega.k1 / out.phi.k1);
  out.notes = processes.numbers.notes;
  return out;
}

} // namespace

Result<Evaluated> evaluate(const Model &model, const EvaluateOptions &options) {
  ProcessEvaluator processes(model, options);
  if (const Status s = check(processes, options); !s)
    return s.error();
  if (const Status s = checkRanges(model, options.parameters); !s)
    return s.error();
  const Definition *d = processes.numbers.definition(options.target);
  const Node use{Op::name, 0, options.target, {}, d ? d->at : Place{}, {}};
  return !d || d->kind == Kind::numeric ? evaluateNumber(processes.numbers, use)
                                        : evaluateProcess(processes, use);
}

} // namespace quincunx::pamela
