// Who makes what the cost follows of inputs.
#pragma once

#include "Attribution.h"
#include "InputModel.h"

namespace quincunx {

/// What the model found, with that. `tail`: rows.
ExplainedInputs explainInputs(const BlockCosts &blocks, const Attribution &parts,
                              const InputModel &model, std::span<const size_t> tail);

} // namespace quincunx
