// A map and prices compiled into weights per counter, so that the costs of all functions in a run
// take one pass over the counters that were hit. It keeps no runs.
#pragma once

#include "Prices.h"
#include "quincunx/model/FlowSolver.h"
#include "quincunx/profile/Run.h"

#include <array>
#include <span>
#include <vector>

namespace quincunx {

/// What one function did and cost in one run.
struct FunctionCost {
  uint32_t function = 0;
  double calls = 0;
  double bytes = 0; ///< of calls of what no map has: what they moved, or looked at at most
  Cumulants k;
  double low = 0, high = 0; ///< of k.k1; equal to it where counts are exact
  double weighed = 0;       ///< by the weights of a fit; 0 where nothing is fitted
  bool projected = false;   ///< the middle of the intervals was no law's cumulants
  /// Frames were lost or inherited.
  bool uncertain() const { return low != high; }
};

class PricedMap {
public:
  /// What functions are charged: all that their blocks cost, or that without calls of functions
  /// that no map has (LibraryCosts). Weights are of all.
  enum class Charge : uint8_t { all, own };
  /// The `number`-th of the maps that are priced; `prices` need not outlive it.
  PricedMap(const std::vector<Map> &maps, size_t number, const Prices &prices,
            Charge charge = Charge::all);
  /// Costs of the functions that ran, in ascending order; valid until the next call.
  Result<std::span<const FunctionCost>> price(const ImageCounts &image);

private:
  /// Slots of a row: the first two count frames, the others are cumulants.
  enum : size_t { entered, lost, firstCumulant }; ///< and behind them a weight, where fitted

  void addFunction(uint32_t f, size_t number, const Prices &prices, Charge charge);
  template <size_t slots> void addUp(const Counts &counts, const Counts &inherited);
  std::vector<uint64_t> own(uint32_t f, const Counts &counts, size_t from, size_t to) const;
  FunctionCost exactCost(uint32_t f, std::span<const double> sum) const;
  FunctionCost uncertainCost(uint32_t f, std::span<const double> sum, const Frames &frames) const;

  const Map *map;
  size_t orders;                    ///< of cumulants that are kept: one or four
  size_t width;                     ///< of a row: frames, cumulants, and the weight of a fit
  std::vector<uint32_t> functionOf; ///< per counter; none: of no function, or of a recorder
  std::vector<uint32_t> rowsBefore; ///< per function: its first counter minus its first row
  std::vector<double> rows;         ///< weights: rows x width
  std::vector<std::array<LinearForm, 4>> forms; ///< per function; perCounter is moved to rows
  std::vector<FunctionCost> costs;              ///< of the run at hand
};

} // namespace quincunx
