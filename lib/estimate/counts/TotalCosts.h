// What functions cost in each run with all that they call, as recorded, or as far as counts tell.
// Functions are numbered as in CountMatrix::functions.
#pragma once

#include "CallCounts.h"
#include "quincunx/numeric/Sparse.h"

#include <functional>
#include <map>
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
    /// What the calls that a function makes of functions that others call, too, cost, over what
    /// they do by `each`; 1: not known.
    std::vector<PerRun> context;
    std::vector<size_t> onlyCaller; ///< of each function; none: there are several, or it is open
    /// What a unit of the clock of recorded calls costs in calls of each function; 0: not known.
    std::vector<PerRun> perClock;
    /// Of one call of `callee` in `f`.
    double ofCall(size_t f, size_t callee, size_t run) const {
      return each[callee][run] * (onlyCaller[callee] == f ? 1 : context[f][run]);
    }
  };
  /// `own`: what each function costs itself in each run.
  Costs solve(const std::vector<PerRun> &own);
  /// The total of `f` was recorded in all runs that entered it, or is its own cost.
  bool isRecorded(size_t f) const { return recordedAll[f]; }
  /// Recorded totals were brought to other costs than those of the clock.
  bool isConverted() const { return converted; }

  const PerRun &entries(size_t f) const { return entered[f]; }
  /// May it call code that is not counted, which calls counted code?
  bool mayBeCalledBack(size_t f) const { return callsBack[f]; }
  /// Functions that call each other have one number; those that they call besides have lower ones.
  size_t cycleOf(size_t f) const { return cycle[f]; }
  std::span<const Calls> calls(size_t f) const { return callees[f]; }
  /// The same by the scope of the caller that they stand in, where it is not its own; a callee may
  /// come several times.
  struct ScopeCalls {
    uint32_t scope = 0;
    size_t callee = 0;
    PerRun times;
  };
  std::vector<ScopeCalls> callsByScope(size_t f, const CountMatrix &matrix) const;
  /// Per one of `inner` and function: how many calls of the one are in a call of the function in a
  /// run, itself counted. Empty where calls contradict each other.
  std::vector<std::vector<double>> callsWithin(size_t run, std::span<const size_t> inner,
                                               SparseSystem &system) const;
  /// On all processors, with a system for that.
  void forEachRun(size_t runs, const std::function<void(size_t, SparseSystem &)> &work) const;
  /// What the calls in blocks of `f` cost per execution of the block, in each run.
  std::map<uint32_t, PerRun> callsIn(size_t f, const Costs &costs) const;
  /// The blocks of `f` with calls that may call it again: what these cost holds each other.
  std::set<uint32_t> recursesIn(size_t f) const;
  /// Entries that no call of the program explains: code that was not counted calls back, or starts
  /// threads. They are under the root alone.
  std::span<const Calls> callbacks() const { return back; }
  /// Runs whose calls contradict each other, so that it is not known whom pointers call: what they
  /// call is under the root alone.
  size_t unsolved() const { return contradicted.size(); }

private:
  static PerRun entriesOf(const CountMatrix &matrix, size_t f, const Function &function);
  std::vector<PerRun> calledByName() const;
  void addNamed(size_t f, const CountMatrix &matrix);
  void addPointers();
  void explainEntries();
  void findOnlyCallers();
  void findRecursion();
  void layOut();
  void readRecorded(const CountMatrix &matrix, const std::vector<Map> &maps);
  std::vector<bool> startThreads() const;
  bool set(SparseSystem &system, size_t run, bool withPointers, const std::vector<double> &known,
           const std::vector<double> &context = {}) const;
  double underRoot(size_t run, const std::vector<double> &costs,
                   const std::vector<double> &totals) const;
  struct Units {
    std::vector<double> of;
    bool converted = false; ///< other costs than those of the clock
  };
  Units perClockIn(size_t run, const std::vector<double> &costs, bool inCycles,
                   SparseSystem &system) const;
  std::vector<double> composedPerClock(size_t run, const std::vector<double> &costs,
                                       const std::vector<double> &clock, bool withPointers,
                                       SparseSystem &system) const;
  std::vector<double> perClockOfCycles(size_t run, const std::vector<double> &costs,
                                       const std::vector<double> &clock) const;
  std::vector<double> solveRun(size_t run, const std::vector<double> &costs,
                               const std::vector<double> &known, bool withPointers, double off,
                               SparseSystem &system) const;
  std::vector<double> averageCalls(size_t run, const std::vector<double> &costs,
                                   const std::vector<double> &totals, double off,
                                   SparseSystem &system) const;
  struct Solved {
    bool withPointers = true, converted = false;
  };
  Solved solveIn(size_t run, const std::vector<PerRun> &own, Costs &out,
                 SparseSystem &system) const;
  double contextOf(size_t f, size_t run, double spent, const std::vector<double> &each) const;
  void add(size_t f, size_t callee, const PerRun &times, bool isNamed);

  CallCounts program;
  std::vector<uint32_t> numbers; ///< in the call graph, per function
  std::vector<bool> isStart;     ///< entered by the system
  std::vector<PerRun> entered;
  std::vector<std::vector<Calls>> callees;
  std::vector<Calls> back;
  size_t root;
  std::vector<size_t> onlyCaller;
  std::vector<size_t> cycle;   ///< functions that call each other have one; callees' are lower
  std::vector<bool> recursive; ///< calls itself, directly or not
  std::vector<bool> callsBack; ///< may call code that is not counted, which calls counted code
  /// By the clock of recorded calls, per function and run: what it costs itself, and with all that
  /// it calls; NaN: not known. Empty: nothing was recorded.
  std::vector<PerRun> clocked, recorded;
  std::vector<bool> recordedAll;
  bool converted = false;
  std::vector<std::pair<uint32_t, uint32_t>> places; ///< of the equations
  std::set<size_t> contradicted;
};

} // namespace quincunx
