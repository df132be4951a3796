// From effects of inputs to functions.
// The idea: an effect makes T (1 - exp(-part)) of the expected cost T of each run; the covariance
// of that with the costs of functions adds up to the covariance with the cost of the run, so that
// shares do, too. The caller is the one whose calls by name have most of it; calls through
// pointers have no names. Code of others is called from everywhere: of that it is the innermost
// function of the program under which most of the effect is.
#include "Carriers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

namespace quincunx {

namespace {

/// One weight per run of the matrix: those of the runs at hand add up to 0.
std::vector<double> weightsOf(const InputModel &model, size_t effect, size_t runs) {
  std::vector<double> made;
  for (size_t i = 0; i < model.rows.size(); ++i)
    made.push_back(std::exp(model.fitted[i]) * (1 - std::exp(-model.parts[effect][i])));
  const auto n = static_cast<double>(made.size());
  const double mean = std::accumulate(made.begin(), made.end(), 0.0) / n;
  std::vector<double> weights(runs, 0.0);
  for (size_t i = 0; i < made.size(); ++i)
    weights[model.rows[i]] = (made[i] - mean) / n;
  return weights;
}

/// What the calls of one function by another have of the effect; none: calls tell nothing.
std::optional<double> effectOf(const CostOfCalls &calls, size_t f,
                               const std::vector<size_t> &callees, std::span<const double> priced) {
  if (!calls.isKnown)
    return {};
  double effect = 0;
  for (const TotalCosts::Calls &c : calls.calls.calls(f))
    if (std::ranges::count(callees, c.callee) != 0)
      for (size_t d = 0; d < priced.size(); ++d)
        effect += priced[d] * c.times[d] * calls.costs.ofCall(f, c.callee, d);
  return effect;
}

/// By what calls of what was compiled of the row have of the effect, of which `sum` is all; by
/// their number, where that is not known.
size_t callerOf(size_t callee, const BlockCosts &blocks, const Attribution &parts,
                const CostOfCalls &known, std::span<const double> priced, double sum,
                std::span<const double> perColumn) {
  const FunctionRows &rows = parts.functions();
  std::set<std::string_view> names;
  for (const size_t f : rows.compiled(callee))
    names.insert(blocks.function(f).name);
  const std::vector<double> counts =
      blocks.matrix().perColumn(std::vector<double>(blocks.matrix().rows.size(), 1.0));
  std::vector<double> calls(rows.size());
  for (size_t f = 0; f < blocks.matrix().functions.size(); ++f) {
    const std::vector<Call> &own = blocks.function(f).calls;
    const auto isIt = [&](const Call &c) { return names.contains(c.callee); };
    if (std::ranges::none_of(own, isIt))
      continue;
    const std::optional<double> effect = effectOf(known, f, rows.compiled(callee), priced);
    const FlowValues flow = parts.flow(f, effect ? counts : perColumn);
    double all = 0;
    for (const Call &call : own)
      all += isIt(call) ? flow.blocks[call.block] : 0;
    for (const Call &call : own)
      if (const double n = flow.blocks[call.block]; isIt(call))
        calls[rows.of(f, call.at.scope)] += !effect ? n : all > 0 ? *effect / sum * n / all : 0;
  }
  calls[callee] = 0;
  const auto most = std::ranges::max_element(calls);
  return *most > 0 ? static_cast<size_t>(most - calls.begin()) : Carrier::none;
}

/// Below the function that starts; none: no other function has so much of the effect.
size_t userOf(const Attribution &parts, const CostOfCalls &calls, size_t root,
              std::span<const double> priced, double sum) {
  constexpr double most = 0.5;
  const FunctionRows &rows = parts.functions();
  size_t innermost = Carrier::none;
  double least = 0;
  for (size_t f = 0; f < calls.costs.total.size() && calls.isKnown; ++f) {
    const std::vector<double> &total = calls.costs.total[f];
    const double effect = std::inner_product(total.begin(), total.end(), priced.begin(), 0.0);
    const double all = std::accumulate(total.begin(), total.end(), 0.0);
    if (f == root || rows.isForeign(f, 0) || effect / sum < most)
      continue;
    if (innermost == Carrier::none || all < least)
      innermost = f, least = all;
  }
  return innermost == Carrier::none ? innermost : rows.of(innermost);
}

/// Does what has these costs, per run, run where the effect holds alone?
bool isNew(std::span<const double> costs, const BlockCosts &blocks, const InputModel &model,
           const InputEffect &effect) {
  const double much = std::ranges::max(costs);
  return std::ranges::all_of(model.rows, [&](size_t d) { // up to rounding
    return holds(blocks.matrix().rows[d], effect) || std::abs(costs[d]) <= 1e-12 * much;
  });
}

/// The slope of the logarithm of `costs`, per run, over ln(feature), in runs where both are above
/// 0.
double powerOf(std::span<const double> costs, const BlockCosts &blocks, const InputModel &model,
               const InputEffect &effect) {
  std::vector<std::pair<double, double>> points;
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const size_t d : model.rows) {
    const CountMatrix::Row &row = blocks.matrix().rows[d];
    const double size = row.features.at(effect.feature), cost = costs[d];
    if (size > 0 && cost > 0 && holds(row, effect))
      points.emplace_back(std::log(size), std::log(cost));
  }
  for (const auto &[a, b] : points) {
    x += a / static_cast<double>(points.size());
    y += b / static_cast<double>(points.size());
  }
  for (const auto &[a, b] : points) {
    xx += (a - x) * (a - x);
    xy += (a - x) * (b - y);
  }
  return xx > 0 ? xy / xx : 0;
}

Carrier carrierOf(const BlockCosts &blocks, const Attribution &parts, const InputModel &model,
                  const CostOfCalls &calls, size_t root, size_t effect) {
  const CountMatrix &matrix = blocks.matrix();
  const std::vector<double> weights = weightsOf(model, effect, matrix.rows.size());
  std::vector<double> priced = weights;
  for (size_t d = 0; d < priced.size(); ++d)
    priced[d] *= blocks.scale(d);
  const std::vector<double> costs = parts.of(matrix.perColumn(priced)).functionCosts;
  Carrier by;
  const double sum = std::accumulate(costs.begin(), costs.end(), 0.0);
  const auto most = std::max_element(costs.begin(), costs.end(),
                                     [&](double a, double b) { return sum < 0 ? a > b : a < b; });
  if (most == costs.end() || sum == 0 || *most == 0)
    return by;
  by.function = static_cast<size_t>(most - costs.begin());
  by.share = *most / sum;
  if (parts.functions().place(by.function).isForeign)
    by.caller = userOf(parts, calls, root, priced, sum);
  if (by.caller == Carrier::none)
    by.caller = callerOf(by.function, blocks, parts, calls, priced, sum, matrix.perColumn(weights));
  const InputEffect &of = model.found.effects[effect];
  const std::vector<double> own = parts.functions().perRun(by.function);
  by.isNew = !of.where.empty() && isNew(own, blocks, model, of);
  if (of.kind == InputEffect::Kind::power)
    by.power = powerOf(own, blocks, model, of);
  return by;
}

} // namespace

ExplainedInputs explainInputs(const BlockCosts &blocks, const Attribution &parts,
                              const InputModel &model, std::span<const size_t> tail,
                              const CostOfCalls &calls, size_t root) {
  ExplainedInputs found = model.found;
  for (size_t e = 0; e < model.parts.size(); ++e) {
    InputEffect &effect = found.effects[e];
    effect.by = carrierOf(blocks, parts, model, calls, root, e);
    for (const size_t d : tail)
      effect.tailRuns += holds(blocks.matrix().rows[d], effect);
  }
  return found;
}

} // namespace quincunx
