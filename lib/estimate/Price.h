// Private to lib/estimate: a map and a machine compiled into weights per counter, so that the costs
// of all functions in a run take one pass over the counters that were hit. It keeps no runs.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/model/Counts.h"
#include "quincunx/profile/Run.h"

#include <array>

namespace quincunx {

/// What the instruction classes of the map cost on a machine.
std::array<Cumulants, classCount> classCosts(const Machine &machine);
/// Cost of executing a block once: independent instructions in series.
Cumulants blockCost(const Block &b, const std::array<Cumulants, classCount> &classes);

/// What one function did and cost in one run.
struct FunctionCost {
  uint32_t function = 0;
  double calls = 0;
  Cumulants k;
  double low = 0, high = 0; ///< of k.k1; equal to it where counts are exact
  bool projected = false;   ///< the middle of the intervals was no law's cumulants
  /// Frames were lost or inherited.
  bool uncertain() const { return low != high; }
};

class PricedMap {
public:
  PricedMap(const Map &map, const std::array<Cumulants, classCount> &classes);
  /// Costs of the functions that ran, in ascending order; valid until the next call.
  Result<std::span<const FunctionCost>> price(const ImageCounts &image);

private:
  /// Slots of a row: the first two count frames, the others are cumulants.
  enum : size_t { entered, lost, firstCumulant };

  void addFunction(uint32_t f, const std::array<Cumulants, classCount> &classes);
  template <size_t slots> void addUp(const Counts &counts, const Counts &inherited);
  std::vector<uint64_t> own(uint32_t f, const Counts &counts, size_t from, size_t to) const;
  FunctionCost exactCost(uint32_t f, std::span<const double> sum) const;
  FunctionCost uncertainCost(uint32_t f, std::span<const double> sum, const Frames &frames) const;

  const Map *map;
  size_t width;                     ///< of a row: two counts of frames, and one or four cumulants
  std::vector<uint32_t> functionOf; ///< per counter; none: of no function, or of a recorder
  std::vector<uint32_t> rowsBefore; ///< per function: its first counter minus its first row
  std::vector<double> rows;         ///< weights: rows x width
  std::vector<std::array<Linear, 4>> forms; ///< per function; perCounter is moved to rows
  std::vector<FunctionCost> costs;          ///< of the run at hand
};

/// Are a stranger's counts, those inherited and the recorders words that the map has, in order?
Status checkCounts(const ImageCounts &image, const Map &map);
/// Checks a stranger's counts against a map and writes them out densely.
Status spread(const Counts &counts, const Map &map, std::vector<uint64_t> &dense);

} // namespace quincunx
