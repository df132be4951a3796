// Changes of what blocks cost.
// The idea: a factor c x^m moves the cost of a block m powers of x up, and multiplies its r-th
// cumulant by c^r; a new cost takes the place of what was there, at the edges where what it stands
// for begins. So after any number of changes the cost of a run is a polynomial in x, with a few
// vectors over the runs as coefficients, whatever values x takes later. Counts stay what they are.
// Reference: docs/17-what-if.md.
#include "CostChanges.h"

#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace quincunx {

namespace {

/// A cost that is c times as large.
Cumulants times(double c, const Cumulants &k) {
  return {c * k.k1, c * c * k.k2, c * c * c * k.k3, c * c * c * c * k.k4};
}

const char *const onCounts = "exact on the counts";

} // namespace

CostChanges::CostChanges(BlockCosts &c, const std::vector<Cumulants> &b, const NameResolver &p)
    : costs(c), base(b), places(p) {
  const std::vector<CountMatrix::Row> &rows = costs.matrix().rows;
  double weight = 0;
  for (size_t d = 0; d < rows.size(); ++d) {
    programMean += rows[d].weight * base[d].k1;
    weight += rows[d].weight;
  }
  programMean /= weight;
}

CostChanges::Layers &CostChanges::layersOf(size_t f) {
  Layers &layers = changed[f];
  if (layers.empty()) {
    const auto blocks = costs.blocks(f), calls = costs.calls(f);
    layers.push_back({{blocks.begin(), blocks.end()},
                      std::vector<Cumulants>(costs.function(f).edges.size()),
                      {calls.begin(), calls.end()},
                      pricesOfCounters(f)});
  }
  return layers;
}

std::vector<Cumulants> CostChanges::pricesOfCounters(size_t f) const {
  std::vector<Cumulants> prices;
  for (const CounterCost &c : costs.counters(f))
    prices.push_back(c.price);
  return prices;
}

CostChanges::Layer &CostChanges::layer(size_t f, size_t power) {
  Layers &layers = layersOf(f);
  const Function &function = costs.function(f);
  while (layers.size() <= power)
    layers.push_back({std::vector<Cumulants>(function.blocks.size()),
                      std::vector<Cumulants>(function.edges.size()),
                      std::vector<Cumulants>(function.calls.size()),
                      std::vector<Cumulants>(costs.counters(f).size())});
  return layers[power];
}

CostChanges::Shares CostChanges::sharesOf(const LineRange &range) const {
  const Function &f = costs.function(range.function);
  Shares shares;
  for (size_t b = 0; b < f.blocks.size(); ++b) {
    const std::vector<double> ofLines = costs.lineShares(range.function, b);
    const bool all = std::ranges::find(range.lines[b], false) == range.lines[b].end();
    double &share =
        shares.blocks.emplace_back(ofLines.empty() ? (range.withBare ? 1 : 0) : (all ? 1 : 0));
    for (size_t i = 0; i < ofLines.size() && !all; ++i)
      share += range.lines[b][i] ? ofLines[i] : 0;
  }
  for (const Call &call : f.calls) {
    const std::vector<bool> &lines = range.lines[call.block];
    const size_t at = lineOf(f, call);
    const double share = at == lines.size() ? shares.blocks[call.block] : lines[at] ? 1 : 0;
    shares.calls.push_back(range.withCalls ? share : 0);
  }
  return shares;
}

/// Adds what its calls cost to its blocks, or takes it off.
void CostChanges::addCalls(size_t f, double sign) {
  const std::vector<Call> &calls = costs.function(f).calls;
  for (Layer &l : layersOf(f))
    for (size_t c = 0; c < calls.size(); ++c)
      l.blocks[calls[c].block] += sign * l.calls[c];
}

void CostChanges::apply(const Change &change, size_t power, const LineRange &range) {
  const size_t f = range.function;
  layer(f, layersOf(f).size() - 1 + (change.scales ? power : 0)); // room for the highest
  // The share of a block's lines that is meant is that share of its cost; a cost at an edge stands
  // for a range of lines as a whole.
  const Shares shares = sharesOf(range);
  const bool whole = std::ranges::all_of(shares.blocks, [](double share) { return share == 1; });
  Layers &layers = layersOf(f);
  const auto take = [&](std::vector<Cumulants> Layer::*where, size_t i, double share) {
    if (share == 0)
      return;
    for (size_t e = layers.size(); e-- > 0;) {
      Cumulants &k = (layers[e].*where)[i];
      const Cumulants moved = share * k;
      k = (1 - share) * k;
      if (change.scales && moved != Cumulants{})
        (layers[e + power].*where)[i] += times(change.value.k1, moved);
    }
  };
  addCalls(f, -1);
  for (size_t b = 0; b < shares.blocks.size(); ++b)
    take(&Layer::blocks, b, shares.blocks[b]);
  for (size_t c = 0; c < shares.calls.size(); ++c)
    take(&Layer::calls, c, shares.calls[c]);
  addCalls(f, 1);
  const std::span<const CounterCost> counters = costs.counters(f);
  for (size_t c = 0; c < counters.size(); ++c)
    take(&Layer::counted, c, shares.of(counters[c]));
  for (size_t e = 0; e < range.beginsAtEdge.size(); ++e)
    take(&Layer::edges, e, whole ? 1 : range.beginsAtEdge[e]);
  if (change.scales)
    return;
  Layer &to = layer(f, power);
  for (size_t b = 0; b < range.beginsInBlock.size(); ++b)
    to.blocks[b] += range.beginsInBlock[b] * change.value;
  for (size_t e = 0; e < range.beginsAtEdge.size(); ++e)
    to.edges[e] += range.beginsAtEdge[e] * change.value;
}

/// The mean over the runs of a linear form in the counters of a function: of a number, or of a
/// cost.
double CostChanges::mean(size_t f, const LinearForm &form, bool isCost) const {
  const CountMatrix &matrix = costs.matrix();
  std::vector<double> rows;
  double weight = 0, sum = 0;
  for (size_t d = 0; d < matrix.rows.size(); ++d) {
    weight += matrix.rows[d].weight;
    rows.push_back(matrix.rows[d].weight * (isCost ? costs.scale(d) : 1));
  }
  const std::vector<uint32_t> &counters = matrix.functions[f].counters;
  for (size_t c = 0; c < counters.size(); ++c)
    if (counters[c] != noIndex && form.perCounter[c] != 0)
      sum += form.perCounter[c] * matrix.columns[counters[c]].dot(rows);
  return sum / weight;
}

double CostChanges::perRun(const LineRange &range) const {
  const FlowSolver &flow = costs.flowSolver(range.function);
  return mean(range.function, flow.linear(range.beginsInBlock, range.beginsAtEdge), false);
}

/// Of the blocks of the range, before this change.
double CostChanges::meanCost(const LineRange &range) {
  const Shares shares = sharesOf(range);
  std::vector<double> blocks(shares.blocks.size()), edges(range.beginsAtEdge.size());
  const std::vector<Call> &calls = costs.function(range.function).calls;
  const std::span<const CounterCost> counters = costs.counters(range.function);
  std::vector<double> counted(counters.size());
  for (const Layer &l : layersOf(range.function)) {
    for (size_t b = 0; b < blocks.size(); ++b)
      blocks[b] += shares.blocks[b] * l.blocks[b].k1;
    for (size_t c = 0; c < calls.size(); ++c)
      blocks[calls[c].block] += (shares.calls[c] - shares.blocks[calls[c].block]) * l.calls[c].k1;
    for (size_t e = 0; e < edges.size(); ++e)
      edges[e] += range.beginsAtEdge[e] * l.edges[e].k1;
    for (size_t c = 0; c < counted.size(); ++c)
      counted[c] += shares.of(counters[c]) * l.counted[c].k1;
  }
  LinearForm form = costs.flowSolver(range.function).linear(blocks, edges);
  for (size_t c = 0; c < counted.size(); ++c)
    form.perCounter[counters[c].counter] += counted[c];
  return mean(range.function, form, true);
}

Result<AppliedChange> CostChanges::applyTo(const Change &change, size_t power,
                                           const std::vector<LineRange> &ranges,
                                           const std::string &what) {
  double times = 0, cost = 0;
  for (const LineRange &r : ranges) {
    times += perRun(r);
    cost += meanCost(r);
    apply(change, power, r);
  }
  AppliedChange done{change.text, what + " never ran", onCounts};
  if (!ranges.empty())
    done.effect = what + ": " + counted(times, "time") + " per " + places.observed() + ", " +
                  brief(programMean > 0 ? 100 * cost / programMean : 0, 3) + " % of the mean cost";
  return done;
}

/// That calls which are made cheaper or rarer cost something.
Status CostChanges::checkPrices(const Change &change, size_t power,
                                std::span<const ProgramElement> calls) {
  const bool needsPrice = change.scales || change.value == Cumulants{};
  bool hasPrice = calls.empty(), isRandom = false;
  for (const ProgramElement &call : calls) {
    hasPrice |= costs.isPriced(costs.function(call.function).calls[call.index].callee);
    for (const Layer &l : layersOf(call.function)) {
      hasPrice |= l.calls[call.index] != Cumulants{};
      isRandom |= l.calls[call.index].k2 != 0;
    }
  }
  const std::string name = escape(change.name);
  if (needsPrice && !hasPrice)
    return Error{"the machine has no price for calls of '" + name + "'; a line 'callee " + name +
                 " COST' gives it one, or a calibration by runs whose times tell it"};
  if (change.target == Change::Target::calls && change.scales && power > 0 && isRandom)
    return Error{"what a call of '" + name + "' costs is random on this machine, and a sweep can " +
                 "only make it dearer; sweep cost(" + name + "), or ask for one factor at a time"};
  return Done{};
}

void CostChanges::applyToCall(const Change &change, size_t power, const ProgramElement &call) {
  const auto &[f, c] = call;
  const uint32_t block = costs.function(f).calls[c].block;
  const bool more = change.target == Change::Target::calls; // and not dearer
  layer(f, change.scales ? layersOf(f).size() - 1 + power : power);
  Layers &layers = layersOf(f);
  const auto add = [&](size_t e, const Cumulants &k) {
    layers[e].calls[c] += k;
    layers[e].blocks[block] += k;
  };
  for (size_t e = layers.size(); e-- > 0;) {
    const Cumulants was = layers[e].calls[c];
    if (was == Cumulants{})
      continue;
    add(e, -1 * was);
    if (change.scales)
      add(e + power, more ? change.value.k1 * was : times(change.value.k1, was));
  }
  if (!change.scales)
    add(power, change.value);
  const std::span<const CounterCost> counters = costs.counters(f);
  for (size_t i = 0; i < counters.size(); ++i)
    for (size_t e = layers.size(); e-- > 0 && counters[i].call == c;)
      if (const Cumulants was = std::exchange(layers[e].counted[i], {});
          change.scales && was != Cumulants{})
        layers[e + power].counted[i] += more ? change.value.k1 * was : times(change.value.k1, was);
}

Result<AppliedChange> CostChanges::applyToLibrary(const Change &change, size_t power) {
  const Result<std::vector<ProgramElement>> calls = places.calls(change.name);
  if (!calls)
    return calls.error();
  if (const Status s = checkPrices(change, power, *calls); !s)
    return s.error();
  struct PerBlock {
    std::vector<double> calls, costs;
    std::vector<double> counted; ///< per counter
  };
  std::map<size_t, PerBlock> in; // by function
  for (const ProgramElement &call : *calls) {
    const Function &f = costs.function(call.function);
    const std::vector<double> none(f.blocks.size(), 0.0);
    PerBlock &own = in.try_emplace(call.function,
                                   PerBlock{none, none, std::vector<double>(f.counterCount, 0.0)})
                        .first->second;
    own.calls[f.calls[call.index].block] += 1;
    for (const Layer &l : layersOf(call.function))
      own.costs[f.calls[call.index].block] += l.calls[call.index].k1;
    const std::span<const CounterCost> counters = costs.counters(call.function);
    for (size_t i = 0; i < counters.size(); ++i)
      for (const Layer &l : layersOf(call.function))
        if (counters[i].call == call.index)
          own.counted[counters[i].counter] += l.counted[i].k1;
    applyToCall(change, power, call);
  }
  double times = 0, cost = 0;
  for (const auto &[f, own] : in) {
    times += mean(f, costs.flowSolver(f).linear(own.calls), false);
    LinearForm form = costs.flowSolver(f).linear(own.costs);
    for (size_t c = 0; c < own.counted.size(); ++c)
      form.perCounter[c] += own.counted[c];
    cost += mean(f, form, true);
  }
  std::string effect = plural(calls->size(), "call", "calls") + " of " + escape(change.name) +
                       " in what ran: " + brief(times) + " per " + places.observed();
  if (cost > 0)
    effect += ", " + brief(100 * cost / programMean, 3) + " % of the mean cost";
  return AppliedChange{change.text, effect,
                       std::string(onCounts) + "; calls through pointers are not known"};
}

Result<AppliedChange> CostChanges::apply(const Change &change, size_t power) {
  if (!change.place.file.empty()) {
    const Result<std::vector<LineRange>> ranges = places.lines(change.place);
    if (!ranges)
      return ranges.error();
    return applyTo(change, power, *ranges, "the lines");
  }
  if (!places.isCounted(change.name))
    return applyToLibrary(change, power);
  const Result<NameResolver::Meant> meant = places.function(change.name);
  if (!meant)
    return meant.error();
  Result<AppliedChange> done = applyTo(change, power, places.bodies(*meant), escape(change.name));
  if (done && !change.scales)
    done->assumption += "; what it calls costs what it did";
  return done;
}

size_t CostChanges::powers() const {
  size_t powers = 1;
  for (const auto &[f, layers] : changed)
    powers = std::max(powers, layers.size());
  return powers;
}

std::span<const Cumulants> CostChanges::blocksOf(size_t f, size_t power) const {
  if (const auto at = changed.find(f); at != changed.end())
    return power < at->second.size() ? at->second[power].blocks : std::span<const Cumulants>{};
  return power == 0 ? costs.blocks(f) : std::span<const Cumulants>{};
}

std::span<const Cumulants> CostChanges::edgesOf(size_t f, size_t power) const {
  const auto at = changed.find(f);
  return at != changed.end() && power < at->second.size() ? at->second[power].edges
                                                          : std::span<const Cumulants>{};
}

std::vector<Cumulants> CostChanges::countersOf(size_t f, size_t power) const {
  if (const auto at = changed.find(f); at != changed.end())
    return power < at->second.size() ? at->second[power].counted : std::vector<Cumulants>{};
  return power == 0 ? pricesOfCounters(f) : std::vector<Cumulants>{};
}

std::vector<Cumulants> CostChanges::countedPerExecution(size_t f, size_t power, size_t run) const {
  const std::vector<Cumulants> prices = countersOf(f, power);
  if (std::ranges::all_of(prices, [](const Cumulants &k) { return k == Cumulants{}; }))
    return {};
  const CountMatrix &matrix = costs.matrix();
  std::vector<double> counts;
  for (const uint32_t column : matrix.functions[f].counters)
    counts.push_back(column == noIndex ? 0 : matrix.columns[column].at(run));
  const std::vector<double> executed = costs.flowSolver(f).flow(counts).blocks;
  const std::span<const CounterCost> counters = costs.counters(f);
  std::vector<Cumulants> each(executed.size());
  for (size_t c = 0; c < counters.size(); ++c)
    if (const double n = executed[counters[c].block]; n > 0)
      each[counters[c].block] += counts[counters[c].counter] / n * prices[c];
  return each;
}

std::vector<Cumulants> CostChanges::perRun(size_t f, size_t power) const {
  const CountMatrix &matrix = costs.matrix();
  const Function &function = costs.function(f);
  const std::span<const Cumulants> perBlock = blocksOf(f, power), perEdge = edgesOf(f, power);
  const std::vector<Cumulants> counted = countersOf(f, power);
  std::vector<Cumulants> sum(matrix.rows.size());
  for (size_t r = 0; r < cumulantOrders.size(); ++r) {
    std::vector<double> b(function.blocks.size()), e(function.edges.size());
    bool any = false;
    for (size_t i = 0; i < perBlock.size(); ++i)
      any = (b[i] = perBlock[i].*cumulantOrders[r]) != 0 || any;
    for (size_t i = 0; i < perEdge.size(); ++i)
      any = (e[i] = perEdge[i].*cumulantOrders[r]) != 0 || any;
    for (const Cumulants &k : counted)
      any = k.*cumulantOrders[r] != 0 || any;
    if (!any)
      continue;
    LinearForm form = costs.flowSolver(f).linear(b, e);
    for (size_t c = 0; c < counted.size(); ++c)
      form.perCounter[costs.counters(f)[c].counter] += counted[c].*cumulantOrders[r];
    const std::vector<double> of = matrix.perRun(f, form);
    for (size_t d = 0; d < of.size(); ++d)
      sum[d].*cumulantOrders[r] = std::pow(costs.scale(d), r + 1) * of[d];
  }
  return sum;
}

std::vector<Cumulants> CostChanges::freed() const {
  std::vector<Cumulants> less(costs.matrix().rows.size());
  for (const auto &[f, layers] : changed) {
    const std::vector<Cumulants> left = perRun(f, 0);
    for (size_t r = 0; r < cumulantOrders.size(); ++r) {
      const std::vector<double> was = costs.perRun(f, r);
      for (size_t d = 0; d < less.size(); ++d)
        less[d].*cumulantOrders[r] += was[d] - left[d].*cumulantOrders[r];
    }
  }
  return less;
}

/// Per order and column, of the functions that change, as they are set in `costs`.
std::array<std::vector<double>, 4> CostChanges::weightsOfChanged() const {
  std::array<std::vector<double>, 4> sums;
  sums.fill(std::vector<double>(costs.matrix().columns.size(), 0.0));
  for (const auto &[f, layers] : changed)
    for (size_t r = 0; r < cumulantOrders.size(); ++r)
      costs.addWeights(sums[r], f, r);
  return sums;
}

// Only what changes is priced again: of most programs nearly all columns stay.
std::vector<std::vector<Cumulants>> CostChanges::runs() {
  const CountMatrix &matrix = costs.matrix();
  std::vector<std::vector<Cumulants>> terms(powers(), std::vector<Cumulants>(matrix.rows.size()));
  terms[0] = base;
  const auto was = weightsOfChanged();
  for (size_t e = terms.size(); e-- > 0;) { // 0 at last: `costs` stay those
    for (const auto &[f, layers] : changed)
      if (e < layers.size())
        costs.set(f, layers[e].blocks, layers[e].edges, layers[e].counted);
      else
        costs.set(f, std::vector<Cumulants>(costs.function(f).blocks.size()), {},
                  std::vector<Cumulants>(costs.counters(f).size()));
    auto sums = weightsOfChanged();
    for (size_t r = 0; r < cumulantOrders.size(); ++r) {
      for (size_t c = 0; c < sums[r].size() && e == 0; ++c)
        sums[r][c] -= was[r][c];
      const std::vector<double> perRun = matrix.perRun(sums[r]);
      for (size_t d = 0; d < perRun.size(); ++d)
        terms[e][d].*cumulantOrders[r] += std::pow(costs.scale(d), r + 1) * perRun[d];
    }
  }
  return terms;
}

void addPowers(const std::vector<std::vector<Cumulants>> &terms, double x,
               std::vector<Cumulants> &sum) {
  double factor = 1;
  for (const std::vector<Cumulants> &term : terms) {
    const double f2 = factor * factor;
    for (size_t d = 0; d < sum.size(); ++d) {
      const Cumulants &t = term[d];
      sum[d] += {factor * t.k1, f2 * t.k2, f2 * factor * t.k3, f2 * f2 * t.k4};
    }
    factor *= x;
  }
}

} // namespace quincunx
