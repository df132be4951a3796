// The variance without what inputs tell.
// The idea: the cost of a run and of each function is regressed on the same terms: the cost that
// the effects expect, what each of them adds to it, and its logarithm. What is left of functions
// adds up to what is left of the run, and as regression is linear and the rest has nothing to do
// with the terms, Cov(rest of f, rest of T) = Cov(cost of f, rest of T): one weight per run. Counts
// of branches are taken without the terms, too (Frisch & Waugh, Econometrica 1, 1933). It is about
// the runs that there are: terms that were fitted to them leave a little less than of other runs.
#include "Rest.h"

#include "Contrasts.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

using Vector = std::vector<double>;
constexpr double independent = 1e-8; ///< of the square of a column, left beside others
constexpr double worthTelling = 0.01;

/// Of the runs that the model is about; 0 for others. They add up to 1.
Vector weightsOf(const CountMatrix &matrix, const InputModel &model) {
  Vector weights(matrix.rows.size());
  double sum = 0;
  for (const size_t d : model.rows)
    sum += matrix.rows[d].weight;
  for (const size_t d : model.rows)
    weights[d] = matrix.rows[d].weight / sum;
  return weights;
}

double square(const Vector &weights, const Vector &x) {
  double sum = 0;
  for (size_t d = 0; d < x.size(); ++d)
    sum += weights[d] * x[d] * x[d];
  return sum;
}

/// Terms of mean 0 and variance 1 without covariance; those that follow from others are left out.
std::vector<Vector> termsOf(const InputModel &model, const Vector &weights) {
  std::vector<Vector> terms;
  CostOfRuns runs{weights, weights};
  const auto add = [&](const auto &of) {
    Vector column(weights.size());
    for (size_t i = 0; i < model.rows.size(); ++i)
      column[model.rows[i]] = of(i);
    runs.without = {};
    runs.centre(column);
    const double was = square(weights, column);
    runs.without = terms;
    runs.centre(column);
    const double is = square(weights, column);
    if (!(is > independent * was))
      return;
    for (double &x : column)
      x /= std::sqrt(is);
    terms.push_back(std::move(column));
  };
  add([&](size_t i) { return std::exp(model.fitted[i]); });
  for (const Vector &part : model.parts) {
    add([&](size_t i) { return std::exp(model.fitted[i]) * (1 - std::exp(-part[i])); });
    add([&](size_t i) { return part[i]; });
  }
  return terms;
}

/// Shares of functions and lines in `weights` times costs, of which the whole is `all`.
void shareOut(const BlockCosts &blocks, const Attribution &parts, Vector weights, double all,
              std::span<const double> meanCounts, Vector &functions, Vector &lines) {
  const Vector unattributed = blocks.unattributed();
  double outside = 0, excess = 0; // excess: of the weights over 0 where runs have scales
  for (size_t d = 0; d < weights.size(); ++d) {
    outside += unattributed.empty() ? 0 : weights[d] * unattributed[d];
    excess += weights[d] * (blocks.scale(d) - 1);
    weights[d] *= blocks.scale(d);
  }
  Vector perColumn = blocks.matrix().perColumn(weights, meanCounts);
  for (size_t c = 0; c < perColumn.size(); ++c)
    perColumn[c] += excess * meanCounts[c];
  PerPart of = parts.of(perColumn);
  if (!unattributed.empty())
    of.functionCosts.push_back(outside);
  for (Vector *shares : {&of.functionCosts, &of.lineCosts})
    for (double &x : *shares)
      x /= all;
  functions = std::move(of.functionCosts);
  lines = std::move(of.lineCosts);
}

/// The runs with most cost left against the others.
void shareTail(const BlockCosts &blocks, const Attribution &parts, const InputModel &model,
               const CostOfRuns &rest, std::span<const double> meanCounts, ExplainedRest &out) {
  std::vector<size_t> order = model.rows;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return rest.costs[a] != rest.costs[b] ? rest.costs[a] > rest.costs[b] : a < b;
  });
  out.tail = tailRuns(blocks.matrix(), rest.costs, order);
  if (out.tail.empty())
    return;
  double inside = 0;
  for (const size_t d : out.tail)
    inside += rest.weights[d];
  Vector weights(rest.weights.size()), perWeight(weights.size(), -1 / (1 - inside));
  for (const size_t d : out.tail)
    perWeight[d] = 1 / inside;
  rest.centre(perWeight); // what is left of costs times these = costs times what is left of these
  double all = 0;
  for (size_t d = 0; d < weights.size(); ++d)
    all += (weights[d] = rest.weights[d] * perWeight[d]) * rest.costs[d];
  shareOut(blocks, parts, std::move(weights), all, meanCounts, out.functionTails, out.lineTails);
}

} // namespace

ExplainedRest explainRest(const BlockCosts &blocks, const Attribution &parts,
                          const InputModel &model, std::span<const double> costs,
                          const CostOfCalls &calls, std::span<const double> meanCounts) {
  ExplainedRest out;
  if (model.parts.empty())
    return out;
  const CountMatrix &matrix = blocks.matrix();
  const Vector weights = weightsOf(matrix, model);
  const std::vector<Vector> terms = termsOf(model, weights);
  Vector left(costs.begin(), costs.end()), all = left;
  CostOfRuns rest{weights, left};
  rest.centre(all);
  rest.without = terms;
  rest.centre(left);
  for (size_t d = 0; d < left.size(); ++d)
    left[d] = weights[d] > 0 ? left[d] : 0;
  rest.costs = left;
  rest.between = rest.variance = square(weights, left);
  rest.effective = static_cast<double>(model.rows.size());
  out.left = rest.variance / square(weights, all);
  if (out.left < worthTelling)
    return out;
  Vector ofRest = left;
  for (size_t d = 0; d < left.size(); ++d)
    ofRest[d] *= weights[d];
  const Vector covariances = matrix.perColumn(ofRest, meanCounts);
  shareOut(blocks, parts, std::move(ofRest), rest.variance, meanCounts, out.functions, out.lines);
  shareTail(blocks, parts, model, rest, meanCounts, out);
  out.branches =
      decisions(blocks, parts, rest, calls, meanCounts, meanCounts, covariances).branches;
  return out;
}

} // namespace quincunx
