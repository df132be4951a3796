// Who makes what the cost follows of inputs.
#pragma once

#include "Attribution.h"
#include "Decisions.h"
#include "InputModel.h"

namespace quincunx {

/// What the model found, with that. `tail`: rows. `root`: the function of the matrix under which
/// all runs.
ExplainedInputs explainInputs(const BlockCosts &blocks, const Attribution &parts,
                              const InputModel &model, std::span<const size_t> tail,
                              const CostOfCalls &calls, size_t root);

} // namespace quincunx
