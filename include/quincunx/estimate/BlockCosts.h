// What the blocks of a program cost, and from that what its functions and its runs cost: a matrix
// of counts times a vector of costs. Costs of single functions can be replaced, which is how to ask
// what would happen if. Reference: docs/03-runs-kept-apart.md.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/CountMatrix.h"

#include <array>
#include <memory>
#include <optional>

namespace quincunx {

class Prices;

/// What a counter of a function costs besides its blocks: events that it counts (misses), and bytes
/// that its calls move.
struct CounterCost {
  uint32_t counter = 0;    ///< within the function
  uint32_t block = 0;      ///< in which it counts
  uint32_t call = noIndex; ///< of Function::calls, whose bytes these are; noIndex: events
  Cumulants price;         ///< of counting up by one
  bool isBytes() const { return call != noIndex; }
};

/// Which of its block's lines a call is made on; as many as there are where none is known.
size_t lineOf(const Function &f, const Call &call);

class BlockCosts {
public:
  /// Blocks cost what the machine says. `matrix` and `maps` must outlive it.
  BlockCosts(const CountMatrix &matrix, const std::vector<Map> &maps, const Machine &machine);

  /// All blocks cost what another machine says; what set() did is gone.
  void price(const Machine &machine);

  const CountMatrix &matrix() const { return *counts; }
  const std::vector<Map> &maps() const { return *allMaps; }
  /// The `f`-th of CountMatrix::functions.
  const Function &function(size_t f) const;
  const FlowSolver &flowSolver(size_t f) const { return parts[f].flowSolver; }
  /// Of executing each block of it once.
  std::span<const Cumulants> blocks(size_t f) const { return parts[f].blocks; }
  /// Of them, what each call of the function costs of one that no map has: parallel to
  /// Function::calls, as the machine prices it, whatever set() did.
  std::span<const Cumulants> calls(size_t f) const { return parts[f].calls; }
  /// What its counters cost besides its blocks, as the machine prices them, whatever set() did.
  std::span<const CounterCost> counters(size_t f) const { return parts[f].counters; }
  bool isPriced(const std::string &callee) const;
  /// The shares of a block's code that its lines have, in their order; they add up to 1.
  std::vector<double> lineShares(size_t f, size_t block) const;
  /// What executing a block once costs on each of its lines, block by block, code and calls; of
  /// one of counters(): the shares of its cost. As the machine prices them, whatever set() did.
  std::vector<std::vector<Cumulants>> linesOf(size_t f) const;
  std::vector<double> lineShares(size_t f, const CounterCost &counter) const;
  /// Replaces them: one per block. `edges`: what passing an edge costs, one each; empty: nothing.
  /// `counted`: what counters() cost now, one each; none: as the machine prices them.
  void set(size_t f, std::vector<Cumulants> blocks, std::vector<Cumulants> edges = {},
           const std::optional<std::vector<Cumulants>> &counted = {});

  /// No block's cost is random.
  bool constant() const;
  /// Functions cost this times what their blocks do in a run: where the machine was fitted to
  /// times, runs cost what the fit says, and functions add up to that, less the start and events of
  /// the run. 1 elsewhere. It stays as it was when set() replaces costs.
  double scale(size_t run) const { return scales.empty() ? 1 : scales[run]; }
  bool isScaled() const { return !scales.empty(); }
  /// The weight of every column of the matrix in the order-th cumulant (0: the mean, .. 3) of the
  /// cost of function `f`, or of all functions, where the scale is 1.
  std::vector<double> weights(size_t f, size_t order) const;
  std::vector<double> weights(size_t order) const;
  /// Adds those of function `f` to `sum`, one per column.
  void addWeights(std::vector<double> &sum, size_t f, size_t order) const;
  /// The order-th cumulant of the cost of function `f` for one number per column in place of counts
  /// (CountMatrix::perColumn): its mean for mean counts, its covariance for covariances; where the
  /// scale is 1.
  double dot(size_t f, size_t order, std::span<const double> perColumn) const;
  /// The weights of a part of it, by column, which may come several times; of `part`, one number
  /// per block and per call, as in partPerRun(). None: all of the function, which alone has what
  /// frames that were lost may have done, and what set() says of edges.
  struct Part {
    std::vector<double> ofBlocks, ofCalls;
  };
  std::vector<std::pair<uint32_t, double>> partWeights(size_t f, size_t order,
                                                       const std::optional<Part> &part) const;
  /// What the function costs in each run.
  std::vector<double> perRun(size_t f, size_t order) const;
  /// The mean of what a part of it costs in each run: `ofBlocks`: the share of what each block
  /// costs without calls of what no map has; `ofCalls`: of each of these, parallel to
  /// Function::calls.
  std::vector<double> partPerRun(size_t f, const Part &of) const;
  /// What each run costs in the mean outside of its functions: the start of the process and events
  /// of the run. Empty where none costs anything.
  std::vector<double> unattributed() const;
  /// Cumulants of the cost of each run, given its counts: of its functions, and outside of them.
  std::vector<Cumulants> runs() const;
  /// The same but for what the machine adds to whole runs (scattered()): what changes of costs are
  /// added to.
  std::vector<Cumulants> expectedRuns() const;
  /// The cost of a run, of which the machine expects so much: with the residual of its fit, which
  /// is relative to all the run costs.
  Cumulants scattered(const Cumulants &expected) const;

private:
  struct FunctionCosts {
    FlowSolver flowSolver;
    std::vector<Cumulants> blocks, edges, calls;
    std::vector<CounterCost> counters;
    std::array<std::vector<double>, 4> weights; ///< per counter, then per tree; empty: all 0
  };
  LinearForm partForm(size_t f, size_t order, const Part &of) const;
  void weigh(FunctionCosts &part, size_t f, std::span<const CounterCost> counted);
  void findScales();
  std::vector<Cumulants> blocksOfRuns() const;
  template <class Take> void forEachWeight(size_t f, size_t order, Take take) const;

  const CountMatrix *counts;
  const std::vector<Map> *allMaps;
  std::shared_ptr<const Prices> prices;
  std::vector<FunctionCosts> parts; ///< parallel to CountMatrix::functions
  std::vector<double> scales;       ///< per run; empty: 1
};

} // namespace quincunx
