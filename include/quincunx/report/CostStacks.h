// Mean costs of a corpus as stacks of functions, for tools that draw flame graphs. Costs are whole
// numbers there: picoseconds where the unit is a time, else thousandths of the unit.
// Reference: docs/23-exports.md. It draws nothing.
#pragma once

#include "quincunx/estimate/CostGraph.h"
#include "quincunx/report/FunctionNames.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace quincunx {

/// A stack of functions, outermost first, and what is spent in the last of them while it stands.
struct CostStack {
  std::vector<size_t> functions; ///< of the graph; empty: outside of functions
  double cost = 0;               ///< per run
};
/// The stacks under functions that nobody calls. All calls of a function cost the same, those of
/// the library as they do in their place; a function is once in a stack, and recursion is of its
/// first frame. Stacks that cost less than `least` of the program with all they call are left out,
/// if there is another one of their function, which has what they cost. Each function has its self
/// in all, and all add up to the program.
std::vector<CostStack> stacksOf(const CostGraph &graph, double least = 1e-4);
/// A line for each stack, "main;parse;read 1234": for flamegraph.pl, inferno and the like.
void printFolded(const CostGraph &graph, const FunctionNames &names, std::ostream &out);
/// JSON for https://www.speedscope.app; `name`: of the profile.
void printSpeedscope(const CostGraph &graph, const FunctionNames &names, const std::string &name,
                     std::ostream &out);

} // namespace quincunx
