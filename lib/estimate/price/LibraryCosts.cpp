// Counts calls of functions that no map has, and charges them.
// The idea: a call is made as often as its block is executed, which is a linear form in counters
// (lib/model/FlowSolver); most counters say nothing of such calls, so that a run costs little more
// than looking at each. Only the flow of functions that lost or inherited frames, or call very many
// others, is solved in each run. It combines no runs.
#include "LibraryCosts.h"

#include "quincunx/profile/DenseCounts.h"

#include <algorithm>

namespace quincunx {

LibraryCosts::LibraryCosts(const std::vector<Map> &maps, size_t number, const Prices &prices)
    : map(&maps[number]) {
  std::vector<std::vector<Term>> perCounter(map->counterCount);
  for (uint32_t f = 0; f < map->functions.size(); ++f)
    if (!map->functions[f].calls.empty())
      addFunction(f, prices.apart(number, f), prices, perCounter);
  firstTerm.push_back(0);
  for (const std::vector<Term> &own : perCounter) {
    terms.insert(terms.end(), own.begin(), own.end());
    firstTerm.push_back(terms.size());
  }
  times.resize(sites.size());
  bytes.resize(sites.size());
  counted.resize(sites.size());
}

void LibraryCosts::addFunction(uint32_t f, const Prices::OfFunction &priced, const Prices &prices,
                               std::vector<std::vector<Term>> &perCounter) {
  const Function &function = map->functions[f];
  const auto first = static_cast<std::ptrdiff_t>(sites.size());
  for (size_t c = 0; c < function.calls.size(); ++c) {
    const uint32_t callee = prices.library().numberOf(function.calls[c].callee);
    if (callee == noIndex)
      continue;
    const auto from = sites.begin() + first;
    const auto compared = from + std::min(mostSites, sites.end() - from);
    auto at = std::find_if(from, compared, [&](const Site &s) {
      return s.callee == callee && s.price == priced.calls[c] &&
             s.byte == prices.byte(function.calls[c]);
    });
    at = at == compared ? sites.end() : at;
    if (at == sites.end())
      at = sites.insert(at, {f, callee, priced.calls[c], prices.byte(function.calls[c]), {}});
    at->calls.push_back(static_cast<uint32_t>(c));
  }
  const auto added = static_cast<std::ptrdiff_t>(sites.size()) - first;
  callsVeryMany |= added > mostSites;
  if (added == 0 || added > mostSites)
    return;
  const FlowSolver flow(function);
  for (auto s = static_cast<uint32_t>(first); s < sites.size(); ++s)
    addTerms(s, flow, perCounter);
}

void LibraryCosts::addTerms(uint32_t site, const FlowSolver &flow,
                            std::vector<std::vector<Term>> &perCounter) const {
  const Function &function = map->functions[sites[site].caller];
  std::vector<double> once(function.blocks.size(), 0.0), moved = once;
  for (const uint32_t c : sites[site].calls) {
    const Call &call = function.calls[c];
    once[call.block] += 1;
    moved[call.block] += static_cast<double>(call.constantBytes);
  }
  const std::vector<double> weights = flow.linear(once).perCounter;
  const std::vector<double> each = flow.linear(moved).perCounter;
  std::vector<double> counts(function.counterCount, 0.0);
  for (const uint32_t c : sites[site].calls)
    if (const uint32_t counter = function.calls[c].byteCounter; counter != noIndex)
      counts[counter] += 1;
  for (uint32_t c = 0; c < function.counterCount; ++c)
    if (weights[c] != 0 || each[c] != 0 || counts[c] != 0)
      perCounter[function.firstCounter + c].push_back(
          {site, weights[c], each[c] + counts[c], counts[c]});
}

/// Where frames were lost or inherited it is known to an interval only how often blocks ran.
void LibraryCosts::solve(const ImageCounts &image, std::span<const FunctionCost> own) {
  std::vector<uint64_t> dense, inherited;
  for (const FunctionCost &cost : own) {
    if (!cost.uncertain() && !callsVeryMany)
      continue;
    const auto [from, to] =
        std::equal_range(sites.begin(), sites.end(), Site{cost.function, 0, {}, {}, {}},
                         [](const Site &a, const Site &b) { return a.caller < b.caller; });
    if (from == to || (!cost.uncertain() && to - from <= mostSites))
      continue;
    if (dense.empty() && (!expandCounts(image.counts, *map, dense) ||
                          !expandCounts(image.inherited, *map, inherited)))
      return;
    const Function &f = map->functions[cost.function];
    const auto of = [&](const std::vector<uint64_t> &all) {
      return std::span(all).subspan(f.firstCounter, f.counterCount);
    };
    const FunctionCounts flow = FlowSolver(f).counts(of(dense), of(inherited));
    for (auto site = from; site != to; ++site) {
      const auto s = static_cast<size_t>(site - sites.begin());
      Count sum;
      bytes[s] = counted[s] = 0;
      for (const uint32_t c : site->calls) {
        const Call &call = f.calls[c];
        const Count &executed = flow.blocks[call.block];
        sum.value += executed.value;
        sum.low += executed.low;
        sum.high += executed.high;
        if (call.byteCounter == noIndex)
          bytes[s] += static_cast<double>(call.constantBytes) * executed.value;
        else
          counted[s] += static_cast<double>(of(dense)[call.byteCounter]);
      }
      bytes[s] += counted[s];
      times[s] = sum.value;
      intervals.emplace_back(s, sum);
    }
  }
}

void LibraryCosts::addTo(std::vector<FunctionCost> &called, const ImageCounts &image,
                         std::span<const FunctionCost> own) {
  std::fill(times.begin(), times.end(), 0.0);
  std::fill(bytes.begin(), bytes.end(), 0.0);
  std::fill(counted.begin(), counted.end(), 0.0);
  intervals.clear();
  const std::vector<uint32_t> &index = image.counts.index;
  for (size_t i = 0; i < index.size(); ++i) {
    const auto count = static_cast<double>(image.counts.value[i]);
    for (size_t t = firstTerm[index[i]]; t < firstTerm[index[i] + 1]; ++t) {
      times[terms[t].site] += terms[t].weight * count;
      bytes[terms[t].site] += terms[t].bytes * count;
      counted[terms[t].site] += terms[t].counted * count;
    }
  }
  solve(image, own);
  for (size_t s = 0; s < sites.size(); ++s) {
    // Less than nothing: the process was killed in a loop that had its counters in registers.
    if (times[s] <= 0)
      continue;
    FunctionCost &to = called[sites[s].callee];
    const Cumulants cost = times[s] * sites[s].price + counted[s] * sites[s].byte;
    to.calls += times[s];
    to.bytes += bytes[s];
    to.k += cost;
    to.low += cost.k1;
    to.high += cost.k1;
  }
  for (const auto &[s, sum] : intervals) {
    FunctionCost &to = called[sites[s].callee];
    to.low += (sum.low - sum.value) * sites[s].price.k1;
    to.high += (sum.high - sum.value) * sites[s].price.k1;
  }
}

} // namespace quincunx
