// What a call of a function costs with all that it calls, run by run.
#pragma once

#include "ChangedFlows.h"
#include "CostChanges.h"
#include "estimate/counts/CallCounts.h"
#include "quincunx/numeric/Sparse.h"

#include <map>
#include <optional>
#include <string>

namespace quincunx {

/// Calls of what is not instrumented cost nothing here.
class InclusiveCosts {
public:
  InclusiveCosts(const BlockCosts &blocks, const CostChanges &costs);
  /// Looks into all that the functions of `flows` call, with the flow as it became.
  void compute(const ChangedFlows &flows);
  /// Per edge of function `f`: what passing it costs, the block behind it and its calls included.
  std::vector<Cumulants> edges(size_t f, size_t power, size_t run) const;
  /// The least and the most that passing each edge of `f` so much more often costs in the mean,
  /// whomever calls through pointers call, as far as counts leave that open; without what goes with
  /// a variable.
  PointerTargets::Bounds range(size_t f, std::span<const double> passes, size_t run) const;

  /// Are there calls through pointers in `f` that follow `branch` and have several targets?
  bool hasChoiceBehind(size_t f, const Branch &branch) const;
  /// What these may cost more or less in the mean where one outcome of the branch is another one:
  /// the dearest target of each less the cheapest. `flow`: of the edges of `f` in the run.
  double choiceBehind(size_t f, const Branch &branch, const std::vector<double> &flow,
                      size_t run) const;

  /// A function that calls through pointers among those that were looked into, where it is not
  /// known whom; empty: none.
  const std::string &pointerCaller() const { return caller; }

private:
  using PerRun = std::vector<Cumulants>;
  using Times = std::pair<uint32_t, std::vector<double>>;       ///< of whom, how often per run
  using Parts = std::vector<std::vector<PointerTargets::Part>>; ///< per site
  /// A function, or a site of calls through pointers: numbers behind those of the graph.
  struct Node {
    size_t row = 0; ///< in the equations
    std::vector<double> entries;
    std::vector<PerRun> cost; ///< per power
    std::vector<Times> calls;
    std::vector<PerRun> each;        ///< per power: of one call
    std::vector<double> least, most; ///< of one call, in the mean
  };
  uint32_t numberOf(size_t f) const;
  uint32_t nodeOf(size_t site) const {
    return static_cast<uint32_t>(calls->graph.functions.size() + site);
  }
  void reach(uint32_t number);
  void reachTargets(size_t site);
  void lookInto(uint32_t number, const ChangedFlows &flows);
  void readUnchanged(size_t f, Node &node) const;
  void readChanged(size_t f, const ChangedFlows::OfFunction &flow, Node &node) const;
  void layOut();
  std::vector<double> solve(size_t run, const Parts &parts, std::span<const double> costs);
  void settle(size_t run);
  void settleExtreme(size_t run, bool most);
  std::vector<uint32_t> candidates(size_t site) const;
  double extremeOf(size_t site, size_t run, bool most, double portion) const;

  const BlockCosts &blocks;
  const CostChanges &costs;
  std::optional<CallCounts> calls;
  std::map<uint32_t, Node> nodes;
  std::vector<std::pair<uint32_t, uint32_t>> places; ///< of the equations: row, column
  std::optional<SparseSystem> system;
  std::string caller;
};

} // namespace quincunx
