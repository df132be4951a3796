// How often functions that no map has were called in a run, with how many bytes, and what the
// machine charges for that.
#pragma once

#include "PricedMap.h"

#include <span>
#include <vector>

namespace quincunx {

class LibraryCosts {
public:
  /// In the `number`-th of the maps that are priced, which must outlive it.
  LibraryCosts(const std::vector<Map> &maps, size_t number, const Prices &prices);
  /// Adds the calls that an image of a run made to `called`, one for each of LibraryFunctions;
  /// `own`: what PricedMap says that its functions cost.
  void addTo(std::vector<FunctionCost> &called, const ImageCounts &image,
             std::span<const FunctionCost> own);

private:
  /// Functions with more sites have their flow solved in each run: forms would take much memory.
  static constexpr std::ptrdiff_t mostSites = 64;
  /// The calls in one function of another one, as far as they have one price.
  struct Site {
    uint32_t caller = 0, callee = 0;
    Cumulants price;
    Cumulants byte;              ///< of each of those that counters have
    std::vector<uint32_t> calls; ///< among Function::calls
  };
  /// What an execution of a counter adds to the calls at a site, to their bytes, and to those of
  /// them that counters have.
  struct Term {
    uint32_t site = 0;
    double weight = 0, bytes = 0, counted = 0;
  };
  void addFunction(uint32_t f, const Prices::OfFunction &priced, const Prices &prices,
                   std::vector<std::vector<Term>> &perCounter);
  void addTerms(uint32_t site, const FlowSolver &flow,
                std::vector<std::vector<Term>> &perCounter) const;
  void solve(const ImageCounts &image, std::span<const FunctionCost> own);

  const Map *map;
  std::vector<Site> sites;       ///< those of a function together
  std::vector<size_t> firstTerm; ///< per counter, and behind them
  std::vector<Term> terms;
  bool callsVeryMany = false; ///< some function has more than mostSites
  /// Of the run at hand: calls and bytes per site, and of some what the calls are between.
  std::vector<double> times, bytes, counted;
  std::vector<std::pair<size_t, Count>> intervals;
};

} // namespace quincunx
