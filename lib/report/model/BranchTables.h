// Tables of the branches and loops of one function.
#pragma once

#include "quincunx/estimate/Modelled.h"
#include "quincunx/report/Display.h"

#include <iosfwd>

namespace quincunx {

void printBranches(const Function &f, const ModelledTree &tree, const Display &display,
                   std::ostream &out);
void printLoops(const Function &f, const ModelledTree &tree, const Display &display,
                std::ostream &out);
/// Of a function that never ran.
void printGuesses(const Function &f, const ModelledTree &tree, const Display &display,
                  std::ostream &out);

} // namespace quincunx
