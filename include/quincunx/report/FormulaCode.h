// Symbolic results as C, Python or LaTeX, to be used elsewhere. Reference: docs/12-pamela.md,
// "Formulas elsewhere".
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Analyze.h"

#include <string>

namespace quincunx {

/// A function for each result, with all parameters; a vector takes the number of a resource in
/// front of them. What is random has no function: an error says which result is.
Result<std::string> formulaAsC(const pamela::Analyzed &a);
Result<std::string> formulaAsPython(const pamela::Analyzed &a);

/// An equation for each result, in an align* environment. Laws are written by their names.
std::string formulaAsLatex(const pamela::Analyzed &a);

} // namespace quincunx
