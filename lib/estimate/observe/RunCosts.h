// What a run costs, function of the source by function of the source. It knows neither the start of
// the run's process nor what a fit says of whole runs, and keeps no runs.
#pragma once

#include "SourceCosts.h"
#include "estimate/price/LibraryCosts.h"

#include <set>
#include <utility>
#include <vector>

namespace quincunx {

class RunCosts {
public:
  /// `isDivided`: false leaves the cost of all code to the functions that were compiled. `maps`
  /// and `prices` must outlive it.
  RunCosts(const std::vector<Map> &maps, const Prices &prices, bool isDivided);

  const SourceFunctions &sources() const { return functionsOfSource; }
  /// Those that were called and not counted have the numbers behind these.
  size_t size() const { return functionsOfSource.size() + called.size(); }

  struct OfRun {
    Cumulants blocks;
    double weighed = 0, below = 0, above = 0;               ///< below, above: of blocks.k1
    std::vector<std::pair<size_t, FunctionCost>> functions; ///< by number, and again by group
    void add(const FunctionCost &cost);
  };
  /// Adds an image of the run at hand.
  Status add(const ImageCounts &image, size_t map);
  /// The run, with which the next one begins.
  OfRun take();
  /// Those that ran.
  const std::set<const Function *> &withAssembly() const { return assembled; }

private:
  void keep(size_t number, FunctionCost cost);
  void divide(size_t map, const FunctionCost &cost, const Counts &counts);

  const std::vector<Map> &maps;
  const SourceFunctions functionsOfSource;
  std::vector<PricedMap> priced;       ///< per map
  std::vector<LibraryCosts> libraries; ///< per map
  std::vector<SourceCosts> parts;      ///< per map; empty where nothing is divided
  OfRun atHand;
  std::vector<FunctionCost> called; ///< and not counted, in the run at hand
  std::set<const Function *> assembled;
};

} // namespace quincunx
