// Which figures of a model its assumption of independence does not carry, and what takes their
// place. Reference: docs/07-calls.md.
#pragma once

#include "CallDispersions.h"
#include "quincunx/estimate/Modelled.h"
#include "quincunx/estimate/ObservedCalls.h"

namespace quincunx {

/// Judges functions one by one, callees first, while they are composed.
class Independence {
public:
  /// All must outlive it. `measured`: null where calls were not measured.
  Independence(const CallGraph &graph, std::span<const ExecutionCounts> executed,
               const CallDispersions &dispersions, const ObservedCalls *measured);

  using Law = std::pair<DistributionPtr, std::string>;
  /// How calls are taken to be.
  struct Assumed {
    bool perRun = false;  ///< each run was composed by itself
    bool charges = false; ///< what is refuted and was measured costs callers what was measured
  };
  /// Sets what is known against the figures of the functions of a component, and what they charge
  /// (Composed::charged). `laws`: of calls, per function of the graph, with their families.
  void judge(size_t component, Composition &composition, std::span<const Law> laws,
             Assumed assumed);

  const Verdict &of(uint32_t number) const { return verdicts[number]; }

private:
  std::map<uint32_t, double> calls(uint32_t f, const Composition &composition) const;
  bool restsOnItself(uint32_t f, const Composition &composition) const;
  void byCounts(uint32_t f, const Composition &composition, bool perRun);
  void byCallees(uint32_t f, const Composition &composition);
  void byCalls(uint32_t f, Composition &composition, const DistributionPtr &law, bool charges);

  const CallGraph &graph;
  std::span<const ExecutionCounts> executed;
  const CallDispersions &dispersions;
  const ObservedCalls *measured;
  std::vector<Verdict> verdicts; ///< per function of the graph
  /// Parallel: what variance a refuted call may have instead, as far as is known.
  std::vector<double> doubts;
};

} // namespace quincunx
