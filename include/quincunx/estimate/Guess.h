// Costs of calls without any run: from the map alone. Branches go as the compiler guesses, loops
// run as often as the compiler found out, in terms of arguments that the reader gives or that stay
// unknown. All of it is guessed, and says so. Reference: docs/19-without-runs.md.
#pragma once

#include "quincunx/estimate/Model.h"

#include <map>
#include <string>
#include <vector>

namespace quincunx {

/// Values of unknowns in trip counts: "n", or "work.n" for those of one function (linkage name),
/// which goes first.
using Parameters = std::map<std::string, double>;

/// A loop of which the trips are known up to unknowns that have no value.
struct OpenLoop {
  uint32_t number = 0, loop = 0; ///< function of the graph, its loop
  std::vector<std::string> unknowns;
};

struct Guessed {
  /// Of one call of every function, each by itself; `roots`, `runs` and the program mean nothing.
  Modelled model;
  CallGraph graph;
  std::vector<Regions> regions;
  std::vector<ExecutionCounts> executed; ///< by one call
  Composition composition;
  std::vector<OpenLoop> open;
  std::vector<std::string> unused; ///< parameters that no trip count has

  /// An error when the flow of the function never ends.
  Result<ModelledTree> tree(uint32_t number) const;
};

/// `maps` must outlive what it gives.
Result<Guessed> guess(const std::vector<Map> &maps, const Machine &machine,
                      const Parameters &parameters);

} // namespace quincunx
