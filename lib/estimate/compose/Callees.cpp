// Calls and forks of one function.
// The idea: what runs in a thread is entered once per thread. More entries than forks: each fork
// makes a team (OpenMP); else threads are started one by one and those of one call of the function
// run beside each other. They cost what the last one costs, by the law of the largest of so many
// independent draws. It does not see threads that a library starts.
#include "Callees.h"

#include "Laws.h"
#include "quincunx/cost/Join.h"

#include <map>

namespace quincunx {

namespace {

/// Entries per fork from which on a fork makes a team.
constexpr double minTeam = 1.01;

/// Until the last of independent threads has ended.
Cumulants untilLast(const Cumulants &one, double threads) {
  if (one.k2 <= 0 || threads <= 1)
    return one;
  const DistributionPtr law = lawOf(one, {}).first;
  if (!law)
    return one;
  const Task tasks[] = {{law, threads}};
  const Result<Join> join = joinLast(0, tasks);
  return join ? join->k : one;
}

ModelledCall throughPointer(const CallGraph &graph, std::span<const ExecutionCounts> executed,
                            const Composition &composition, uint32_t number, size_t site,
                            const ComposeOptions &options) {
  const PointerSite &at = graph.pointers[number][site];
  ModelledCall call;
  call.block = at.block;
  call.perCall = executed[number].blocks[at.block] / executed[number].entries;
  call.cost = costOfSite(graph, executed, composition, number, site, options);
  for (size_t i = 0; i < at.callees.size(); ++i)
    if (!executed[at.callees[i]].edges.empty())
      call.among.push_back({at.callees[i],
                            composition.share[at.callees[i]] * executed[number].shares[site][i],
                            costOfCall(graph, composition, number, at.callees[i])});
  return call;
}

/// How often each function was started in threads.
std::map<uint32_t, double> forksOf(const CallGraph &graph,
                                   std::span<const ExecutionCounts> executed) {
  std::map<uint32_t, double> forks;
  for (uint32_t f = 0; f < executed.size(); ++f)
    if (!executed[f].edges.empty())
      for (const CallSite &c : graph.starts[f])
        forks[c.callee] += executed[f].blocks[c.block];
  return forks;
}

} // namespace

std::vector<ModelledCall> calleesOf(const CallGraph &graph,
                                    std::span<const ExecutionCounts> executed,
                                    const Composition &composition, uint32_t number,
                                    const ComposeOptions &options) {
  const ExecutionCounts &own = executed[number];
  std::vector<ModelledCall> all;
  for (const CallSite &c : graph.calls[number])
    if (!executed[c.callee].edges.empty() && own.blocks[c.block] > 0)
      all.push_back({c.block,
                     c.callee,
                     own.blocks[c.block] / own.entries,
                     0,
                     costOfCall(graph, composition, number, c.callee),
                     composition.share[c.callee],
                     {}});
  for (size_t s = 0; s < graph.pointers[number].size(); ++s)
    if (ModelledCall call = throughPointer(graph, executed, composition, number, s, options);
        call.perCall > 0 && !call.among.empty())
      all.push_back(std::move(call));
  const std::map<uint32_t, double> forks = forksOf(graph, executed);
  for (const CallSite &c : graph.starts[number]) {
    const double times = own.blocks[c.block] / own.entries;
    if (executed[c.callee].edges.empty() || times <= 0)
      continue;
    const double team = options.eachAlone ? 1 : executed[c.callee].entries / forks.at(c.callee);
    const bool oneByOne = !options.eachAlone && team < minTeam;
    const double threads = oneByOne ? times : team;
    all.push_back({c.block,
                   c.callee,
                   oneByOne ? 1 : times,
                   threads,
                   untilLast(composition.functions[c.callee].inclusive, threads),
                   1,
                   {}});
  }
  return all;
}

} // namespace quincunx
