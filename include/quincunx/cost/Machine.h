// A machine model: what one instruction of each class costs, as the first four cumulants of a random
// cost. It prices the instruction mix of a block; it does not know caches, ports or predictors by itself.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace quincunx {

/// Classes are names here ("load"); lib/model matches them with the map's classes.
struct Machine {
  std::string name; ///< "unit", "x86-64", or the file's
  std::string unit; ///< what the costs count: "constructs", "cost units", "cycles"
  std::vector<std::pair<std::string, Cumulants>> classes;

  /// Cost of a class; zero for one the machine does not name.
  Cumulants cost(const std::string &className) const;
  /// True when every cost is a constant, so that the counts of a run fix its cost.
  bool constant() const;
};

/// "unit" and "x86-64" are built in; anything else is the path of a .machine file.
Result<Machine> machineByName(const std::string &name);
/// Parses the text of a .machine file; errors carry file and line.
Result<Machine> parseMachine(const std::string &text, const std::string &file);

} // namespace quincunx
