// Totals of functions of the source from those that were compiled.
// The idea: while a function runs, what runs is its code, and what its code calls. Of one that was
// inlined its code is what stands in its scopes; calls made there cost what calls of their callee
// cost on average in the run (TotalCosts). Where a call under it may lead into code of it again,
// that is no more than is under it already: with p_ij the calls of a function j under the part of
// i, made in one call of i, e_j = phi_j + sum_i phi_i p_ij of the calls of j are phi_j under none,
// and these count.
#include "SourceTotals.h"

#include "quincunx/numeric/LinearSystem.h"

#include <algorithm>
#include <set>

namespace quincunx {

SourceTotals::SourceTotals(const SourceFunctions &s, const BlockCosts &b, TotalCosts &c,
                           const TotalCosts::Costs &k, bool areKnown)
    : sources(s), blocks(b), calls(c), costs(k), compiled(s.size(), TotalCosts::none),
      inlined(s.size()), totals(s.size()) {
  const CountMatrix &matrix = blocks.matrix();
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    compiled[sources.first(matrix.functions[f].map) + matrix.functions[f].function] = f;
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    findParts(f);
  Nested nested; // parts in which a function may be met again
  for (size_t source = 0; source < totals.size(); ++source) {
    if (compiled[source] != TotalCosts::none && !inlined[source].empty())
      inlined[source].push_back(wholeOf(compiled[source]));
    addUp(source);
    if (areKnown)
      if (std::vector<size_t> again = nestedIn(source); !again.empty())
        nested.emplace(source, std::move(again));
  }
  if (!nested.empty())
    countOnce(nested);
}

bool SourceTotals::isRecorded(size_t source) const {
  return std::ranges::all_of(
             inlined[source],
             [&](const Part &p) { return p.in == compiled[source] || p.calls.empty(); }) &&
         (compiled[source] == TotalCosts::none || calls.isRecorded(compiled[source]));
}

/// What the function holds of others.
void SourceTotals::findParts(size_t f) {
  const Function &function = blocks.function(f);
  const CountMatrix::Columns &own = blocks.matrix().functions[f];
  std::map<size_t, std::vector<bool>> scopesOf; // per source
  for (uint32_t scope = 1; scope < function.scopes.size(); ++scope)
    for (uint32_t s = scope; s != 0; s = function.scopes[s].parent)
      if (const size_t source = sources.of(own.map, own.function, s);
          source != sources.of(own.map, own.function, 0))
        scopesOf.try_emplace(source, function.scopes.size(), false).first->second[scope] = true;
  if (scopesOf.empty())
    return;
  const std::vector<TotalCosts::ScopeCalls> scoped = calls.callsByScope(f, blocks.matrix());
  for (const auto &[source, scopes] : scopesOf)
    if (Part part = partOf(f, scopes, scoped);
        std::ranges::any_of(part.cost, [](double cost) { return cost > 0; }))
      inlined[source].push_back(std::move(part));
}

/// What stands in some of its scopes.
SourceTotals::Part SourceTotals::partOf(size_t f, const std::vector<bool> &scopes,
                                        const std::vector<TotalCosts::ScopeCalls> &scoped) const {
  const Function &function = blocks.function(f);
  std::vector<double> ofBlocks, ofCalls;
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const std::vector<double> shares = blocks.lineShares(f, b);
    double &part = ofBlocks.emplace_back(0);
    for (size_t i = 0; i < shares.size(); ++i)
      part += scopes[function.blocks[b].lines[i].scope] ? shares[i] : 0;
  }
  for (const Call &c : function.calls)
    ofCalls.push_back(scopes[c.at.scope] ? 1 : 0);
  Part part{f, blocks.partPerRun(f, ofBlocks, ofCalls), {}, {}};
  part.cost = part.own;
  for (const TotalCosts::ScopeCalls &call : scoped)
    if (scopes[call.scope]) {
      part.calls.push_back({call.callee, call.times, {}});
      for (size_t d = 0; d < part.cost.size(); ++d)
        part.cost[d] += call.times[d] * costs.ofCall(f, call.callee, d);
    }
  return part;
}

SourceTotals::Part SourceTotals::wholeOf(size_t f) const {
  return {f, blocks.perRun(f, 0), {calls.calls(f).begin(), calls.calls(f).end()}, costs.total[f]};
}

/// Parts of which none is under another one.
void SourceTotals::addUp(size_t source) {
  if (inlined[source].empty() && compiled[source] != TotalCosts::none)
    totals[source] = costs.total[compiled[source]];
  for (const Part &part : inlined[source]) {
    totals[source].resize(part.cost.size());
    for (size_t d = 0; d < part.cost.size(); ++d)
      totals[source][d] += part.cost[d];
  }
}

/// Numbers of the parts that calls under one of them may lead to; none where these are only of the
/// function that was compiled itself, whose recursion is in its total.
std::vector<size_t> SourceTotals::nestedIn(size_t source) const {
  std::vector<size_t> open, nested;
  std::set<size_t> met;
  const auto follow = [&](const TotalCosts::Calls &call) {
    if (met.insert(call.callee).second)
      open.push_back(call.callee);
  };
  for (const Part &part : inlined[source])
    std::ranges::for_each(part.calls, follow);
  while (!open.empty()) {
    const size_t f = open.back();
    open.pop_back();
    std::ranges::for_each(calls.calls(f), follow);
  }
  bool any = false;
  for (size_t p = 0; p < inlined[source].size(); ++p)
    if (const size_t in = inlined[source][p].in; met.contains(in)) {
      nested.push_back(p);
      any = any || in != compiled[source];
    }
  return any ? nested : std::vector<size_t>{};
}

void SourceTotals::countOnce(const Nested &nested) {
  for (const auto &[source, parts] : nested)
    if (const size_t f = compiled[source]; f != TotalCosts::none)
      for (size_t d = 0; d < totals[source].size(); ++d) // all of its calls, in place of outer ones
        if (const double all = calls.entries(f)[d] * costs.each[f][d]; all > 0)
          inlined[source].back().cost[d] = all;
  for (size_t d = 0; d < blocks.matrix().rows.size(); ++d)
    countOnce(nested, d);
}

void SourceTotals::countOnce(const Nested &nested, size_t run) {
  std::set<size_t> inner;
  for (const auto &[source, which] : nested)
    for (const size_t p : which)
      if (const size_t f = inlined[source][p].in; calls.entries(f)[run] > 0)
        inner.insert(f);
  const std::vector<size_t> functions(inner.begin(), inner.end());
  const std::vector<std::vector<double>> columns = calls.callsWithin(run, functions);
  std::map<size_t, std::vector<double>> within;
  for (size_t i = 0; i < columns.size(); ++i)
    within.emplace(functions[i], columns[i]);
  for (const auto &[source, which] : nested) {
    const Parts &parts = inlined[source];
    const std::vector<double> outer = outermost(parts, which, within, run);
    double own = 0, sum = 0;
    for (size_t p = 0; p < parts.size(); ++p) {
      own += parts[p].own[run];
      sum += outer.empty() ? parts[p].own[run] : outer[p] * parts[p].cost[run];
    }
    totals[source][run] = std::max(own, sum);
  }
}

/// Per part, the share of the calls of its function that are under none of the parts. Empty where
/// calls contradict each other.
std::vector<double> SourceTotals::outermost(const Parts &parts, const std::vector<size_t> &nested,
                                            const std::map<size_t, std::vector<double>> &within,
                                            size_t run) const {
  std::vector<size_t> met; // of `nested`, those that ran
  for (const size_t p : nested)
    if (within.contains(parts[p].in))
      met.push_back(p);
    else if (calls.entries(parts[p].in)[run] > 0)
      return {};
  const auto under = [&](const Part &i, const Part &j) { // e_i p_ij
    const std::vector<double> &callsOfJ = within.at(j.in);
    double sum = 0;
    for (const TotalCosts::Calls &call : i.calls)
      sum += call.times[run] * callsOfJ[call.callee];
    return sum;
  };
  std::vector<double> shares(parts.size(), 1.0), system, right; // in phi_i / e_i
  for (const size_t j : met) {
    const double entries = calls.entries(parts[j].in)[run];
    right.push_back(entries);
    for (size_t p = 0; p < parts.size(); ++p)
      if (std::ranges::find(met, p) == met.end())
        right.back() -= under(parts[p], parts[j]);
    for (const size_t i : met)
      system.push_back(under(parts[i], parts[j]) + (i == j ? entries : 0));
  }
  if (met.empty())
    return shares;
  const Result<std::vector<double>> solved = solveLinear(system, right);
  if (!solved)
    return {};
  for (size_t i = 0; i < met.size(); ++i)
    shares[met[i]] = std::clamp((*solved)[i], 0.0, 1.0);
  return shares;
}

} // namespace quincunx
