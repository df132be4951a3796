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
  /// Numbers without arguments that stay symbols; empty: all that are called parameters.
  std::vector<std::string> only;
  bool means = false; ///< of random results
  /// Derivatives of the mean in these parameters, and elasticities, too.
  std::vector<std::string> derivatives;
};

struct Analyzed {
  /// Parameters with their ranges, and the numbers T_main, phi_main, delta_main (per resource, for
  /// one server), omega_main and, where no time is random, theta_main; of a number just that. It
  /// parses, and evaluates to what the model does.
  Model model;
  /// What closed forms take for granted, as comparisons ("P >= 1", "N whole"): where it does not
  /// hold they are not what the model costs.
  std::vector<std::string> assumptions;
  /// Is everything in closed form? Otherwise sums or largest values over an index are left, and
  /// time to evaluate them grows with its bounds.
  bool closed = true;
  /// Means and derivatives that were asked for and have no expression.
  std::vector<std::string> missing;
  /// Derivatives are of pieces: at a step of floor or a condition there is none.
  bool piecewise = false;
};

/// Errors name the place of what has no expression.
Result<Analyzed> analyze(const Model &model, const AnalyzeOptions &options = {});

} // namespace quincunx::pamela
