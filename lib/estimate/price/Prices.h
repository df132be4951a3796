// What blocks, events and whole runs cost on a machine, fitted to a program or not. It knows no
// counts.
#pragma once

#include "Events.h"
#include "LibraryFunctions.h"
#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/map/Map.h"

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
double clampPrice(double weight, double alone, double limit);

/// What blocks cost on a machine: instructions in series, independent of each other, and calls of
/// functions that are not instrumented, where it prices them.
class Prices {
public:
  /// `maps` must outlive it.
  Prices(const std::vector<Map> &maps, const Machine &machine);
  /// Of executing each block of a function of a map once.
  std::vector<Cumulants> blocks(size_t map, size_t function) const;
  /// The same, with what its calls of functions that no map has cost apart: one per call, nothing
  /// for others and where the machine has no price.
  struct OfFunction {
    std::vector<Cumulants> blocks, calls;
  };
  OfFunction apart(size_t map, size_t function) const;
  /// What counters of a function cost besides its blocks.
  std::vector<CounterCost> counters(const Function &f) const;
  /// What its calls cost as the machine prices them, whatever was fitted: nothing for those of
  /// functions that a map has.
  std::vector<Cumulants> ofCalls(const Function &f) const;
  /// Functions that no map has, and whether the machine prices calls of one.
  const LibraryFunctions &library() const { return called; }
  bool isPriced(const std::string &callee) const {
    return callees.contains(callee) || bytes.contains(callee);
  }
  /// Of each byte that a call moves, besides the call; nothing where that is not known or counted.
  Cumulants byte(const Call &call) const;
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
  /// The shares of a block's cost that its lines have, in their order: equal ones, unless the
  /// program was sampled and they are of several bodies of functions.
  std::vector<double> lineShares(const Function &f, const Block &block) const;
  /// What executing a block once costs on each of its lines, block by block: their shares of its
  /// code, and what is called there.
  std::vector<std::vector<Cumulants>> ofLines(size_t map, size_t function) const;
  /// The shares of what a counter costs that the lines of its block have: bytes are of the line of
  /// their call.
  std::vector<double> lineShares(const Function &f, const CounterCost &counter) const;
  /// How well a calibration knows the time of the function that begins there by samples: relative
  /// standard deviation; none where it was not sampled.
  std::optional<double> spreadOf(const std::string &file, uint32_t line) const;
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
  Cumulants run(const Cumulants &blocks, const Use &use) const {
    return scattered(expected(blocks, use));
  }
  /// What that is without the residual, and what this makes of it.
  Cumulants expected(const Cumulants &blocks, const Use &use) const;
  Cumulants scattered(const Cumulants &expected) const;

private:
  /// Those of ProgramFit::Function.
  struct Fit {
    std::vector<double> weights, prices, carried, calls;
    double price(size_t block) const { return prices.empty() ? weights[block] : prices[block]; }
  };
  const Fit *fitOf(size_t map, size_t function) const;
  void takeFit(const Fit &fit, const Function &f, OfFunction &costs) const;

  const std::vector<Map> *maps;
  LibraryFunctions called;
  std::array<Cumulants, classCount> classes;
  std::array<Cumulants, eventCount> events;
  bool isConstant;
  std::map<std::string, Cumulants> callees, bytes; ///< that no map has
  Cumulants start;
  double spreadOfPrograms, limit, scale, once;
  double memoryExponent, memoryBase; ///< of ProgramFit
  bool ofRuns;
  bool knowsMispredictions; ///< by simulation, in runs or carried to them
  Moments residual;
  std::map<std::pair<size_t, size_t>, Fit> fits;                       ///< by map and function
  std::map<std::pair<std::string, uint32_t>, ProgramFit::Body> bodies; ///< ProgramFit::Body
};

} // namespace quincunx
