// Whom the calls through pointers of a program call, for its composition. Reference:
// docs/07-calls.md.
#pragma once

#include "estimate/counts/CallCounts.h"
#include "quincunx/estimate/Modelled.h"

namespace quincunx {

/// What counts of the runs say of calls through pointers (CallCounts.h), in the terms of compose().
class PointerCalls {
public:
  /// Both must outlive it.
  PointerCalls(const CountMatrix &matrix, const std::vector<Map> &maps);

  /// Tells the graph whom its pointers may call.
  void tell(CallGraph &graph) const;
  /// Sets ExecutionCounts::shares of every function: in one run, or in `allRuns` together.
  static constexpr size_t allRuns = SIZE_MAX;
  void share(std::vector<ExecutionCounts> &executed, size_t run) const;
  /// Sets ModelledFunction::open.
  Status judge(Modelled &model, const CallGraph &graph, std::span<const Regions> regions,
               std::span<const ExecutionCounts> executed, const Composition &composition) const;

private:
  /// One call through a pointer.
  struct Spot {
    size_t site = 0;    ///< of CallCounts::sites
    uint32_t block = 0; ///< of its function
    Location at;
  };
  double shareOf(size_t site, uint32_t target, size_t run) const;
  std::vector<bool> openSites(const CallGraph &graph) const;
  double extremeCost(size_t site, std::span<const double> costs, bool most) const;
  /// What is asked of calls that are open: how much cheaper or dearer they may be, or how many
  /// there are.
  enum class Asked : uint8_t { cheaper, dearer, number };
  std::vector<ExecutionCounts> openCalls(std::span<const ExecutionCounts> executed,
                                         const CallGraph &graph, const Composition &composition,
                                         const std::vector<bool> &open, Asked asked) const;
  OpenCalls ownOf(uint32_t function, const std::vector<bool> &open) const;

  CallCounts counts;
  std::vector<std::vector<uint32_t>> targets; ///< per site: of PointerTargets, those it calls
  std::vector<std::vector<Spot>> spots;       ///< per function of the graph
};

} // namespace quincunx
