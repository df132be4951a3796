// Who calls whom how often in each run: by name, by starting threads, and through pointers.
#pragma once

#include "PointerTargets.h"
#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/model/CallGraph.h"
#include "quincunx/model/FlowSolver.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

namespace quincunx {

class CallCounts {
public:
  using PerRun = std::vector<double>;
  /// Both must outlive it.
  CallCounts(const CountMatrix &matrix, const std::vector<Map> &maps);

  /// Calls through pointers of one function and the same types, in blocks that ran equally often,
  /// up to a factor, in all runs: counts do not tell these apart.
  struct Site {
    uint32_t function = 0;                             ///< number in the graph
    std::vector<std::pair<uint32_t, double>> perBlock; ///< block, calls in it
    PerRun times;
    std::set<std::string> types; ///< of these calls (Call::type)
  };

  CallGraph graph;
  std::vector<size_t> functionOf; ///< per number: in CountMatrix::functions; SIZE_MAX: never ran
  std::vector<Site> sites;        ///< by function
  std::vector<uint32_t> targets;  ///< of PointerTargets: numbers in the graph

  /// Is entered by the system, and not by calls of the program.
  static bool isEntryPoint(const Function &f);
  /// Calls code by name that no map knows and that may call back (LibraryCalls.h).
  bool callsOut(uint32_t number) const { return !callsOutOf(number).empty(); }
  struct Out {
    uint32_t block = 0;
    bool compares = false; ///< a comparison is all that it calls back
  };
  std::vector<Out> callsOutOf(uint32_t number) const;
  /// Entries of a function per run that no call of the program explains: code that is not counted
  /// made them. Empty where it never ran.
  const PerRun &calledBack(uint32_t number) const { return outside[number]; }
  bool isCalledBack(uint32_t number) const {
    return std::ranges::any_of(outside[number], [](double n) { return n > 0; });
  }
  /// Of `sites`; null where there are none.
  const PointerTargets *pointers() const { return shares.get(); }
  /// Calls of `number` by name and by threads that start: what they make of a block's count.
  /// Threads count as often as the function was entered for each start.
  struct Named {
    uint32_t callee = 0, block = 0, scope = 0;
    const PerRun *times = nullptr; ///< per start, per run; null: 1
  };
  std::vector<Named> named(uint32_t number) const;
  /// How often `number`, which ran, calls each function by name or starts it, per run; `flow`: its.
  struct Times {
    size_t callee = 0; ///< in CountMatrix::functions
    PerRun perRun;
  };
  std::vector<Times> timesByName(uint32_t number, const CountMatrix &matrix,
                                 const FlowSolver &flow) const;

private:
  void count(const CountMatrix &matrix, uint32_t number, std::vector<PerRun> &called,
             std::vector<PerRun> &started);
  struct PointersOfBlock {
    double calls = 0;
    std::set<std::string> types;
  };
  void addSite(uint32_t number, uint32_t block, const PointersOfBlock &of, const PerRun &times);
  PointerTargets::Sites callersOf(uint32_t number) const;
  void findTargets();

  bool anyMayCallBack = false; ///< as the program leaves functions with the library
  std::vector<PerRun> outside; ///< per number
  std::vector<PerRun> teams;   ///< per number: entries for each start; empty: never started
  std::unique_ptr<PointerTargets> shares;
};

} // namespace quincunx
