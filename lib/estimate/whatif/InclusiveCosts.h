// What a call of a function costs with all that it calls, run by run.
#pragma once

#include "ChangedFlows.h"
#include "CostChanges.h"
#include "quincunx/model/CallGraph.h"

#include <map>
#include <string>

namespace quincunx {

/// Calls of what is not instrumented cost nothing here. All calls through pointers in a run cost
/// the same: what functions cost there that nobody called by name, over the calls through pointers.
class InclusiveCosts {
public:
  InclusiveCosts(const BlockCosts &blocks, const CostChanges &costs);
  /// Looks into all that the functions of `flows` call, with the flow as it became.
  void compute(const ChangedFlows &flows);
  /// Per edge of function `f`: what passing it costs, the block behind it and its calls included.
  std::vector<Cumulants> edges(size_t f, size_t power, size_t run) const;

  /// A function that calls through pointers among those that were looked into; empty: none.
  const std::string &pointerCaller() const { return caller; }

private:
  using PerRun = std::vector<Cumulants>;
  using Times = std::pair<uint32_t, std::vector<double>>; ///< of whom, how often per run
  struct Callee {
    std::vector<double> entries;
    std::vector<PerRun> cost; ///< per power
    std::vector<Times> calls;
    std::vector<PerRun> each; ///< per power: of one call
  };
  bool reach(uint32_t number);
  void findPointers();
  Callee named(uint32_t number) const;
  void lookInto(uint32_t number, const ChangedFlows &flows);
  void readUnchanged(size_t f, Callee &c) const;
  void readChanged(size_t f, const ChangedFlows::OfFunction &flow, Callee &c) const;
  double settle(uint32_t number);
  double settleAll();

  const BlockCosts &blocks;
  const CostChanges &costs;
  CallGraph graph;
  const uint32_t pointers; ///< stands for whom calls through pointers call, behind the functions
  std::vector<size_t> functionOf; ///< per number of the graph; SIZE_MAX: never ran
  std::map<uint32_t, Callee> callees;
  std::string caller;
};

} // namespace quincunx
