// Who makes what the cost follows of inputs.
#pragma once

#include "Attribution.h"
#include "InputModel.h"

namespace quincunx {

/// `costs`: of all runs; `tail`: rows.
ExplainedInputs explainInputs(const BlockCosts &blocks, const Attribution &parts,
                              std::span<const double> costs, std::span<const size_t> tail);

} // namespace quincunx
