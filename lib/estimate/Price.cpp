// Costs of functions in a run, from counters.
// The idea: for each function and order r, sum_b c_b k_r(X_b) is a linear form in its counters
// (lib/model/Counts), and so are the frames entered and lost. Their coefficients stand side by
// side, one row per counter; a run then costs a multiply-add per hit counter and slot. Only
// functions that lost or inherited frames need more. Reference: docs/03-runs-kept-apart.md. It does
// not combine runs.
#include "Price.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

std::array<Cumulants, classCount> classCosts(const Machine &machine) {
  std::array<Cumulants, classCount> costs;
  for (size_t c = 0; c < classCount; ++c)
    costs[c] = machine.cost(className(static_cast<Class>(c)));
  return costs;
}

Cumulants blockCost(const Block &b, const std::array<Cumulants, classCount> &classes) {
  Cumulants sum;
  for (const ClassCount &c : b.mix)
    sum += c.count * classes[static_cast<size_t>(c.kind)];
  return sum;
}

PricedMap::PricedMap(const Map &m, const std::array<Cumulants, classCount> &classes) : map(&m) {
  const bool constant =
      std::all_of(classes.begin(), classes.end(), [](const Cumulants &k) { return k.k2 == 0; });
  width = firstCumulant + (constant ? 1 : 4);
  functionOf.assign(m.counterCount, none);
  rows.assign(m.counterCount * width, 0.0);
  forms.resize(m.functions.size());
  sums.assign(m.functions.size() * width, 0.0);
  isTouched.assign(m.functions.size(), 0);
  for (uint32_t f = 0; f < m.functions.size(); ++f)
    addFunction(f, classes);
}

void PricedMap::addFunction(uint32_t f, const std::array<Cumulants, classCount> &classes) {
  const Function &function = map->functions[f];
  const auto row = [&](uint32_t c) { return &rows[(function.firstCounter + c) * width]; };
  const FrameForms frames = frameForms(function);
  for (uint32_t c = 0; c < function.counterCount; ++c) {
    functionOf[function.firstCounter + c] = f;
    row(c)[entered] = frames.entered[c];
    // Where cut frames are counted they are no uncertainty.
    row(c)[lost] = function.guarded && !function.exact ? frames.lost[c] : 0;
  }
  std::vector<Cumulants> blocks;
  for (const Block &b : function.blocks)
    blocks.push_back(blockCost(b, classes));
  double Cumulants::*const order[] = {&Cumulants::k1, &Cumulants::k2, &Cumulants::k3,
                                      &Cumulants::k4};
  for (size_t r = 0; r + firstCumulant < width; ++r) {
    std::vector<double> weights;
    for (const Cumulants &k : blocks)
      weights.push_back(k.*order[r]);
    Linear form = linearForm(function, weights);
    for (uint32_t c = 0; c < function.counterCount; ++c)
      row(c)[firstCumulant + r] = form.perCounter[c];
    form.perCounter = {};
    forms[f][r] = std::move(form);
  }
}

namespace {
Status check(const Counts &counts, const Map &map) {
  if (counts.index.size() != counts.value.size())
    return Error{"has counts without indices"};
  for (const uint32_t i : counts.index)
    if (i >= map.counterCount)
      return Error{"has counter " + std::to_string(i) + ", its map has " +
                   std::to_string(map.counterCount)};
  return Done{};
}
} // namespace

Status spread(const Counts &counts, const Map &map, std::vector<uint64_t> &dense) {
  if (const Status s = check(counts, map); !s)
    return s;
  dense.assign(map.counterCount, 0);
  for (size_t i = 0; i < counts.index.size(); ++i)
    dense[counts.index[i]] = counts.value[i];
  return Done{};
}

void PricedMap::touch(uint32_t f) {
  if (f == none || isTouched[f])
    return;
  isTouched[f] = 1;
  touched.push_back(f);
}

template <size_t slots> Status PricedMap::addUp(const Counts &counts) {
  if (const Status s = check(counts, *map); !s)
    return s;
  for (size_t i = 0; i < counts.index.size(); ++i) {
    const uint32_t c = counts.index[i], f = functionOf[c];
    if (f == none)
      continue;
    touch(f);
    const auto n = static_cast<double>(counts.value[i]);
    const double *row = &rows[c * slots];
    double *sum = &sums[f * slots];
    for (size_t slot = 0; slot < slots; ++slot)
      sum[slot] += n * row[slot];
  }
  return Done{};
}

Result<std::span<const FunctionCost>> PricedMap::price(const ImageCounts &image) {
  for (const uint32_t f : touched) {
    isTouched[f] = 0;
    std::fill_n(sums.begin() + static_cast<std::ptrdiff_t>(f * width), width, 0.0);
  }
  touched.clear();
  costs.clear();
  inherited.clear();
  const Status added = width == firstCumulant + 1 ? addUp<firstCumulant + 1>(image.counts)
                                                  : addUp<firstCumulant + 4>(image.counts);
  if (!added)
    return added.error();
  if (!image.inherited.index.empty())
    if (const Status s = spread(image.inherited, *map, inherited); !s)
      return s.error();
  for (const uint32_t c : image.inherited.index)
    touch(functionOf[c]);
  if (!std::is_sorted(touched.begin(), touched.end()))
    std::sort(touched.begin(), touched.end());
  if (!std::all_of(touched.begin(), touched.end(), [&](uint32_t f) { return exact(f); }))
    if (const Status s = spread(image.counts, *map, counters); !s)
      return s.error();
  for (const uint32_t f : touched)
    costs.push_back(costOf(f));
  return std::span<const FunctionCost>(costs);
}

Frames PricedMap::frames(uint32_t f) const {
  const Function &function = map->functions[f];
  const auto own = [&](const std::vector<uint64_t> &all) {
    return std::span(all).subspan(function.firstCounter, function.counterCount);
  };
  return countFrames(function, own(counters),
                     inherited.empty() ? std::span<const uint64_t>{} : own(inherited));
}

FunctionCost PricedMap::costOf(uint32_t f) const {
  const double *sum = &sums[f * width];
  const bool known = exact(f);
  const Frames fr = known ? Frames{} : frames(f);
  FunctionCost cost;
  cost.function = f;
  cost.calls = sum[entered];
  const auto take = [&](size_t r) {
    const double base = sum[firstCumulant + r];
    return known ? Count{base, base, base} : forms[f][r].around(base, fr);
  };
  const Count c = take(0);
  cost.low = std::max(0.0, c.low);
  cost.high = std::max(cost.low, c.high);
  cost.k.k1 = known ? c.value : cost.low + (cost.high - cost.low) / 2;
  cost.uncertain = cost.low != cost.high;
  if (width == firstCumulant + 1)
    return cost;
  cost.k = {cost.k.k1, take(1).value, take(2).value, take(3).value};
  if (!known) {
    const Projected p = project(moments(cost.k));
    cost.projected = p.changed;
    if (p.changed)
      cost.k = cumulants(p.moments);
  }
  return cost;
}

} // namespace quincunx
