// The symbolic results of a model: what a process costs as expressions in its parameters, in closed
// form where there is one. Source: van Gemund (2003), (1) to (5), and the thesis of 2004, section
// 6.1.2. Reference: docs/12-pamela.md, "Symbolic results".
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Ast.h"

#include <map>
#include <string>
#include <vector>

namespace quincunx::pamela {

struct AnalyzeOptions {
  std::string target = "main";              ///< a process or a number without arguments
  std::map<std::string, double> parameters; ///< in place of numbers without arguments
};

struct Analyzed {
  /// Parameters, and the numbers T_main, phi_main, delta_main (per resource, for one server),
  /// omega_main and, where no time is random, theta_main; of a number just that. It parses, and
  /// evaluates to what the model does.
  Model model;
  /// What closed forms take for granted, as comparisons ("P >= 1", "N whole"): where it does not
  /// hold they are not what the model costs.
  std::vector<std::string> assumptions;
  /// Is everything in closed form? Otherwise sums or largest values over an index are left, and
  /// time to evaluate them grows with its bounds.
  bool closed = true;
};

/// Errors name the place of what has no expression.
Result<Analyzed> analyze(const Model &model, const AnalyzeOptions &options = {});

} // namespace quincunx::pamela
