// Code for the simulated predictor and caches (record=predictor): the runtime is told what every
// conditional branch, switch, indirect jump, indirect call and access to memory is about to do, and
// counts what it did not foretell. Sites are chosen while the function holds nothing but itself;
// their code is inserted after all other code, so that what counters count does not depend on it.
#pragma once

#include "Counters.h"

namespace quincunx {

/// What is told, and its counter (the first one, of an access).
struct PredictedSite {
  llvm::Instruction *what;
  uint32_t counter; ///< within the function
};

/// Chooses the sites of a function and gives them counters in the map, from counterCount on.
std::vector<PredictedSite> choosePredicted(IrFlow &flow);

/// Inserts the calls, after everything else. May split blocks in front of switches.
void insertPredictor(llvm::Function &f, const std::vector<PredictedSite> &sites,
                     Counters &counters);

} // namespace quincunx
