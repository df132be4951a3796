// From a model to text that parses to the same model, in the one layout that all models have:
// docs/12-pamela.md, "Layout". It changes no meaning and checks none.
#pragma once

#include "quincunx/pamela/Ast.h"

#include <string>

namespace quincunx::pamela {

/// One expression, in lines of up to 100 columns where that is possible; no newline at the end.
/// Numbers are exact; a negative one is printed as the negation it would be read as.
std::string print(const Tree &tree);

/// The definitions and includes of the main file with its comments, or all definitions when nothing
/// is included. Comments go by the places of what stands around them: a model whose trees were put
/// together anew should have none.
std::string print(const Model &model);

} // namespace quincunx::pamela
