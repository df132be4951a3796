// Costs of functions in a run, from counters.
// The idea: for each function and order r, sum_b c_b k_r(X_b) is a linear form in its counters
// (lib/model/FlowSolver), and so are the frames entered and lost. Their coefficients stand side by
// side, one row per counter; a run then costs a multiply-add per hit counter and slot. Only
// functions that lost or inherited frames need more. Reference: docs/03-runs-kept-apart.md. It does
// not combine runs.
#include "PricedMap.h"

#include "quincunx/profile/DenseCounts.h"

#include <algorithm>

namespace quincunx {

PricedMap::PricedMap(const std::vector<Map> &maps, size_t number, const Prices &prices,
                     Charge charge)
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
    addFunction(f, number, prices, charge);
}

void PricedMap::addFunction(uint32_t f, size_t number, const Prices &prices, Charge charge) {
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
  const std::vector<Cumulants> blocks =
      charge == Charge::own ? prices.apart(number, f).blocks : prices.blocks(number, f);
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
  const std::vector<CounterCost> counted = prices.counters(function);
  for (const CounterCost &c : counted)
    for (size_t r = 0; r < orders && !(c.isBytes() && charge == Charge::own); ++r)
      row(c.counter)[firstCumulant + r] += c.price.*order[r];
  if (!prices.fitted())
    return;
  const LinearForm weighed = flowSolver.linear(prices.weights(number, f));
  for (uint32_t c = 0; c < function.counterCount; ++c)
    row(c)[width - 1] = weighed.perCounter[c];
  for (const CounterCost &c : counted)
    row(c.counter)[width - 1] += c.price.k1;
}

Result<std::span<const FunctionCost>> PricedMap::price(const ImageCounts &image) {
  for (const Counts *counts : {&image.counts, &image.inherited})
    if (const Status s = checkCounts(*counts, *map); !s)
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
// All indices were checked (price()), so that none is looked at here.
template <size_t slots> void PricedMap::addUp(const Counts &counts, const Counts &inherited) {
  const size_t n = counts.index.size(), m = inherited.index.size();
  const uint32_t *const index = counts.index.data(), *const of = functionOf.data();
  const uint64_t *const value = counts.value.data();
  const double *const weights = rows.data();
  for (size_t i = 0, j = 0; i < n || j < m;) {
    const uint32_t c = std::min(i < n ? index[i] : noIndex, j < m ? inherited.index[j] : noIndex);
    const uint32_t f = of[c];
    if (f == noIndex) { // of no function
      while (i < n && of[index[i]] == noIndex)
        ++i;
      while (j < m && functionOf[inherited.index[j]] == noIndex)
        ++j;
      continue;
    }
    const size_t firstOwn = i, firstInherited = j;
    const uint32_t before = rowsBefore[f];
    std::array<double, slots> sum{};
    for (; i < n && of[index[i]] == f; ++i) {
      const auto count = static_cast<double>(value[i]);
      const double *row = weights + size_t{index[i] - before} * slots;
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
