// Private to lib/estimate: a map and a machine compiled into weights per counter, so that the costs
// of all functions in a run take one pass over the counters that were hit. It keeps no runs.
#pragma once

#include "Events.h"
#include "quincunx/cost/Machine.h"
#include "quincunx/model/FlowSolver.h"
#include "quincunx/profile/Run.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace quincunx {

/// What the instruction classes of the map cost on a machine.
std::array<Cumulants, classCount> classCosts(const Machine &machine);

/// How many times as much blocks cost in a run that used so many bytes, when it grows by that
/// exponent from `least` on. 1 where they are not known.
double memoryFactor(double peakMemory, double exponent, double least);

/// The price of a block with that weight, of which instructions, callees and carried misses cost so
/// much by themselves.
double bounded(double weight, double alone);

/// What blocks cost on a machine: instructions in series, independent of each other, and calls of
/// functions that are not instrumented, where it prices them.
class Prices {
public:
  /// `maps` must outlive it.
  Prices(const std::vector<Map> &maps, const Machine &machine);
  /// Of executing a block of a function of a map once.
  Cumulants block(size_t map, size_t function, size_t block) const;
  /// One per block of a function.
  std::vector<Cumulants> blocks(size_t map, size_t function) const;
  /// Of a simulated miss, besides the block.
  const Cumulants &event(Event e) const { return events[static_cast<size_t>(e)]; }
  /// Every block and miss has a constant cost.
  bool constant() const { return isConstant; }
  /// Machine::programSpread: all runs may be off together.
  double programSpread() const { return spreadOfPrograms; }
  /// Runs of equal counts cost differently all the same.
  bool scatters() const { return ofRuns && residual.variance > 0; }
  /// Runs cost more with their page faults, or with their memory, where these are known.
  bool chargesFaults() const { return ofRuns && event(Event::fault).k1 > 0; }
  bool grows() const { return fitted() && memoryExponent > 0; }
  /// The machine was fitted to timed runs of one of the maps.
  bool fitted() const { return !fits.empty() && ofRuns; }
  /// One per block of a function: what one more execution adds to the cost of a run. May be below
  /// 0, as it stands for what goes along with it as well; the cost itself where nothing is fitted.
  std::vector<double> weights(size_t map, size_t function) const;
  /// What the system says of a run; 0: not known.
  struct Use {
    double pageFaults = 0;
    double branchMisses = 0; ///< by hardware; they count where none are simulated or carried
    double peakMemory = 0;   ///< bytes
  };
  /// The cost of a run of which the blocks cost `blocks` together, or by weights `weighed`: with
  /// the start of its process, its events and the residual of the fit. `scale`: what costs of
  /// blocks have to be multiplied with in this run to add up.
  struct OfRun {
    Cumulants cost;
    double scale = 1;
  };
  OfRun run(const Cumulants &blocks, double weighed, const Use &use) const;
  static Use useOf(const std::optional<double> &pageFaults,
                   const std::optional<double> &branchMisses, double peakMemory) {
    return {pageFaults.value_or(0), branchMisses.value_or(0), peakMemory};
  }
  /// The same of blocks that cost so much in the run, scale and all.
  Cumulants run(const Cumulants &blocks, const Use &use) const;

private:
  /// Per block, those of ProgramFit::Function.
  struct Fit {
    std::vector<double> weights, carried;
  };
  const Fit *fitOf(size_t map, size_t function) const;

  const std::vector<Map> *maps;
  std::array<Cumulants, classCount> classes;
  std::array<Cumulants, eventCount> events;
  bool isConstant;
  std::map<std::string, Cumulants> callees; ///< that no map has
  Cumulants start;
  double spreadOfPrograms, scale;
  double memoryExponent, memoryBase; ///< of ProgramFit
  bool ofRuns;
  bool knowsMispredictions; ///< by simulation, in runs or carried to them
  Moments residual;
  std::map<std::pair<size_t, size_t>, Fit> fits; ///< by map and function
};

/// What one function did and cost in one run.
struct FunctionCost {
  uint32_t function = 0;
  double calls = 0;
  Cumulants k;
  double low = 0, high = 0; ///< of k.k1; equal to it where counts are exact
  double weighed = 0;       ///< by the weights of a fit; 0 where nothing is fitted
  bool projected = false;   ///< the middle of the intervals was no law's cumulants
  /// Frames were lost or inherited.
  bool uncertain() const { return low != high; }
};

class PricedMap {
public:
  /// The `number`-th of the maps that are priced; `prices` need not outlive it.
  PricedMap(const std::vector<Map> &maps, size_t number, const Prices &prices);
  /// Costs of the functions that ran, in ascending order; valid until the next call.
  Result<std::span<const FunctionCost>> price(const ImageCounts &image);

private:
  /// Slots of a row: the first two count frames, the others are cumulants.
  enum : size_t { entered, lost, firstCumulant }; ///< and behind them a weight, where fitted

  void addFunction(uint32_t f, size_t number, const Prices &prices);
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

/// Are a stranger's counts, those inherited and the recorders words that the map has, in order?
Status checkCounts(const ImageCounts &image, const Map &map);
/// Checks a stranger's counts against a map and writes them out densely.
Status spread(const Counts &counts, const Map &map, std::vector<uint64_t> &dense);

} // namespace quincunx
