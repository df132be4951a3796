#include "InlinedTotals.h"

#include "FunctionCosts.h"

#include <algorithm>
#include <optional>

namespace quincunx {

namespace {

/// Per scope of a function: does it stand in code that is meant?
std::vector<bool> scopesOf(const BlockCosts &blocks, size_t f, const SourceFunctions &sources,
                           const std::vector<bool> &meant) {
  const CountMatrix::Columns &own = blocks.matrix().functions[f];
  const std::vector<Scope> &scopes = blocks.function(f).scopes;
  std::vector<bool> in(scopes.size());
  for (uint32_t scope = 0; scope < scopes.size(); ++scope) {
    uint32_t s = scope;
    while (s != 0 && !meant[sources.of(own.map, own.function, s)])
      s = scopes[s].parent;
    in[scope] = meant[sources.of(own.map, own.function, s)];
  }
  return in;
}

} // namespace

TotalCosts::PerRun costInScopes(const BlockCosts &blocks, size_t f,
                                const std::vector<bool> &scopes) {
  const Function &function = blocks.function(f);
  BlockCosts::Part part;
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const std::vector<double> ofLines = blocks.lineShares(f, b);
    double &share = part.ofBlocks.emplace_back(0);
    for (size_t i = 0; i < ofLines.size(); ++i)
      share += scopes[function.blocks[b].lines[i].scope] ? ofLines[i] : 0;
  }
  for (const Call &c : function.calls)
    part.ofCalls.push_back(scopes[c.at.scope] ? 1 : 0);
  return blocks.partPerRun(f, part);
}

InlinedTotal inlinedTotal(const BlockCosts &blocks, const SourceFunctions &sources,
                          const std::vector<bool> &meant) {
  const CountMatrix &matrix = blocks.matrix();
  const TotalCosts::PerRun none(matrix.rows.size(), 0.0);
  InlinedTotal out{none, none, none, false};
  std::optional<TotalCosts> calls; // they take long where there are many
  TotalCosts::Costs costs;
  std::vector<bool> met(matrix.functions.size());
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const std::vector<bool> in = scopesOf(blocks, f, sources, meant);
    if (in[0] || std::ranges::find(in, true) == in.end())
      continue;
    const TotalCosts::PerRun own = costInScopes(blocks, f, in);
    for (size_t d = 0; d < own.size(); ++d) {
      out.own[d] += own[d];
      out.isAny = out.isAny || own[d] > 0;
    }
    const Function &function = blocks.function(f);
    if (std::ranges::none_of(function.calls, [&](const Call &c) { return in[c.at.scope]; }))
      continue;
    if (!calls) {
      calls.emplace(matrix, blocks.maps(), rootOf(blocks, ""));
      costs = calls->solve(ownCosts(blocks, 0));
    }
    for (const TotalCosts::ScopeCalls &call : calls->callsByScope(f, matrix)) {
      if (!in[call.scope])
        continue;
      for (size_t d = 0; d < own.size(); ++d) {
        out.called[d] += call.times[d] * costs.ofCall(f, call.callee, d);
        if (!met[call.callee])
          out.most[d] += costs.total[call.callee][d];
      }
      met[call.callee] = true;
    }
  }
  for (size_t d = 0; d < none.size(); ++d)
    out.most[d] = std::max(out.most[d], out.called[d]);
  return out;
}

} // namespace quincunx
