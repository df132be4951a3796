// Orders the equations of conservation: one for each block, what enters leaves.
#include "FlowPlan.h"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace quincunx {

namespace {

Incidence incidence(const Function &f) {
  Incidence g{std::vector<std::vector<uint32_t>>(f.blocks.size()),
              std::vector<std::vector<uint32_t>>(f.blocks.size())};
  for (uint32_t e = 0; e < f.edges.size(); ++e) {
    const Edge &edge = f.edges[e];
    if (edge.from == edge.to)
      continue; // adds as much to both sides of its block
    if (edge.from != noIndex)
      g.out[edge.from].push_back(e);
    if (edge.to != noIndex)
      g.in[edge.to].push_back(e);
  }
  return g;
}

std::vector<SolvingStep> solvingOrder(const Function &f, const Incidence &g,
                                      std::vector<uint32_t> &terms) {
  std::vector<uint32_t> unknown(f.blocks.size(), 0);
  std::vector<bool> known(f.edges.size());
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    known[e] = f.edges[e].counter != noIndex;
  std::vector<uint32_t> ready;
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    for (const auto *side : {&g.in[b], &g.out[b]})
      unknown[b] += static_cast<uint32_t>(
          std::count_if(side->begin(), side->end(), [&](uint32_t e) { return !known[e]; }));
    if (unknown[b] == 1)
      ready.push_back(b);
  }
  std::vector<SolvingStep> order;
  while (!ready.empty()) {
    const uint32_t b = ready.back();
    ready.pop_back();
    if (unknown[b] != 1)
      continue; // solved from the other end meanwhile: the root of its tree
    for (const auto *side : {&g.in[b], &g.out[b]})
      for (const uint32_t e : *side)
        if (!known[e]) {
          known[e] = true;
          const auto end = [&] { return static_cast<uint32_t>(terms.size()); };
          SolvingStep &step =
              order.emplace_back(SolvingStep{e, b, end(), 0, 0, f.edges[e].from == b});
          std::ranges::remove_copy(g.in[b], std::back_inserter(terms), e);
          step.out = end();
          std::ranges::remove_copy(g.out[b], std::back_inserter(terms), e);
          step.end = end();
          unknown[b] = 0;
          const uint32_t other = f.edges[e].from == b ? f.edges[e].to : f.edges[e].from;
          if (other != noIndex && --unknown[other] == 1)
            ready.push_back(other);
        }
  }
  return order;
}

UnmeasuredTrees findTrees(const Function &f, const std::vector<SolvingStep> &order) {
  UnmeasuredTrees trees{std::vector<uint32_t>(f.blocks.size(), noIndex), {}};
  std::vector<bool> solved(f.blocks.size());
  for (const SolvingStep &step : order)
    solved[step.block] = true;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    if (!solved[b]) {
      trees.of[b] = static_cast<uint32_t>(trees.roots.size());
      trees.roots.push_back(b);
    }
  for (const SolvingStep &step : std::views::reverse(order)) {
    const Edge &e = f.edges[step.edge];
    const uint32_t other = e.from == step.block ? e.to : e.from;
    trees.of[step.block] = other == noIndex ? noIndex : trees.of[other];
  }
  return trees;
}

} // namespace

FlowPlan::FlowPlan(const Function &function)
    : f(function), g(incidence(f)), order(solvingOrder(f, g, terms)), trees(findTrees(f, order)) {}

} // namespace quincunx
