// Costs of functions in a run, from counters.
// The idea: for each function and order r, sum_b c_b k_r(X_b) is a linear form in its counters
// (lib/model/FlowSolver), and so are the frames entered and lost. Their coefficients stand side by
// side, one row per counter; a run then costs a multiply-add per hit counter and slot. Only
// functions that lost or inherited frames need more. Reference: docs/03-runs-kept-apart.md. It does
// not combine runs.
#include "Price.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace quincunx {

std::array<Cumulants, classCount> classCosts(const Machine &machine) {
  std::array<Cumulants, classCount> costs;
  for (size_t c = 0; c < classCount; ++c)
    costs[c] = machine.cost(className(static_cast<InstructionClass>(c)));
  return costs;
}

namespace {
bool isConstantCost(const Cumulants &k) { return k.k2 == 0; }

/// X (1 + e), with e independent of X, of mean 0 and these moments.
Cumulants scatter(const Cumulants &x, const Moments &e) {
  const RawMoments a = rawMoments(x);
  const RawMoments b = rawMoments(cumulants(Moments{1, e.variance, e.skewness, e.kurtosis}));
  return cumulants(RawMoments{a.m1 * b.m1, a.m2 * b.m2, a.m3 * b.m3, a.m4 * b.m4});
}
} // namespace

Prices::Prices(const std::vector<Map> &all, const Machine &machine)
    : maps(&all), classes(classCosts(machine)), callees(machine.callees),
      start(machine.event("start")), spreadOfPrograms(machine.programSpread),
      scale(machine.fit.scale), memoryExponent(machine.fit.memoryExponent),
      memoryBase(machine.fit.memoryBase), ofRuns(machine.fit.ofRuns),
      knowsMispredictions(machine.fit.carriesMispredictions ||
                          std::any_of(all.begin(), all.end(), simulates)),
      residual(machine.fit.residual) {
  std::map<std::pair<std::string_view, uint32_t>, const ProgramFit::Function *> known;
  for (const ProgramFit::Function &f : machine.fit.functions)
    known[{f.name, f.ordinal}] = &f;
  for (size_t m = 0; m < all.size(); ++m) {
    std::map<std::string_view, uint32_t> met;
    for (size_t f = 0; f < all[m].functions.size(); ++f) {
      const Function &code = all[m].functions[f];
      callees.erase(code.name);
      const auto at = known.find({code.name, met[code.name]++});
      if (at != known.end() && at->second->weights.size() == code.blocks.size())
        fits[{m, f}] = {at->second->weights, at->second->carried};
    }
  }
  for (size_t e = 0; e < eventCount; ++e)
    events[e] = machine.event(eventNames[e]);
  isConstant = std::all_of(events.begin(), events.end(), isConstantCost) &&
               std::all_of(classes.begin(), classes.end(), isConstantCost) &&
               std::all_of(callees.begin(), callees.end(),
                           [](const auto &c) { return isConstantCost(c.second); });
}

const Prices::Fit *Prices::fitOf(size_t map, size_t function) const {
  const auto at = fits.find({map, function});
  return at == fits.end() ? nullptr : &at->second;
}

double memoryFactor(double peakMemory, double exponent, double least) {
  return exponent > 0 && peakMemory > least ? std::pow(peakMemory / least, exponent) : 1;
}

double bounded(double weight, double alone) {
  return std::clamp(weight, alone / ProgramFit::maxPriceRatio, alone * ProgramFit::maxPriceRatio);
}

Cumulants Prices::block(size_t map, size_t function, size_t block) const {
  const Function &f = (*maps)[map].functions[function];
  Cumulants sum;
  for (const ClassCount &c : f.blocks[block].mix)
    sum += c.count * classes[static_cast<size_t>(c.kind)];
  for (const Call &call : callees.empty() ? std::vector<Call>{} : f.calls)
    if (const auto at = callees.find(call.callee); call.block == block && at != callees.end())
      sum += at->second;
  if (const Fit *fit = fitOf(map, function)) {
    const double carried = fit->carried.empty() ? 0 : fit->carried[block];
    sum.k1 = scale * bounded(fit->weights[block], sum.k1 + carried);
  }
  return sum;
}

std::vector<Cumulants> Prices::blocks(size_t map, size_t function) const {
  std::vector<Cumulants> all;
  for (size_t b = 0; b < (*maps)[map].functions[function].blocks.size(); ++b)
    all.push_back(block(map, function, b));
  return all;
}

std::vector<double> Prices::weights(size_t map, size_t function) const {
  if (const Fit *fit = fitOf(map, function))
    return fit->weights;
  std::vector<double> all;
  for (const Cumulants &k : blocks(map, function))
    all.push_back(k.k1);
  return all;
}

Prices::OfRun Prices::run(const Cumulants &blocks, double weighed, const Use &use) const {
  OfRun out;
  if (fitted() && blocks.k1 > 0)
    out.scale = std::max(weighed / blocks.k1, 1 / ProgramFit::maxPriceRatio) *
                memoryFactor(use.peakMemory, memoryExponent, memoryBase);
  out.cost = run(scaled(out.scale, blocks), use);
  return out;
}

Cumulants Prices::run(const Cumulants &blocks, const Use &use) const {
  Cumulants whole = blocks;
  if (ofRuns)
    whole += start + use.pageFaults * event(Event::fault);
  if (ofRuns && !knowsMispredictions)
    whole += use.branchMisses * event(Event::mispredict);
  return scatters() ? scatter(whole, residual) : whole;
}

PricedMap::PricedMap(const std::vector<Map> &maps, size_t number, const Prices &prices)
    : map(&maps[number]), orders(prices.constant() ? 1 : 4),
      width(firstCumulant + orders + (prices.fitted() ? 1 : 0)) {
  functionOf.assign(map->counterCount, noIndex);
  uint32_t rowCount = 0;
  for (const Function &f : map->functions) {
    rowsBefore.push_back(f.firstCounter - rowCount);
    rowCount += f.counterCount;
  }
  rows.assign(size_t{rowCount} * width, 0.0);
  forms.resize(map->functions.size());
  for (uint32_t f = 0; f < map->functions.size(); ++f)
    addFunction(f, number, prices);
}

void PricedMap::addFunction(uint32_t f, size_t number, const Prices &prices) {
  const Function &function = map->functions[f];
  const uint32_t firstRow = function.firstCounter - rowsBefore[f];
  const auto row = [&](uint32_t c) { return &rows[(firstRow + c) * width]; };
  const FlowSolver flowSolver(function);
  const FrameForms frames = flowSolver.frameForms();
  for (uint32_t c = 0; c < function.counterCount; ++c) {
    functionOf[function.firstCounter + c] = f;
    row(c)[entered] = frames.entered[c];
    // Where cut frames are counted they are no uncertainty.
    row(c)[lost] = function.guarded && !function.exact ? frames.lost[c] : 0;
  }
  const std::vector<Cumulants> blocks = prices.blocks(number, f);
  double Cumulants::*const order[] = {&Cumulants::k1, &Cumulants::k2, &Cumulants::k3,
                                      &Cumulants::k4};
  for (size_t r = 0; r < orders; ++r) {
    std::vector<double> weights;
    for (const Cumulants &k : blocks)
      weights.push_back(k.*order[r]);
    LinearForm form = flowSolver.linear(weights);
    for (uint32_t c = 0; c < function.counterCount; ++c)
      row(c)[firstCumulant + r] = form.perCounter[c];
    form.perCounter = {};
    forms[f][r] = std::move(form);
  }
  for (const EventCounter &e : eventCounters(function))
    for (size_t r = 0; r < orders; ++r)
      row(e.counter)[firstCumulant + r] += prices.event(e.event).*order[r];
  if (!prices.fitted())
    return;
  const LinearForm weighed = flowSolver.linear(prices.weights(number, f));
  for (uint32_t c = 0; c < function.counterCount; ++c)
    row(c)[width - 1] = weighed.perCounter[c];
  for (const EventCounter &e : eventCounters(function))
    row(e.counter)[width - 1] += prices.event(e.event).k1;
}

namespace {
/// Indices from a stranger: ascending, and of words from `first` on that the map has.
Status check(const Counts &counts, uint32_t first, uint32_t end) {
  const auto &index = counts.index;
  if (index.size() != counts.value.size())
    return Error{"has counts without indices"};
  if (std::adjacent_find(index.begin(), index.end(), std::greater_equal<>()) != index.end())
    return Error{"has counters that are out of order"};
  if (!index.empty() && (index.back() >= end || index.front() < first))
    return Error{"has counter " + std::to_string(index.back()) + ", its map has " +
                 std::to_string(end)};
  return Done{};
}

Status check(const Counts &counts, const Map &map) { return check(counts, 0, map.counterCount); }
} // namespace

Status checkCounts(const ImageCounts &image, const Map &map) {
  if (image.counterCount != map.wordCount)
    return Error{"has " + std::to_string(image.counterCount) + " counters, its map has " +
                 std::to_string(map.wordCount)};
  for (const Counts *counts : {&image.counts, &image.inherited})
    if (const Status s = check(*counts, map); !s)
      return s;
  return check(image.recorders, map.counterCount, map.wordCount);
}

Status spread(const Counts &counts, const Map &map, std::vector<uint64_t> &dense) {
  if (const Status s = check(counts, map); !s)
    return s;
  dense.assign(map.counterCount, 0);
  for (size_t i = 0; i < counts.index.size(); ++i)
    dense[counts.index[i]] = counts.value[i];
  return Done{};
}

Result<std::span<const FunctionCost>> PricedMap::price(const ImageCounts &image) {
  for (const Counts *counts : {&image.counts, &image.inherited})
    if (const Status s = check(*counts, *map); !s)
      return s.error();
  costs.clear();
  if (width == firstCumulant + 1)
    addUp<firstCumulant + 1>(image.counts, image.inherited);
  else if (width == firstCumulant + 2)
    addUp<firstCumulant + 2>(image.counts, image.inherited);
  else if (width == firstCumulant + 4)
    addUp<firstCumulant + 4>(image.counts, image.inherited);
  else
    addUp<firstCumulant + 5>(image.counts, image.inherited);
  const auto before = [](const FunctionCost &a, const FunctionCost &b) {
    return a.function < b.function;
  };
  if (!std::is_sorted(costs.begin(), costs.end(), before))
    std::sort(costs.begin(), costs.end(), before);
  return std::span<const FunctionCost>(costs);
}

// The counters of a function follow each other, so its sums are complete before the next begins.
template <size_t slots> void PricedMap::addUp(const Counts &counts, const Counts &inherited) {
  const size_t n = counts.index.size(), m = inherited.index.size();
  for (size_t i = 0, j = 0; i < n || j < m;) {
    const uint32_t c =
        std::min(i < n ? counts.index[i] : noIndex, j < m ? inherited.index[j] : noIndex);
    const uint32_t f = functionOf[c];
    if (f == noIndex) { // of no function
      while (i < n && functionOf[counts.index[i]] == noIndex)
        ++i;
      while (j < m && functionOf[inherited.index[j]] == noIndex)
        ++j;
      continue;
    }
    const size_t firstOwn = i, firstInherited = j;
    const uint32_t before = rowsBefore[f];
    std::array<double, slots> sum{};
    for (; i < n && functionOf[counts.index[i]] == f; ++i) {
      const auto count = static_cast<double>(counts.value[i]);
      const double *row = &rows[(counts.index[i] - before) * slots];
      for (size_t slot = 0; slot < slots; ++slot)
        sum[slot] += count * row[slot];
    }
    while (j < m && functionOf[inherited.index[j]] == f)
      ++j;
    if (sum[lost] == 0 && m == 0)
      costs.push_back(exactCost(f, sum));
    else
      costs.push_back(uncertainCost(
          f, sum,
          FlowSolver(map->functions[f])
              .frames(own(f, counts, firstOwn, i),
                      m == 0 ? std::vector<uint64_t>{} : own(f, inherited, firstInherited, j))));
  }
}

/// The counters of a function, which stand at `from` <= i < `to` among `counts`.
std::vector<uint64_t> PricedMap::own(uint32_t f, const Counts &counts, size_t from,
                                     size_t to) const {
  const Function &function = map->functions[f];
  std::vector<uint64_t> dense(function.counterCount, 0);
  for (size_t i = from; i < to; ++i)
    dense[counts.index[i] - function.firstCounter] = counts.value[i];
  return dense;
}

FunctionCost PricedMap::exactCost(uint32_t f, std::span<const double> sum) const {
  FunctionCost cost;
  cost.function = f;
  cost.calls = sum[entered];
  cost.weighed = sum.size() > firstCumulant + orders ? sum.back() : 0;
  // Less than nothing: the process was killed in a loop that had its counters in registers.
  if (sum[firstCumulant] <= 0)
    return cost;
  cost.k.k1 = cost.low = cost.high = sum[firstCumulant];
  if (orders == 1)
    return cost;
  cost.k = {cost.k.k1, sum[firstCumulant + 1], sum[firstCumulant + 2], sum[firstCumulant + 3]};
  if (cost.k.k2 < 0)
    cost.k = cumulants(project(moments(cost.k)).moments);
  return cost;
}

FunctionCost PricedMap::uncertainCost(uint32_t f, std::span<const double> sum,
                                      const Frames &frames) const {
  FunctionCost cost;
  cost.function = f;
  cost.calls = sum[entered];
  cost.weighed = sum.size() > firstCumulant + orders ? sum.back() : 0;
  const auto take = [&](size_t r) { return forms[f][r].around(sum[firstCumulant + r], frames); };
  const Count c = take(0);
  cost.low = std::max(0.0, c.low);
  cost.high = std::max(cost.low, c.high);
  cost.k.k1 = cost.low + (cost.high - cost.low) / 2;
  if (orders == 1)
    return cost;
  cost.k = {cost.k.k1, take(1).value, take(2).value, take(3).value};
  const Projected p = project(moments(cost.k));
  cost.projected = p.changed;
  if (p.changed)
    cost.k = cumulants(p.moments);
  return cost;
}

} // namespace quincunx
