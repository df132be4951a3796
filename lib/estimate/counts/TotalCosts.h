// What functions cost in each run with all that they call, as far as counts tell. Functions are
// numbered as in CountMatrix::functions.
#pragma once

#include "CallCounts.h"
#include "quincunx/numeric/Sparse.h"

#include <map>
#include <optional>
#include <set>

namespace quincunx {

class TotalCosts {
public:
  using PerRun = std::vector<double>;
  static constexpr size_t none = SIZE_MAX;
  /// How often a function calls another one; threads that it starts are calls, too.
  struct Calls {
    size_t callee = 0;
    PerRun times;
    PerRun named; ///< of these, those that do not go through pointers
  };

  /// `root`: under which all runs that nobody in the program called; `none`: there is no such
  /// function. Both must outlive it.
  TotalCosts(const CountMatrix &matrix, const std::vector<Map> &maps, size_t root);

  struct Costs {
    std::vector<PerRun> total; ///< of each function, with what ran while it did: recursion is once
    std::vector<PerRun> each;  ///< of one call of it, with what it calls; 0 where there was none
  };
  /// `own`: what each function costs itself in each run.
  Costs solve(const std::vector<PerRun> &own);

  const PerRun &entries(size_t f) const { return entered[f]; }
  std::span<const Calls> calls(size_t f) const { return callees[f]; }
  /// What the calls in blocks of `f` cost per execution of the block, in each run. `each`: as
  /// solved.
  std::map<uint32_t, PerRun> callsIn(size_t f, const std::vector<PerRun> &each) const;
  /// Entries that no call of the program explains: code that was not counted calls back, or starts
  /// threads. They are under the root alone.
  std::span<const Calls> callbacks() const { return back; }
  /// Runs whose calls contradict each other, so that it is not known whom pointers call: what they
  /// call is under the root alone.
  size_t unsolved() const { return contradicted.size(); }

private:
  void addNamed(size_t f, const CountMatrix &matrix);
  void addPointers();
  void explainEntries();
  void findRecursion();
  void layOut();
  bool set(size_t run, bool withPointers);
  PerRun fromRoot(size_t run, bool withPointers) const;
  std::vector<double> solveRun(size_t run, const std::vector<double> &costs);
  void add(size_t f, size_t callee, const PerRun &times, bool isNamed);

  CallCounts program;
  std::vector<uint32_t> numbers; ///< in the call graph, per function
  std::vector<bool> isStart;     ///< entered by the system
  std::vector<PerRun> entered;
  std::vector<std::vector<Calls>> callees;
  std::vector<Calls> back;
  size_t root;
  std::vector<bool> recursive; ///< calls itself, directly or not
  std::optional<SparseSystem> system;
  std::set<size_t> contradicted;
};

} // namespace quincunx
