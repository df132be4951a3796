// What a call of a function costs with all that it calls, run by run.
#pragma once

#include "ChangedFlows.h"
#include "CostChanges.h"
#include "estimate/counts/CallCounts.h"
#include "estimate/counts/LibraryCalls.h"
#include "quincunx/numeric/Sparse.h"

#include <cmath>
#include <map>
#include <optional>
#include <set>
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

  /// How much less and more than is taken passing each edge of `f` so much more often may cost, as
  /// calls of one function may cost other than on average at several places; `was`: passes there
  /// were.
  PointerTargets::Bounds placeRange(size_t f, std::span<const double> was,
                                    std::span<const double> more, size_t run) const;

  /// A site of calls through pointers with several targets that follows a branch.
  struct Choice {
    size_t site = 0;
    std::vector<double> perOutcome; ///< per run: calls for each outcome of the branch
    PointerTargets targets;         ///< with the site split by the outcome in front, true first
    bool isKnown = false;           ///< what each outcome leads to
  };
  /// Those of `f` behind `branch`; `flow`: of the edges of `f`, per run.
  std::vector<Choice> choicesBehind(size_t f, const Branch &branch,
                                    const std::vector<std::vector<double>> &flow) const;
  /// What its calls cost more for one true outcome in place of a false one, as far as counts tell.
  Cumulants differenceOf(const Choice &choice, size_t power, size_t run) const;
  /// Of so many true outcomes more in the mean, as far as counts leave it open; without what goes
  /// with a variable.
  PointerTargets::Bounds rangeOf(const Choice &choice, double outcomes, size_t run) const;

  /// Half of the 90 % interval of what passing each edge of `f` so much more often costs, of what
  /// is not known about calls of one function at several places, or beside callbacks.
  double contextError(size_t f, std::span<const double> passes) const;

  /// What functions cost that code which is not counted calls back, where the flow of functions
  /// that may lead there changes; 0: they do not, or nothing is called back.
  double calledBack(size_t run) const { return back.empty() ? 0 : back[run]; }
  /// Per block of `f`: may what it calls call back? Empty: nothing is called back.
  std::vector<bool> mayCallBack(size_t f) const;
  /// May it be called back from elsewhere than under the functions of which the flow changes?
  bool isCalledBackElsewhere() const;
  /// Of what passing each edge of `f` so much more often costs, what is called back, as taken.
  double inComparisons(size_t f, std::span<const double> passes, size_t run) const;

  /// Per block of `f`: how many of its calls lead back to `f`, by name or through pointers.
  std::vector<double> callsBack(size_t f) const;
  /// In some run calls would lead to calls without an end.
  bool isEndless() const { return endless; }

  /// A function that calls through pointers among those that were looked into, where it is not
  /// known whom; empty: none.
  const std::string &pointerCaller() const { return caller; }

private:
  using PerRun = std::vector<Cumulants>;
  using Times = std::pair<uint32_t, std::vector<double>>;       ///< of whom, how often per run
  using Parts = std::vector<std::vector<PointerTargets::Part>>; ///< per site
  /// A block that calls a function which other blocks of the same caller call, too.
  struct CallPlace {
    uint32_t callee = 0, block = 0;
    std::vector<double> context; ///< per run, as Node::context
    double error = 0;            ///< half of the 90 % interval, over what calls of it cost
  };
  /// A function, or a site of calls through pointers, or what sorts and searches by a comparison
  /// that it is given: numbers behind those of the graph.
  struct Node {
    size_t row = 0; ///< in the equations
    std::vector<double> entries;
    std::vector<PerRun> cost; ///< per power
    std::vector<Times> calls;
    std::vector<Times> starts; ///< threads
    /// What calls made here of functions that others call, too, cost in each run, over what calls
    /// of these cost on average in it; NaN: not measured; empty: in no run.
    std::vector<double> context;
    /// More of it, were nothing of what code that is not counted calls back called back from here.
    std::vector<double> doubt;
    std::set<uint32_t> alone;        ///< callees that nobody else calls: their average is of here
    std::vector<CallPlace> calledAt; ///< where calls of one function cost what the place makes
    bool changes = false;            ///< its flow does
    std::vector<PerRun> each;        ///< per power: of one call
    std::vector<double> least, most; ///< of one call, in the mean
    std::vector<double> compared;    ///< of one call, in the mean: what comparisons cost
    size_t told = 0;          ///< runs in which it was measured, and its callees make all of that
    bool mayCallBack = false; ///< code under it that is not counted may, by costs that are not told
  };
  uint32_t numberOf(size_t f) const;
  uint32_t nodeOf(size_t site) const {
    return static_cast<uint32_t>(calls->graph.functions.size() + site);
  }
  bool isSite(uint32_t number) const {
    return number >= calls->graph.functions.size() && number != comparing();
  }
  /// What calls comparisons back.
  uint32_t comparing() const { return nodeOf(calls->sites.size()); }
  bool isCompared(uint32_t number) const {
    return calls->isCalledBack(number) && isComparison(calls->graph.functions[number]->type);
  }
  double comparisonsIn(uint32_t number, uint32_t block, size_t run) const;
  void reach(uint32_t number);
  void reachCalledBack();
  void lookIntoComparing(Node &node) const;
  void findCalledBack();
  void reachTargets(size_t site);
  bool leadsTo(uint32_t from, uint32_t to) const;
  void lookInto(uint32_t number, const ChangedFlows::OfFunction *changed);
  void findContext(const ChangedFlows &flows);
  struct Spent { ///< by all calls of a node
    double all = 0, alone = 0, shared = 0, callbacks = 0;
  };
  void setContext(uint32_t number, size_t run, const Spent &spent);
  void findCalledAlone();
  std::vector<double> measuredCosts(uint32_t number, const std::vector<double> &entries) const;
  std::vector<double> ownByClock(size_t f, const std::vector<ClassCount> &clock) const;
  std::vector<double> callbackCosts(const std::vector<ClassCount> &clock) const;
  void findPlaces(uint32_t number, const std::vector<std::vector<double>> &each,
                  const std::vector<double> &inCallees);
  double contextAt(uint32_t number, const CallCounts::Named &call, size_t run) const;
  static double told(const Node &node, const std::vector<double> &perRun, size_t run);
  static bool isMeasured(const Node &node, size_t run) {
    return !node.context.empty() && !std::isnan(node.context[run]);
  }
  static double contextAt(const Node &node, uint32_t callee, size_t run) {
    return isMeasured(node, run) && !node.alone.contains(callee) ? node.context[run] : 1;
  }
  void readUnchanged(size_t f, Node &node) const;
  void readChanged(size_t f, const ChangedFlows::OfFunction &flow, Node &node) const;
  void layOut();
  Parts partsOf(size_t run) const;
  std::vector<double> solve(size_t run, const Parts &parts, std::vector<double> own,
                            std::span<const double> known = {});
  void settle(size_t run);
  void settleExtreme(size_t run, bool most);
  std::vector<uint32_t> candidates(size_t site) const;
  std::vector<double> targetCosts(size_t run, bool most) const;
  double extremeOf(size_t site, size_t run, bool most, double portion) const;
  double inOpenSites(uint32_t number, std::span<const double> more, size_t run) const;

  const BlockCosts &blocks;
  const CostChanges &costs;
  std::optional<CallCounts> calls;
  std::vector<std::vector<bool>> loses; ///< losesUnder()
  std::map<uint32_t, Node> nodes;
  std::vector<std::pair<uint32_t, uint32_t>> places; ///< of the equations: row, column
  std::optional<SparseSystem> system;
  std::string caller;
  std::vector<double> back; ///< calledBack()
  bool endless = false;
};

} // namespace quincunx
