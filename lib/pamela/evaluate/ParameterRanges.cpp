// Compares values of parameters with their ranges.
// The idea: value and bound are numbers of the model like any other, and constants: of a random
// number there is no telling whether it is in a range. Reference: docs/12-pamela.md, "Assumptions".
#include "ParameterRanges.h"

#include "NumberEvaluator.h"
#include "pamela/syntax/ErrorAt.h"
#include "quincunx/base/Text.h"

namespace quincunx::pamela {

std::string outOfRange(const Definition &d, double value, bool below, double bound) {
  return escape(d.name) + " = " + exact(value) + " is not in its range: the model says " +
         escape(d.name) + (below ? " >= " : " <= ") + exact(bound);
}

Status checkRanges(const Model &model, const std::map<std::string, double> &given) {
  EvaluateOptions options;
  options.parameters = given;
  for (const Definition &d : model.definitions) {
    if ((!d.least && !d.most) || (!d.body && !given.contains(d.name)))
      continue;
    NumberEvaluator numbers(model, options);
    const Node name{Op::name, 0, d.name, {}, d.at, {}};
    const Result<double> x = numbers.constant(name, nullptr, "a number that has a range");
    if (!x)
      return x.error();
    for (const Tree &bound : {d.least, d.most}) {
      const Result<double> limit =
          bound ? numbers.constant(*bound, nullptr, "a bound") : Result<double>(*x);
      if (!limit)
        return limit.error();
      const bool below = bound == d.least && *x < *limit;
      if (below || (bound == d.most && *x > *limit))
        return errorAt(model, bound->at, outOfRange(d, *x, below, *limit));
    }
  }
  return Done{};
}

} // namespace quincunx::pamela
