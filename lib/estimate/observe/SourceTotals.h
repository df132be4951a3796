// What functions of the source, and groups of them, cost with all they call, those too of which
// code is in others. Reference: docs/07-calls.md. It draws no conclusion.
#pragma once

#include "estimate/counts/TotalCosts.h"
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/map/SourceFunctions.h"

#include <map>
#include <set>
#include <vector>

namespace quincunx {

class SourceTotals {
public:
  using PerRun = TotalCosts::PerRun;
  /// `costs`: what `calls` made of those of `blocks`. All must outlive it. `areKnown`: false where
  /// calls contradict each other; then only what isRecorded() makes sense.
  SourceTotals(const SourceFunctions &sources, const BlockCosts &blocks, TotalCosts &calls,
               const TotalCosts::Costs &costs, bool areKnown);

  /// Of a function of the source or a group, by its number. Empty: it never ran, or is code of
  /// others.
  const PerRun &perRun(size_t source) const { return totals[source]; }
  /// No call was taken as the average one of its run.
  bool isRecorded(size_t source) const;
  /// Least and most that perRun() may be, whatever single calls cost.
  struct Bounds {
    PerRun low, high;
  };
  Bounds bounds(size_t source) const;
  /// The number of the function that was compiled, in the count matrix; TotalCosts::none: it was
  /// not, or never ran, or is a group.
  size_t compiledAs(size_t source) const { return compiled[source]; }

private:
  /// What one function that was compiled has of one of the source: all, or what was inlined.
  struct Part {
    size_t in = 0;
    PerRun own;                           ///< what it costs itself
    std::vector<TotalCosts::Calls> calls; ///< of it
    PerRun cost;                          ///< with what these cost
    bool isWhole = false;
  };
  using Parts = std::vector<Part>;
  std::vector<size_t> wholesOf(size_t source) const;
  std::vector<size_t> numbersOf(size_t map, size_t function, uint32_t scope) const;
  void findParts(size_t f);
  Part partOf(size_t f, const std::vector<bool> &scopes,
              const std::vector<TotalCosts::ScopeCalls> &calls) const;
  Part wholeOf(size_t f) const;
  void addUp(size_t source);
  void addLeast(size_t f, std::set<size_t> &met, PerRun &sum) const;
  std::set<size_t> calledUnder(const Parts &parts, const Part *butOf) const;
  std::vector<size_t> nestedIn(const Parts &parts) const;
  using Nested = std::map<size_t, std::vector<size_t>>; ///< per source: numbers of its parts
  void countOnce(const Nested &nested);
  void countOnce(const Nested &nested, size_t run, SparseSystem &system);
  std::vector<double> outermost(const Parts &parts, const std::vector<size_t> &nested,
                                const std::map<size_t, std::vector<double>> &within,
                                size_t run) const;

  const SourceFunctions &sources;
  const BlockCosts &blocks;
  TotalCosts &calls;
  const TotalCosts::Costs &costs;
  std::vector<size_t> compiled; ///< per source
  std::vector<bool> isForeign;  ///< per source: a group of code of others, which has no total
  std::vector<bool> isNested;   ///< per source: it may be met again under itself
  std::vector<Parts> inlined;   ///< per source
  std::vector<PerRun> totals;   ///< per source
};

} // namespace quincunx
