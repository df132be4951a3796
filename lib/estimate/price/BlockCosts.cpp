// Weights of columns from costs of blocks.
// The idea: the cost of a function is a linear form in its counters (lib/model/FlowSolver), for
// each order of cumulant; what frames lost in a tree add is taken in the middle of what is
// possible, as in every report. It does not combine runs.
#include "quincunx/estimate/BlockCosts.h"

#include "Prices.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace quincunx {

namespace {}

BlockCosts::BlockCosts(const CountMatrix &matrix, const std::vector<Map> &maps,
                       const Machine &machine)
    : counts(&matrix), allMaps(&maps) {
  parts.reserve(matrix.functions.size());
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    parts.emplace_back(FunctionCosts{FlowSolver(function(f)), {}, {}, {}, {}, {}});
  price(machine);
}

void BlockCosts::price(const Machine &machine) {
  prices = std::make_shared<Prices>(*allMaps, machine);
  for (size_t f = 0; f < parts.size(); ++f) {
    const CountMatrix::Columns &c = counts->functions[f];
    parts[f].counters = prices->counters(function(f));
    set(f, prices->blocks(c.map, c.function));
    parts[f].calls = prices->apart(c.map, c.function).calls;
  }
  findScales();
}

std::vector<double> BlockCosts::lineShares(size_t f, size_t block) const {
  return prices->lineShares(function(f), function(f).blocks[block]);
}

std::vector<std::vector<Cumulants>> BlockCosts::linesOf(size_t f) const {
  return prices->ofLines(counts->functions[f].map, counts->functions[f].function);
}

std::vector<double> BlockCosts::lineShares(size_t f, const CounterCost &counter) const {
  return prices->lineShares(function(f), counter);
}

size_t lineOf(const Function &f, const Call &call) {
  const auto &lines = f.blocks[call.block].lines;
  const auto at = std::ranges::find_if(
      lines, [&](const Location &l) { return l.line == call.at.line && l.scope == call.at.scope; });
  return static_cast<size_t>(at - lines.begin());
}

bool BlockCosts::isPriced(const std::string &callee) const { return prices->isPriced(callee); }

namespace {
Prices::Use useOf(const CountMatrix::Row &row) {
  return Prices::useOf(row.pageFaults, row.branchMisses, row.peakMemory);
}
} // namespace

void BlockCosts::findScales() {
  scales.clear();
  if (!prices->fitted())
    return;
  std::vector<double> fit(counts->columns.size(), 0.0);
  for (size_t f = 0; f < parts.size(); ++f) {
    const CountMatrix::Columns &own = counts->functions[f];
    std::vector<double> perCounter =
        parts[f].flowSolver.linear(prices->weights(own.map, own.function)).perCounter;
    for (const CounterCost &c : parts[f].counters)
      perCounter[c.counter] += c.price.k1;
    for (size_t c = 0; c < perCounter.size(); ++c)
      if (const uint32_t column = own.counters[c]; column != noIndex)
        fit[column] += perCounter[c];
  }
  const std::vector<Cumulants> blocks = blocksOfRuns();
  const std::vector<double> weighed = counts->perRun(fit);
  for (size_t d = 0; d < blocks.size(); ++d)
    scales.push_back(prices->run(blocks[d], weighed[d], useOf(counts->rows[d])).scale);
}

const Function &BlockCosts::function(size_t f) const {
  const CountMatrix::Columns &c = counts->functions[f];
  return (*allMaps)[c.map].functions[c.function];
}

void BlockCosts::set(size_t f, std::vector<Cumulants> blocks, std::vector<Cumulants> edges,
                     const std::optional<std::vector<Cumulants>> &counted) {
  assert(blocks.size() == function(f).blocks.size() && "one cost per block");
  assert((edges.empty() || edges.size() == function(f).edges.size()) && "one cost per edge");
  FunctionCosts &part = parts[f];
  part.blocks = std::move(blocks);
  part.edges = std::move(edges);
  std::vector<CounterCost> counters = part.counters;
  assert((!counted || counted->size() == counters.size()) && "one cost per counter");
  for (size_t c = 0; c < counters.size() && counted; ++c)
    counters[c].price = (*counted)[c];
  weigh(part, f, counters);
}

void BlockCosts::weigh(FunctionCosts &part, size_t f, std::span<const CounterCost> counted) {
  const bool lost = !counts->functions[f].trees.empty();
  const auto zero = [](double w) { return w == 0; };
  std::vector<double> perBlock(part.blocks.size()), perEdge(part.edges.size());
  for (size_t r = 0; r < cumulantOrders.size(); ++r) {
    part.weights[r].clear();
    for (size_t b = 0; b < perBlock.size(); ++b)
      perBlock[b] = part.blocks[b].*cumulantOrders[r];
    for (size_t e = 0; e < perEdge.size(); ++e)
      perEdge[e] = part.edges[e].*cumulantOrders[r];
    const bool countersAreFree = std::all_of(counted.begin(), counted.end(), [&](const auto &c) {
      return c.price.*cumulantOrders[r] == 0;
    });
    if (std::all_of(perBlock.begin(), perBlock.end(), zero) &&
        std::all_of(perEdge.begin(), perEdge.end(), zero) && countersAreFree)
      continue;
    LinearForm form = part.flowSolver.linear(perBlock, perEdge);
    part.weights[r] = std::move(form.perCounter);
    for (const CounterCost &c : counted)
      part.weights[r][c.counter] += c.price.*cumulantOrders[r];
    if (lost)
      for (const LinearForm::PerFrame &p : form.lost)
        part.weights[r].push_back(p.low + (p.high - p.low) / 2);
  }
}

bool BlockCosts::constant() const {
  return std::all_of(parts.begin(), parts.end(), [](const FunctionCosts &p) {
    return p.weights[1].empty() && p.weights[2].empty() && p.weights[3].empty();
  });
}

/// Calls take(column, weight); a column may come several times.
template <class Take> void BlockCosts::forEachWeight(size_t f, size_t order, Take take) const {
  const std::vector<double> &w = parts[f].weights[order];
  const CountMatrix::Columns &own = counts->functions[f];
  const size_t counters = own.counters.size();
  for (size_t i = 0; i < w.size(); ++i)
    if (const uint32_t c = i < counters ? own.counters[i] : own.trees[i - counters]; c != noIndex)
      take(c, w[i]);
}

void BlockCosts::addWeights(std::vector<double> &sum, size_t f, size_t order) const {
  forEachWeight(f, order, [&](uint32_t c, double w) { sum[c] += w; });
}

std::vector<double> BlockCosts::weights(size_t f, size_t order) const {
  std::vector<double> sum(counts->columns.size(), 0.0);
  addWeights(sum, f, order);
  return sum;
}

std::vector<double> BlockCosts::weights(size_t order) const {
  std::vector<double> sum(counts->columns.size(), 0.0);
  for (size_t f = 0; f < parts.size(); ++f)
    addWeights(sum, f, order);
  return sum;
}

std::vector<std::pair<uint32_t, double>>
BlockCosts::partWeights(size_t f, size_t order, const std::optional<Part> &part) const {
  std::vector<std::pair<uint32_t, double>> out;
  if (!part) {
    forEachWeight(f, order, [&](uint32_t c, double w) { out.emplace_back(c, w); });
    return out;
  }
  const std::vector<double> perCounter = partForm(f, order, *part).perCounter;
  for (size_t c = 0; c < perCounter.size(); ++c)
    if (const uint32_t column = counts->functions[f].counters[c];
        column != noIndex && perCounter[c] != 0)
      out.emplace_back(column, perCounter[c]);
  return out;
}

double BlockCosts::dot(size_t f, size_t order, std::span<const double> perColumn) const {
  double sum = 0;
  forEachWeight(f, order, [&](uint32_t c, double w) { sum += w * perColumn[c]; });
  return sum;
}

std::vector<double> BlockCosts::perRun(size_t f, size_t order) const {
  std::vector<double> sum(counts->rows.size(), 0.0);
  forEachWeight(f, order, [&](uint32_t c, double w) { counts->columns[c].addTo(sum, w); });
  for (size_t d = 0; d < scales.size(); ++d)
    sum[d] *= std::pow(scales[d], order + 1);
  return sum;
}

/// The order-th cumulant of a part; blocks without what they call cost at least nothing.
LinearForm BlockCosts::partForm(size_t f, size_t order, const Part &of) const {
  const FunctionCosts &part = parts[f];
  std::vector<double> own, called(part.blocks.size(), 0.0);
  for (const Cumulants &k : part.blocks)
    own.push_back(k.*cumulantOrders[order]);
  for (size_t c = 0; c < part.calls.size(); ++c) {
    const uint32_t block = function(f).calls[c].block;
    own[block] -= part.calls[c].*cumulantOrders[order];
    called[block] += of.ofCalls[c] * part.calls[c].*cumulantOrders[order];
  }
  for (size_t b = 0; b < own.size(); ++b)
    own[b] = of.ofBlocks[b] * (order == 0 ? std::max(0.0, own[b]) : own[b]) + called[b];
  LinearForm form = part.flowSolver.linear(own);
  for (const CounterCost &c : part.counters)
    form.perCounter[c.counter] +=
        (c.isBytes() ? of.ofCalls[c.call] : of.ofBlocks[c.block]) * c.price.*cumulantOrders[order];
  return form;
}

std::vector<double> BlockCosts::partPerRun(size_t f, const Part &of) const {
  std::vector<double> sum = counts->perRun(f, partForm(f, 0, of));
  for (size_t d = 0; d < scales.size(); ++d)
    sum[d] *= scales[d];
  return sum;
}

/// Where the scale is 1.
std::vector<Cumulants> BlockCosts::blocksOfRuns() const {
  std::vector<Cumulants> costs(counts->rows.size());
  for (size_t r = 0; r < cumulantOrders.size(); ++r) {
    const std::vector<double> w = weights(r);
    if (std::all_of(w.begin(), w.end(), [](double x) { return x == 0; }))
      continue;
    const std::vector<double> sum = counts->perRun(w);
    for (size_t d = 0; d < sum.size(); ++d)
      costs[d].*cumulantOrders[r] = sum[d];
  }
  return costs;
}

std::vector<double> BlockCosts::unattributed() const {
  std::vector<double> costs;
  for (const CountMatrix::Row &row : counts->rows)
    costs.push_back(prices->run(Cumulants{}, useOf(row)).k1);
  const bool any = std::any_of(costs.begin(), costs.end(), [](double k) { return k > 0; });
  return any ? costs : std::vector<double>{};
}

Cumulants BlockCosts::scattered(const Cumulants &expected) const {
  return prices->scattered(expected);
}

std::vector<Cumulants> BlockCosts::expectedRuns() const {
  std::vector<Cumulants> costs = blocksOfRuns();
  for (size_t d = 0; d < costs.size(); ++d)
    costs[d] = prices->expected(scaled(scale(d), costs[d]), useOf(counts->rows[d]));
  return costs;
}

std::vector<Cumulants> BlockCosts::runs() const {
  std::vector<Cumulants> costs = expectedRuns();
  for (Cumulants &k : costs)
    k = scattered(k);
  return costs;
}

} // namespace quincunx
