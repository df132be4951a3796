// A function as a Markov chain.
// The idea: expected visits z of a chain with shares P that starts in s solve (I - P') z = s, and
// the probability e to leave a loop before coming back solves e = P_out + P e inside of it. Both
// keep conservation of flow. Reference: docs/17-what-if.md. It knows no runs and no costs.
#include "quincunx/model/Chain.h"

namespace quincunx {

namespace {

using Entries = std::vector<std::pair<uint32_t, uint32_t>>; ///< of a matrix: row, column

std::vector<uint32_t> innerEdges(const Function &f) {
  std::vector<uint32_t> inner;
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].from != noIndex && headOf(f.edges[e]) != noIndex)
      inner.push_back(e);
  return inner;
}

/// The diagonal, then the inner edges.
Entries entriesOf(const Function &f, const std::vector<uint32_t> &inner, bool transposed) {
  Entries entries;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    entries.emplace_back(b, b);
  for (const uint32_t e : inner)
    if (transposed)
      entries.emplace_back(f.edges[e].to, f.edges[e].from);
    else
      entries.emplace_back(f.edges[e].from, f.edges[e].to);
  return entries;
}

} // namespace

Chain::Chain(const Function &function)
    : f(function), inner(innerEdges(f)), forward(f.blocks.size(), entriesOf(f, inner, true)),
      backward(f.blocks.size(), entriesOf(f, inner, false)) {}

std::vector<double> Chain::shares(const std::vector<double> &flow,
                                  const std::vector<double> &usual) const {
  std::vector<double> out(f.blocks.size()), usually(f.blocks.size()), shares(f.edges.size());
  for (size_t e = 0; e < f.edges.size(); ++e)
    if (const uint32_t from = f.edges[e].from; from != noIndex) {
      out[from] += flow[e];
      usually[from] += usual[e];
    }
  for (size_t e = 0; e < f.edges.size(); ++e)
    if (const uint32_t from = f.edges[e].from; from != noIndex)
      shares[e] = out[from] > 0       ? flow[e] / out[from]
                  : usually[from] > 0 ? usual[e] / usually[from]
                                      : 0;
  return shares;
}

std::vector<double> Chain::valuesOf(const std::vector<double> &shares) const {
  std::vector<double> values(f.blocks.size(), 1.0);
  for (const uint32_t e : inner)
    values.push_back(-shares[e]);
  return values;
}

std::vector<double> Chain::visits(const std::vector<double> &shares,
                                  const std::vector<double> &start) {
  return forward.solve(valuesOf(shares), start);
}

std::vector<double> Chain::leaving(const std::vector<double> &shares, const Loop &loop,
                                   const std::vector<bool> &body) {
  std::vector<double> inside = shares, right(f.blocks.size(), 0.0);
  for (size_t e = 0; e < f.edges.size(); ++e) {
    const uint32_t from = f.edges[e].from, to = headOf(f.edges[e]);
    if (from == noIndex || (to != noIndex && body[from] && body[to] && to != loop.header))
      continue;
    if (body[from] && to != loop.header)
      right[from] += shares[e];
    inside[e] = 0; // it leaves, comes back, or is not of the loop
  }
  for (size_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].from != noIndex && !body[f.edges[e].from])
      inside[e] = 0;
  return backward.solve(valuesOf(inside), right);
}

} // namespace quincunx
