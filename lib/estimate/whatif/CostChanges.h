// Changes of what blocks cost, in the order they are asked for, with or without a variable in them.
#pragma once

#include "NameResolver.h"
#include "quincunx/estimate/BlockCosts.h"

#include <array>
#include <map>

namespace quincunx {

class CostChanges {
public:
  /// `base`: what runs cost by `costs`, which runs() changes. Both and `places` must outlive it.
  CostChanges(BlockCosts &costs, const std::vector<Cumulants> &base, const NameResolver &places);

  /// cost(...) and calls(...) =; of what was not counted total(...) and calls(...) *= as well.
  /// `power`: of the variable in the change's value, 0 or 1.
  Result<AppliedChange> apply(const Change &change, size_t power);

  /// Costs of the runs per power of the variable x: with terms[e][d], the r-th cumulant of run d is
  /// the sum over e of x^(r e) times that of terms[e][d].
  std::vector<std::vector<Cumulants>> runs();

  /// Powers of the variable that costs have, 0 included; costs of blocks and edges that go with
  /// one.
  size_t powers() const;
  std::span<const Cumulants> blocksOf(size_t f, size_t power) const;
  std::span<const Cumulants> edgesOf(size_t f, size_t power) const;
  /// What its counters cost, of what goes with one power: one for each of BlockCosts::counters();
  /// empty: nothing.
  std::vector<Cumulants> countersOf(size_t f, size_t power) const;
  /// The same for one execution of each block in a run, on average over those of the run: what else
  /// it met and moved; empty: nothing.
  std::vector<Cumulants> countedPerExecution(size_t f, size_t power, size_t run) const;
  /// What function `f` costs in each run, of what goes with one power.
  std::vector<Cumulants> perRun(size_t f, size_t power) const;
  /// How much less each run costs, of what goes with no power.
  std::vector<Cumulants> freed() const;

  /// How often it is entered in a run, in the mean.
  double perRun(const LineRange &range) const;

private:
  /// The part of a function's costs that goes with one power of the variable.
  struct Layer {
    std::vector<Cumulants> blocks, edges;
    std::vector<Cumulants> calls;   ///< of the costs of blocks: BlockCosts::calls()
    std::vector<Cumulants> counted; ///< BlockCosts::counters()
  };
  using Layers = std::vector<Layer>;

  Layers &layersOf(size_t f);
  Layer &layer(size_t f, size_t power);
  void apply(const Change &change, size_t power, const LineRange &range);
  /// Of what each block and each call costs, the share that a range means.
  struct Shares {
    std::vector<double> blocks, calls;
    double of(const CounterCost &c) const { return c.isBytes() ? calls[c.call] : blocks[c.block]; }
  };
  Shares sharesOf(const LineRange &range) const;
  Result<AppliedChange> applyTo(const Change &change, size_t power,
                                const std::vector<LineRange> &ranges, const std::string &what);
  void addCalls(size_t f, double sign);
  Result<AppliedChange> applyToLibrary(const Change &change, size_t power);
  Status checkPrices(const Change &change, size_t power, std::span<const ProgramElement> calls);
  void applyToCall(const Change &change, size_t power, const ProgramElement &call);
  double meanCost(const LineRange &range);
  double mean(size_t f, const LinearForm &form, bool isCost) const;
  std::vector<Cumulants> pricesOfCounters(size_t f) const;

  std::array<std::vector<double>, 4> weightsOfChanged() const;

  BlockCosts &costs;
  const std::vector<Cumulants> &base;
  const NameResolver &places;
  std::map<size_t, Layers> changed; ///< by function
  double programMean = 0;
};

/// The costs of runs at x, of CostChanges::runs() and their like.
void addPowers(const std::vector<std::vector<Cumulants>> &terms, double x,
               std::vector<Cumulants> &sum);

} // namespace quincunx
