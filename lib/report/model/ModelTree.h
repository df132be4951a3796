// Private to lib/report: a tree of regions as lines of text, in the order of the source.
#pragma once

#include "quincunx/estimate/Model.h"

#include <string>
#include <vector>

namespace quincunx {

struct TreeLine {
  size_t depth = 0;
  /// "function", "block", "branch", "true", "false", "arm", "loop", "flow", "call", "fork"
  std::string kind;
  std::string what;   ///< for people: "loop json.c:57, 12.3 trips"
  uint32_t line = 0;  ///< of the function's file; 0: unknown
  double perCall = 0; ///< executions
  Cumulants cost;     ///< of one execution
  std::string callee; ///< of a call or fork: linkage name
  double threads = 0; ///< of a fork
};

/// What decides in a region that branches; null when no branch of the function does.
const Branch *branchOf(const Function &f, const Region &r);

/// What was executed only. Blocks that follow each other are one line.
std::vector<TreeLine> treeLines(const CallGraph &graph, const ModelledTree &tree);

} // namespace quincunx
