// Inclusive costs, callees first.
// The idea: the r-th cumulant of a callee enters that of its caller in proportion to the expected
// number of calls, whatever the rules between them (series, choice, repetition: dk_r(T)/dk_r(x) =
// E[calls]; one of several is a choice like any other). So in a set of functions that call each
// other k_r = A_r + B k_r, where B holds expected calls and A_r is what evaluation gives with k_r =
// 0 and the lower orders known: four linear systems. It does not know where a call comes from:
// shared callees cost the same to all.
#include "quincunx/model/Compose.h"

#include "Components.h"
#include "quincunx/base/Text.h"
#include "quincunx/cost/Rules.h"
#include "quincunx/numeric/LinearSystem.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quincunx {

namespace {
/// Means that are below 0 by this share of the largest are so by rounding.
constexpr double roundedMean = 1e-9;

class Composer {
public:
  Composer(const CallGraph &g, std::span<const Regions> r, std::span<const ExecutionCounts> e,
           const ComposeOptions &o)
      : graph(g), regions(r), executed(e), options(o) {}
  Result<Composition> run();

private:
  void findRoots();
  Result<Cumulants> evaluated(uint32_t f, const std::vector<Cumulants> &blocks) const;
  std::vector<Cumulants> blocks(uint32_t f) const {
    return blocksWithCalls(graph, executed, out, f, options);
  }
  Status solve(const std::vector<uint32_t> &members);
  Status solveTogether(const std::vector<uint32_t> &members, std::vector<double> matrix);
  Status include(uint32_t f);
  Status component(bool recursive, const std::vector<uint32_t> &ran);

  const CallGraph &graph;
  std::span<const Regions> regions;
  std::span<const ExecutionCounts> executed;
  const ComposeOptions &options;
  std::vector<uint32_t> number; ///< of functions, among the members of their component; or noIndex
  Composition out;
};

/// See Composition::share.
std::vector<double> shares(const CallGraph &graph, std::span<const ExecutionCounts> executed,
                           const ComposeOptions &options) {
  if (options.eachAlone)
    return std::vector<double>(executed.size(), 1.0);
  std::vector<double> called(executed.size(), 0.0);
  for (uint32_t f = 0; f < executed.size(); ++f)
    for (const auto &[callee, times] : callsOf(graph, executed, f))
      called[callee] += times;
  for (uint32_t f = 0; f < executed.size(); ++f)
    called[f] = called[f] > executed[f].entries ? executed[f].entries / called[f] : 1;
  return called;
}

void Composer::findRoots() {
  out.share = shares(graph, executed, options);
  out.roots.resize(executed.size());
  if (options.eachAlone)
    return;
  for (uint32_t f = 0; f < executed.size(); ++f)
    out.roots[f] += executed[f].entries;
  for (uint32_t f = 0; f < executed.size(); ++f)
    for (const auto &[callee, times] : callsOf(graph, executed, f))
      out.roots[callee] -= out.share[callee] * times;
  for (uint32_t f = 0; f < executed.size(); ++f) // what is left of a rounding
    if (out.roots[f] < 1e-9 * executed[f].entries)
      out.roots[f] = 0;
}

Result<Cumulants> Composer::evaluated(uint32_t f, const std::vector<Cumulants> &costs) const {
  if (regions[f].root == noIndex)
    return Cumulants{};
  const ExecutionCounts &e = executed[f];
  const Result<std::vector<Cumulants>> all =
      evaluate(regions[f], {e.edges, costs, e.branches, e.loops, options.fixedCounts});
  if (!all)
    return Error{escape(graph.functions[f]->name) + ": " + all.error().text};
  // The mean is that of the counts, also where frames were lost or came twice and flow is not
  // conserved; elsewhere it is the same.
  Cumulants k = (*all)[regions[f].root];
  k.k1 = 0;
  for (size_t b = 0; b < costs.size(); ++b)
    k.k1 += e.blocks[b] / e.entries * costs[b].k1;
  return k;
}

/// Members of a component that ran. What they really called of each other falls into components of
/// its own, mostly of one function: only within these there is something to solve.
Status Composer::solve(const std::vector<uint32_t> &members) {
  for (uint32_t i = 0; i < members.size(); ++i)
    number[members[i]] = i;
  std::vector<std::vector<uint32_t>> callees(members.size());
  std::vector<std::vector<double>> calls(members.size()); // parallel
  for (size_t i = 0; i < members.size(); ++i)
    for (const auto &[callee, times] : callsOf(graph, executed, members[i]))
      if (const double n = out.share[callee] * times; number[callee] != noIndex && n != 0) {
        callees[i].push_back(number[callee]);
        calls[i].push_back(n);
        out.functions[callee].outer -= n;
      }
  for (const uint32_t f : members)
    number[f] = noIndex;
  std::vector<uint32_t> place(members.size(), noIndex); // in its component
  for (const std::vector<uint32_t> &together : componentsOf(callees)) {
    const size_t n = together.size();
    std::vector<uint32_t> chosen;
    for (const uint32_t i : together) {
      place[i] = static_cast<uint32_t>(chosen.size());
      chosen.push_back(members[i]);
    }
    std::vector<double> matrix(n * n, 0.0); // B: calls per call
    for (const uint32_t i : together)
      for (size_t c = 0; c < callees[i].size(); ++c)
        if (const uint32_t j = place[callees[i][c]]; j != noIndex)
          matrix[place[i] * n + j] += calls[i][c] / executed[members[i]].entries;
    const bool isRecursive = n > 1 || matrix[0] != 0;
    if (const Status s = isRecursive ? solveTogether(chosen, matrix) : include(chosen[0]); !s)
      return s;
    for (const uint32_t i : together)
      place[i] = noIndex;
  }
  return Done{};
}

/// Functions of which each calls all others, directly or not. `matrix`: expected calls per call.
Status Composer::solveTogether(const std::vector<uint32_t> &members, std::vector<double> matrix) {
  const size_t n = members.size();
  for (double &calls : matrix)
    calls = -calls;
  for (size_t i = 0; i < n; ++i)
    matrix[i * n + i] += 1;
  const LinearSystem system(matrix);
  for (const auto order : cumulantOrders) {
    std::vector<double> constant;
    for (const uint32_t f : members) {
      const Result<Cumulants> k = evaluated(f, blocks(f));
      if (!k)
        return k.error();
      constant.push_back((*k).*order);
    }
    const Result<std::vector<double>> k = system.solve(constant);
    const double least = k ? -roundedMean * std::abs(std::ranges::max(*k)) : 0;
    const bool exists = k && std::all_of(k->begin(), k->end(), [&](double x) {
                          return x >= least || order != &Cumulants::k1;
                        });
    for (size_t i = 0; i < n; ++i)
      if (exists)
        out.functions[members[i]].inclusive.*order = (*k)[i];
      else
        out.functions[members[i]].endless = true;
    if (!exists)
      break;
  }
  return Done{};
}

/// What a function costs whose callees are known.
Status Composer::include(uint32_t f) {
  const bool callsNone =
      graph.pointers[f].empty() && std::ranges::all_of(graph.calls[f], [&](const CallSite &call) {
        return executed[call.callee].edges.empty();
      });
  const Result<Cumulants> all =
      callsNone ? Result<Cumulants>(out.functions[f].exclusive) : evaluated(f, blocks(f));
  if (!all)
    return all.error();
  out.functions[f].inclusive = *all;
  return Done{};
}

/// A component, of which these ran.
Status Composer::component(bool recursive, const std::vector<uint32_t> &ran) {
  for (const uint32_t f : ran) {
    const Result<Cumulants> own = evaluated(f, executed[f].costs);
    if (!own)
      return own.error();
    out.functions[f].exclusive = *own;
    out.functions[f].outer = executed[f].entries;
  }
  if (recursive && !ran.empty())
    return solve(ran);
  for (const uint32_t f : ran)
    if (const Status s = include(f); !s)
      return s;
  return Done{};
}

Result<Composition> Composer::run() {
  out.functions.resize(executed.size());
  number.assign(executed.size(), noIndex);
  findRoots();
  for (size_t c = 0; c < graph.components.size(); ++c) {
    std::vector<uint32_t> ran;
    for (const uint32_t f : graph.components[c])
      if (!executed[f].edges.empty() && executed[f].entries > 0)
        ran.push_back(f);
    if (const Status s = component(graph.recursive[c], ran); !s)
      return s.error();
    for (const uint32_t f : ran)
      out.functions[f].charged = out.functions[f].inclusive;
    if (options.settle)
      options.settle(c, out);
  }
  return std::move(out);
}

} // namespace

Result<Composition> compose(const CallGraph &graph, std::span<const Regions> regions,
                            std::span<const ExecutionCounts> executed,
                            const ComposeOptions &options) {
  return Composer(graph, regions, executed, options).run();
}

std::vector<std::pair<uint32_t, double>>
callsOf(const CallGraph &graph, std::span<const ExecutionCounts> executed, uint32_t f) {
  const ExecutionCounts &e = executed[f];
  std::vector<std::pair<uint32_t, double>> all;
  if (e.edges.empty())
    return all;
  for (const CallSite &call : graph.calls[f])
    all.emplace_back(call.callee, e.blocks[call.block]);
  for (size_t s = 0; s < graph.pointers[f].size(); ++s)
    for (size_t i = 0; i < graph.pointers[f][s].callees.size(); ++i)
      all.emplace_back(graph.pointers[f][s].callees[i],
                       e.shares[s][i] * e.blocks[graph.pointers[f][s].block]);
  return all;
}

const Cumulants &costOfCall(const CallGraph &graph, const Composition &composition, uint32_t caller,
                            uint32_t callee) {
  const Composed &c = composition.functions[callee];
  return graph.componentOf[caller] == graph.componentOf[callee] ? c.inclusive : c.charged;
}

Cumulants costOfSite(const CallGraph &graph, std::span<const ExecutionCounts> executed,
                     const Composition &composition, uint32_t f, size_t site,
                     const ComposeOptions &options) {
  const std::vector<uint32_t> &callees = graph.pointers[f][site].callees;
  std::vector<Cumulants> costs;
  std::vector<double> weights;
  Cumulants mean;
  double nobody = 1;
  for (size_t i = 0; i < callees.size(); ++i) {
    if (executed[callees[i]].edges.empty())
      continue;
    costs.push_back(costOfCall(graph, composition, f, callees[i]));
    weights.push_back(composition.share[callees[i]] * executed[f].shares[site][i]);
    mean += weights.back() * costs.back();
    nobody -= weights.back();
  }
  costs.emplace_back();
  weights.push_back(std::max(0.0, nobody));
  return options.fixedCounts ? mean : oneOf(costs, weights);
}

std::vector<Cumulants> blocksWithCalls(const CallGraph &graph,
                                       std::span<const ExecutionCounts> executed,
                                       const Composition &composition, uint32_t f,
                                       const ComposeOptions &options) {
  std::vector<Cumulants> costs = executed[f].costs;
  for (const CallSite &call : graph.calls[f])
    if (!executed[call.callee].edges.empty())
      costs[call.block] +=
          composition.share[call.callee] * costOfCall(graph, composition, f, call.callee);
  for (size_t s = 0; s < graph.pointers[f].size(); ++s)
    costs[graph.pointers[f][s].block] += costOfSite(graph, executed, composition, f, s, options);
  return costs;
}

} // namespace quincunx
