// A machine model: what one instruction of each class costs, as the first four cumulants of a
// random cost. It prices the instruction mix of a block; it does not know caches, ports or
// predictors by itself.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quincunx {

/// Classes are names here ("load"); lib/estimate matches them with the map's classes.
struct Machine {
  std::string name; ///< "unit", "x86-64", or the file's
  std::string unit; ///< what the costs count: "constructs", "cost units", "cycles"
  std::vector<std::pair<std::string, Cumulants>> classes;

  /// Cost of a class; zero for one the machine does not name.
  Cumulants cost(const std::string &className) const;
  /// True when every cost is a constant, so that the counts of a run fix its cost.
  bool constant() const;
};

/// The words for classes in a .machine file, in the order of the map's classes.
std::span<const std::string> machineClasses();
/// A cost as .machine files write it: a number, or moments(mean, variance, skewness, kurtosis).
Result<Cumulants> parseCost(std::string_view text);
/// The names of the machines that are built in ("unit", "x86-64").
std::vector<std::string> builtinMachineNames();
/// A built-in machine; anything else is the path of a .machine file.
Result<Machine> machineByName(const std::string &name);
/// Parses the text of a .machine file; errors carry file and line.
Result<Machine> parseMachine(const std::string &text, const std::string &file);

} // namespace quincunx
