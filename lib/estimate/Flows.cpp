// The flow of functions, run by run.
// The idea: expected visits z of a chain with shares P that starts in s solve (I - P') z = s, and
// the probability e to leave a loop before coming back solves e = P_out + P e inside of it. Both
// keep conservation of flow. Reference: docs/17-what-if.md. What a run did stays what it counted;
// the chain only says what follows from a change.
#include "Flows.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

std::vector<double> perRun(const CountMatrix &matrix, size_t f, const LinearForm &form) {
  const CountMatrix::Columns &own = matrix.functions[f];
  std::vector<double> sum(matrix.rows.size(), 0.0);
  const auto add = [&](uint32_t column, double weight) {
    if (column != noIndex && weight != 0)
      matrix.columns[column].addTo(sum, weight);
  };
  for (size_t c = 0; c < own.counters.size(); ++c)
    add(own.counters[c], form.perCounter[c]);
  for (size_t t = 0; t < own.trees.size() && t < form.lost.size(); ++t)
    add(own.trees[t], form.lost[t].low + (form.lost[t].high - form.lost[t].low) / 2);
  return sum;
}

FunctionCounts Flows::counts(size_t f, size_t run) const {
  const CountMatrix &matrix = blocks.matrix();
  std::vector<uint64_t> counters;
  for (const uint32_t c : matrix.functions[f].counters)
    counters.push_back(
        c == noIndex ? 0 : static_cast<uint64_t>(std::llround(matrix.columns[c].at(run))));
  return blocks.flowSolver(f).counts(counters);
}

Flows::OfFunction &Flows::of(size_t f) {
  const auto [at, fresh] = known.try_emplace(f);
  if (!fresh)
    return at->second;
  for (size_t d = 0; d < blocks.matrix().rows.size(); ++d) {
    std::vector<double> &edges = at->second.was.emplace_back();
    for (const Count &e : counts(f, d).edges)
      edges.push_back(std::max(0.0, e.value)); // less than nothing: a child that was forked
  }
  at->second.is = at->second.was;
  return at->second;
}

namespace {

using Places = std::vector<std::pair<uint32_t, uint32_t>>;

std::vector<uint32_t> innerEdges(const Function &f) {
  std::vector<uint32_t> inner;
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].from != noIndex && headOf(f.edges[e]) != noIndex)
      inner.push_back(e);
  return inner;
}

/// The diagonal, then the inner edges.
Places placesOf(const Function &f, const std::vector<uint32_t> &inner, bool transposed) {
  Places places;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    places.emplace_back(b, b);
  for (const uint32_t e : inner)
    if (transposed)
      places.emplace_back(f.edges[e].to, f.edges[e].from);
    else
      places.emplace_back(f.edges[e].from, f.edges[e].to);
  return places;
}

} // namespace

Chain::Chain(const Function &function)
    : f(function), inner(innerEdges(f)), forward(f.blocks.size(), placesOf(f, inner, true)),
      backward(f.blocks.size(), placesOf(f, inner, false)) {}

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
