// A machine model: what one instruction of each class, one event and one call of a function that is
// not instrumented cost, as the first four cumulants of a random cost. It holds prices; it does not
// know how often anything happens: caches, ports and predictors are not simulated here.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/cost/ProgramFit.h"
#include "quincunx/numeric/Moments.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quincunx {

/// The built-in machine that prices costs when nobody says which: counts of work, no time.
inline constexpr const char *usualMachine = "x86-64";

/// Classes are names here ("load"); lib/estimate matches them with the map's classes.
struct Machine {
  std::string name; ///< "unit", "x86-64", or the file's
  std::string unit; ///< what the costs count: "constructs", "cost units", "cycles"
  std::vector<std::pair<std::string, Cumulants>> classes;
  std::vector<std::pair<std::string, Cumulants>> events = {}; ///< of machineEvents()
  /// One call of a function that is not instrumented, by its linkage name ("malloc").
  std::map<std::string, Cumulants> callees = {};
  /// Each byte that calls of such a function move, on top of the calls ("memcpy").
  std::map<std::string, Cumulants> bytes = {};
  /// Programs take longer or less than that, all their runs by one factor: the standard deviation
  /// of its logarithm. 0: not known, or nothing to speak of.
  double programSpread = 0;
  ProgramFit fit = {};

  /// Cost of a class; zero for one the machine does not name.
  Cumulants cost(const std::string &className) const;
  /// Cost of an event, on top of the instruction it happens to; zero for one it does not name.
  Cumulants event(const std::string &eventName) const;
  /// True when every cost is a constant, so that the counts of a run fix its cost.
  bool constant() const;
};

/// The words for classes in a .machine file, in the order of the map's classes.
std::span<const std::string> machineClasses();
/// The words for events, in the order in which docs/13-machines.md describes them.
std::span<const std::string> machineEvents();
/// A cost as .machine files write it: a number, or moments(mean, variance, skewness, kurtosis).
Result<Cumulants> parseCost(std::string_view text);
/// The names of the machines that are built in ("unit", "x86-64").
std::vector<std::string> builtinMachineNames();
/// A built-in machine; anything else is the path of a .machine file.
Result<Machine> machineByName(const std::string &name);
/// Parses the text of a .machine file; errors carry file and line.
Result<Machine> parseMachine(const std::string &text, const std::string &file);
/// A cost as parseCost() reads it: shortest digits, moments(...) where it is random.
std::string printCost(const Cumulants &cost);
/// The text of a .machine file, a line for each cost. It parses back to the same machine when that
/// came from such a text, or has a name and a unit, without # and line breaks.
std::string printMachine(const Machine &machine);

} // namespace quincunx
