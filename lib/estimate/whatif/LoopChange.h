// Another number of trips of a loop, by a factor.
#pragma once

#include "FlowChange.h"
#include "InclusiveCosts.h"

#include <optional>

namespace quincunx {

/// What an iteration costs with all it leads to, as iterations per entry grow from run to run:
/// a line, start + slope x, or a power, slope x^power.
struct IterationGrowth {
  bool isLine = false;
  double start = 0, slope = 0, power = 0; ///< `power`: of a line, the nearest
  double share = 0; ///< of the differences between runs that it makes (R^2 of logarithms)
  double error = 0; ///< of what grows, relative: its standard error
  double at(double trips) const;
};

/// Does an iteration hang on how many came before it, by what the code says?
enum class Iterations : uint8_t {
  alike,   ///< no: loops in it have trips that do not, and nothing else is decided there
  growing, ///< the trips of a loop in it do
  unknown
};

class LoopChange : public FlowChange {
public:
  /// `index`: of the loop. `flows` is as the changes before left it, and is filled for `function`.
  LoopChange(const Change &change, size_t function, uint32_t index, const BlockCosts &blocks,
             ChangedFlows &flows);
  /// Prices the variance that branches in the loop make, when `inclusive` knows what they lead to.
  void priceNoise(const BlockCosts &blocks, ChangedFlows &flows, const InclusiveCosts &inclusive,
                  size_t powers);
  /// Regresses the cost of an iteration on iterations per entry, when the slope is known.
  void findGrowth(const BlockCosts &blocks, ChangedFlows &flows);
  Iterations iterations() const { return kind; }
  /// That of costs that follow without much that is left over: further iterations cost so.
  bool grows() const;
  /// Significant growth of the cost of iterations, if any.
  const std::optional<IterationGrowth> &growth() const { return law; }
  /// Is the loop of the other one, nested in this one? Its trips are no longer those of the law.
  bool holds(const LoopChange &other, const BlockCosts &blocks) const;
  void forgetGrowth() { law.reset(); }

  bool testsBehindBody() const { return first > 0; }
  /// In some run?
  bool comesBack() const {
    return std::ranges::any_of(repeats, [](double n) { return n > 0; });
  }
  /// How often it comes back in a run, and is entered.
  double trips(size_t run) const { return repeats[run]; }
  double entries(size_t run) const { return entered[run]; }

  Result<double> distance(size_t run, double x) const override;
  void addVariance(double x, FlowEffect &effect) const override;
  void addError(double x, FlowEffect &effect) const override;
  /// What run `run` costs more, per cost of its further iterations, because these are dearer.
  double dearer(size_t run, double x) const;

private:
  void boundNoise();
  Iterations iterationsOf(const Function &f, const std::vector<std::vector<double>> &flow) const;
  /// By how much a run's further iterations are multiplied.
  double factor(size_t run, double x) const;
  double perEntry(size_t run) const { return entered[run] > 0 ? repeats[run] / entered[run] : 0; }

  uint32_t loop;    ///< index in Function::loops
  double first = 0; ///< iterations of an entry that are none of `repeats`: 1 where the loop tests
                    ///< behind its body
  std::vector<double> repeats, entered; ///< per run: further iterations, and entries
  std::vector<double> further;          ///< per run: of those, what the direction multiplies
  std::optional<IterationGrowth> law;
  Iterations kind = Iterations::unknown;
  /// Per power and run: variance that the branches in the loop make.
  std::vector<std::vector<double>> noise;
};

} // namespace quincunx
