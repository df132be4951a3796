// Evaluates a model at points.
// The idea: expressions answer at once, and they stand for what is too large to go through; going
// through a point is given up after its share of the work. Reference: docs/12-pamela.md.
#include "ModelPoints.h"

#include <algorithm>
#include <utility>

namespace quincunx::tool {

namespace {
/// Parts of trees that all points may take together: a second or two.
constexpr size_t partsInAll = 10000000;

/// Is something drawn: a law, or an arm whose condition is no comparison?
bool draws(const pamela::Node &n) {
  using pamela::Op;
  std::vector<const pamela::Node *> waiting{&n}; // chains are deep
  while (!waiting.empty()) {
    const pamela::Node &at = *waiting.back();
    waiting.pop_back();
    const bool compares =
        at.op == Op::branch && at.args[0]->op >= Op::equal && at.args[0]->op <= Op::logicalOr;
    if (at.op == Op::law || (at.op == Op::branch && !compares) ||
        (at.op == Op::select && !at.args[0]))
      return true;
    for (const pamela::Tree &part : at.args)
      if (part)
        waiting.push_back(part.get());
  }
  return false;
}

bool draws(const pamela::Model &m) {
  return std::any_of(m.definitions.begin(), m.definitions.end(),
                     [](const pamela::Definition &d) { return d.body && draws(*d.body); });
}
} // namespace

Result<ModelPoints> ModelPoints::of(const pamela::Model &model,
                                    const pamela::EvaluateOptions &options,
                                    const std::vector<std::string> &names, size_t points) {
  Result<pamela::Formula> formula = pamela::Formula::of(model, options, names);
  if (!formula)
    return formula.error();
  pamela::EvaluateOptions share = options;
  share.steps = std::min(options.steps, partsInAll / std::max<size_t>(1, points));
  return ModelPoints(model, std::move(share), names, std::move(*formula), draws(model));
}

Status ModelPoints::at(std::span<const double> values, std::span<pamela::Evaluated> out) {
  if (const Status s = expressions.at(values, out); !s)
    return s;
  for (size_t p = 0; p < out.size(); ++p) {
    pamela::Evaluated &e = out[p];
    if (e.upper || !(isRandom || e.omega.k1 != 0))
      continue; // gone through, or all is known
    for (size_t i = 0; i < names.size(); ++i)
      options.parameters[names[i]] = values[p * names.size() + i];
    if (Result<pamela::Evaluated> walked = pamela::evaluate(model, options))
      e = std::move(*walked);
  }
  return Done{};
}

} // namespace quincunx::tool
