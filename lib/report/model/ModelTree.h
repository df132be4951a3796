// A tree of regions as lines of text, in the order of the source.
#pragma once

#include "quincunx/estimate/Model.h"
#include "quincunx/report/Display.h"

#include <span>
#include <string>
#include <vector>

namespace quincunx {

struct TreeLine {
  size_t depth = 0;
  /// "function", "block", "branch", "true", "false", "arm", "loop", "flow", "call", "pointer",
  /// "fork"
  std::string kind;
  std::string what;   ///< for people: "loop json.c:57, 12.3 trips"
  uint32_t line = 0;  ///< of the function's file; 0: unknown
  double perCall = 0; ///< executions
  Cumulants cost;     ///< of one execution
  std::string callee; ///< of a call or fork: linkage name
  double threads = 0; ///< of a fork
  double share =
      0; ///< of the cost of one call of the function; 0 of a fork, which costs it nothing
};

/// What decides in a region that branches; null when no branch of the function does.
const Branch *branchOf(const Function &f, const Region &r);

/// What was executed only. Blocks that follow each other are one line. `labels`: what blocks are
/// called, parallel to those of the function; may be empty.
std::vector<TreeLine> treeLines(const CallGraph &graph, const ModelledTree &tree,
                                const Display &display, std::span<const std::string> labels = {});

} // namespace quincunx
