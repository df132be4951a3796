// Costs by the function of the source that code came from.
// The idea: a block's cost is divided among its lines, as everywhere, and a line is of the function
// whose text it is; blocks without lines are of the function that was compiled. Each part
// is a weighted sum of block counts, so a linear form in the counters (lib/model/FlowSolver); most
// counters are in few of them. It is not for functions that lost frames: nothing is known of where.
#include "SourceCosts.h"

#include "quincunx/model/FlowSolver.h"

#include <algorithm>

namespace quincunx {

SourceCosts::SourceCosts(const std::vector<Map> &all, size_t n, const Prices &p,
                         const SourceFunctions &s)
    : maps(&all), number(n), prices(&p), sources(&s), splits(all[n].functions.size()) {}

namespace {

constexpr double negligible = 1e-12;

/// Of a block's cost: numbers of functions of the source, with repetitions, and their shares.
using Shares = std::vector<std::pair<size_t, double>>;

/// Per block: the part of its cost that is the function's.
std::vector<double> partsOf(const std::vector<Shares> &shares, size_t source) {
  std::vector<double> parts;
  for (const Shares &all : shares) {
    double &part = parts.emplace_back(0);
    for (const auto &[of, share] : all)
      part += of == source ? share : 0;
  }
  return parts;
}

} // namespace

SourceCosts::Split SourceCosts::split(size_t function) const {
  const Function &f = (*maps)[number].functions[function];
  Split out;
  out.sources = {sources->of(number, function, 0)};
  std::vector<Shares> shares;
  for (const Block &b : f.blocks) {
    Shares &own = shares.emplace_back();
    const std::vector<double> ofLines = prices->lineShares(f, b);
    for (size_t i = 0; i < b.lines.size(); ++i)
      own.emplace_back(sources->of(number, function, b.lines[i].scope), ofLines[i]);
    if (own.empty())
      own.emplace_back(out.sources[0], 1);
    for (const auto &[source, share] : own)
      if (std::ranges::find(out.sources, source) == out.sources.end())
        out.sources.push_back(source);
  }
  if (out.sources.size() == 1)
    return {};
  const FlowSolver flowSolver(f);
  const std::vector<Cumulants> blocks = prices->apart(number, function).blocks;
  std::vector<std::vector<Weight>> perCounter(f.counterCount);
  for (uint32_t p = 0; p < out.sources.size(); ++p) {
    const std::vector<double> part = partsOf(shares, out.sources[p]);
    std::vector<Cumulants> all(f.counterCount);
    for (double Cumulants::*order :
         {&Cumulants::k1, &Cumulants::k2, &Cumulants::k3, &Cumulants::k4}) {
      std::vector<double> weights;
      for (size_t b = 0; b < blocks.size(); ++b)
        weights.push_back(part[b] * blocks[b].*order);
      const LinearForm form = flowSolver.linear(weights);
      for (uint32_t c = 0; c < f.counterCount; ++c)
        all[c].*order = form.perCounter[c];
      if (prices->constant())
        break;
    }
    for (const CounterCost &c : prices->counters(f))
      if (!c.isBytes())
        all[c.counter] += part[c.block] * c.price;
    for (uint32_t c = 0; c < f.counterCount; ++c)
      if (!(all[c] == Cumulants{}))
        perCounter[c].push_back({p, all[c]});
  }
  for (const std::vector<Weight> &weights : perCounter) {
    out.firstWeight.push_back(static_cast<uint32_t>(out.weights.size()));
    out.weights.insert(out.weights.end(), weights.begin(), weights.end());
  }
  out.firstWeight.push_back(static_cast<uint32_t>(out.weights.size()));
  return out;
}

std::span<const SourceCosts::Part> SourceCosts::of(uint32_t function, const Counts &counts) {
  if (!splits[function])
    splits[function] = split(function);
  const Split &s = *splits[function];
  parts.clear();
  for (const size_t source : s.sources)
    parts.push_back({source, {}});
  if (parts.empty())
    return {};
  const Function &f = (*maps)[number].functions[function];
  const auto from = std::ranges::lower_bound(counts.index, f.firstCounter);
  for (auto i = from; i != counts.index.end() && *i < f.firstCounter + f.counterCount; ++i) {
    const auto count =
        static_cast<double>(counts.value[static_cast<size_t>(i - counts.index.begin())]);
    const uint32_t c = *i - f.firstCounter;
    for (uint32_t w = s.firstWeight[c]; w < s.firstWeight[c + 1]; ++w)
      parts[s.weights[w].part].k += count * s.weights[w].k;
  }
  double whole = 0;
  for (const Part &p : parts)
    whole += p.k.k1;
  for (Part &p : parts) // rounding, or the process was killed in a loop with counters in registers
    if (p.k.k1 < negligible * whole)
      p.k = {};
  return parts;
}

} // namespace quincunx
