// Totals of functions of the source from those that were compiled.
// The idea: while a function runs, what runs is its code, and what its code calls. Of one that was
// inlined its code is what stands in its scopes; calls made there cost what calls of their callee
// cost on average in the run (TotalCosts). Where a call under it may lead into code of it again,
// that is no more than is under it already: with p_ij the calls of a function j under the part of
// i, made in one call of i, e_j = phi_j + sum_i phi_i p_ij of the calls of j are phi_j under none,
// and these count.
#include "SourceTotals.h"

#include "estimate/price/InlinedTotals.h"

#include "quincunx/numeric/LinearSystem.h"

#include <algorithm>

namespace quincunx {

SourceTotals::SourceTotals(const SourceFunctions &s, const BlockCosts &b, TotalCosts &c,
                           const TotalCosts::Costs &k, bool areKnown)
    : sources(s), blocks(b), calls(c), costs(k), compiled(s.size(), TotalCosts::none),
      isForeign(s.size()), isNested(s.size()), inlined(s.size()), totals(s.size()) {
  const CountMatrix &matrix = blocks.matrix();
  for (size_t m = 0; m < blocks.maps().size(); ++m)
    for (size_t g = s.firstGroup(m); g < s.first(m + 1); ++g)
      isForeign[g] = blocks.maps()[m].groups[s.origin(g).own().group].isForeign;
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    compiled[sources.first(matrix.functions[f].map) + matrix.functions[f].function] = f;
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    findParts(f);
  Nested nested; // parts in which a function may be met again
  for (size_t source = 0; source < totals.size(); ++source) {
    const std::vector<size_t> wholes = wholesOf(source);
    if (wholes.size() > 1 || !inlined[source].empty())
      for (const size_t f : wholes)
        inlined[source].push_back(wholeOf(f));
    addUp(source);
    if (areKnown)
      if (std::vector<size_t> again = nestedIn(inlined[source]); !again.empty()) {
        nested.emplace(source, std::move(again));
        isNested[source] = true;
      }
  }
  if (!nested.empty())
    countOnce(nested);
}

/// What was compiled of it, by number in the count matrix.
std::vector<size_t> SourceTotals::wholesOf(size_t source) const {
  if (compiled[source] != TotalCosts::none)
    return {compiled[source]};
  std::vector<size_t> wholes;
  if (!isForeign[source])
    for (const size_t member : sources.members(source))
      if (compiled[member] != TotalCosts::none)
        wholes.push_back(compiled[member]);
  return wholes;
}

bool SourceTotals::isRecorded(size_t source) const {
  const std::vector<size_t> wholes = wholesOf(source);
  return !isNested[source] && std::ranges::all_of(inlined[source], [](const Part &p) {
    return p.isWhole || p.calls.empty();
  }) && std::ranges::all_of(wholes, [&](size_t f) { return calls.isRecorded(f); });
}

/// What a function costs itself, and what it alone calls does.
void SourceTotals::addLeast(size_t f, std::set<size_t> &met, PerRun &sum) const {
  if (!met.insert(f).second)
    return;
  const PerRun own = calls.isRecorded(f) ? costs.total[f] : blocks.perRun(f, 0);
  for (size_t d = 0; d < sum.size(); ++d)
    sum[d] += own[d];
  if (!calls.isRecorded(f))
    for (const TotalCosts::Calls &call : calls.calls(f))
      if (costs.onlyCaller[call.callee] == f)
        addLeast(call.callee, met, sum);
}

SourceTotals::Bounds SourceTotals::bounds(size_t source) const {
  Bounds out{totals[source], totals[source]};
  if (totals[source].empty() || isRecorded(source))
    return out;
  const PerRun none(out.low.size(), 0.0);
  out = {none, none};
  Parts parts = inlined[source];
  if (parts.empty())
    for (const size_t f : wholesOf(source))
      parts.push_back(wholeOf(f));
  std::set<size_t> least, most;
  const auto addAll = [&](size_t f) {
    if (most.insert(f).second)
      for (size_t d = 0; d < none.size(); ++d)
        out.high[d] += costs.total[f][d];
  };
  for (const Part &part : parts) {
    if (part.isWhole)
      addLeast(part.in, least, out.low);
    for (size_t d = 0; d < none.size(); ++d) {
      out.low[d] += part.isWhole ? 0 : part.own[d];
      out.high[d] += part.own[d];
    }
    for (const TotalCosts::Calls &call : part.calls)
      addAll(call.callee);
    if (calls.mayBeCalledBack(part.in))
      for (const TotalCosts::Calls &back : calls.callbacks())
        addAll(back.callee);
  }
  for (size_t d = 0; d < none.size(); ++d) {
    out.low[d] = std::min(out.low[d], totals[source][d]);
    out.high[d] = std::max(out.high[d], totals[source][d]);
  }
  return out;
}

/// What code of a scope is of: its function, and the group of that.
std::vector<size_t> SourceTotals::numbersOf(size_t map, size_t function, uint32_t scope) const {
  std::vector<size_t> numbers{sources.of(map, function, scope)};
  if (const size_t group = sources.groupOf(numbers.front());
      group != SourceFunctions::none && !isForeign[group])
    numbers.push_back(group);
  return numbers;
}

/// What the function holds of others.
void SourceTotals::findParts(size_t f) {
  const Function &function = blocks.function(f);
  const CountMatrix::Columns &own = blocks.matrix().functions[f];
  const std::vector<size_t> wholes = numbersOf(own.map, own.function, 0);
  std::map<size_t, std::vector<bool>> scopesOf; // per source
  for (uint32_t scope = 1; scope < function.scopes.size(); ++scope)
    for (uint32_t s = scope; s != 0; s = function.scopes[s].parent)
      for (const size_t source : numbersOf(own.map, own.function, s))
        if (std::ranges::find(wholes, source) == wholes.end())
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
  Part part{f, costInScopes(blocks, f, scopes), {}, {}, false};
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
  const std::span<const TotalCosts::Calls> made = calls.calls(f);
  return {f, blocks.perRun(f, 0), {made.begin(), made.end()}, costs.total[f], true};
}

/// Parts of which none is under another one.
void SourceTotals::addUp(size_t source) {
  if (const std::vector<size_t> wholes = wholesOf(source);
      inlined[source].empty() && !wholes.empty())
    totals[source] = costs.total[wholes.front()];
  for (const Part &part : inlined[source]) {
    totals[source].resize(part.cost.size());
    for (size_t d = 0; d < part.cost.size(); ++d)
      totals[source][d] += part.cost[d];
  }
}

/// The functions that run under calls of the parts, but for those of one of them.
std::set<size_t> SourceTotals::calledUnder(const Parts &parts, const Part *butOf) const {
  std::vector<size_t> open;
  std::set<size_t> met;
  const auto follow = [&](const TotalCosts::Calls &call) {
    if (met.insert(call.callee).second)
      open.push_back(call.callee);
  };
  for (const Part &part : parts)
    if (&part != butOf)
      std::ranges::for_each(part.calls, follow);
  while (!open.empty()) {
    const size_t f = open.back();
    open.pop_back();
    std::ranges::for_each(calls.calls(f), follow);
  }
  return met;
}

/// Numbers of the parts that calls under one of them may lead to; none where these are only of the
/// function that was compiled itself, whose recursion is in its total.
std::vector<size_t> SourceTotals::nestedIn(const Parts &parts) const {
  if (parts.empty())
    return {};
  const std::set<size_t> met = calledUnder(parts, nullptr);
  std::vector<size_t> nested;
  bool any = false;
  for (size_t p = 0; p < parts.size(); ++p)
    if (met.contains(parts[p].in)) {
      nested.push_back(p);
      any = any || !parts[p].isWhole || calledUnder(parts, &parts[p]).contains(parts[p].in);
    }
  return any ? nested : std::vector<size_t>{};
}

void SourceTotals::countOnce(const Nested &nested) {
  for (const auto &[source, which] : nested)
    for (Part &part : inlined[source])
      for (size_t d = 0; part.isWhole && d < part.cost.size(); ++d)
        if (const double all = calls.entries(part.in)[d] * costs.each[part.in][d]; all > 0)
          part.cost[d] = all; // of all of its calls, in place of outer ones
  calls.forEachRun(blocks.matrix().rows.size(),
                   [&](size_t run, SparseSystem &system) { countOnce(nested, run, system); });
}

void SourceTotals::countOnce(const Nested &nested, size_t run, SparseSystem &system) {
  std::set<size_t> inner;
  for (const auto &[source, which] : nested)
    for (const size_t p : which)
      if (const size_t f = inlined[source][p].in; calls.entries(f)[run] > 0)
        inner.insert(f);
  const std::vector<size_t> functions(inner.begin(), inner.end());
  const std::vector<std::vector<double>> columns = calls.callsWithin(run, functions, system);
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
