// Why runs differ: which functions, lines, loops and branches make the variance of the cost, what
// the costliest runs do that the others do not, how the mean and p99 hang on what each function
// costs, and whether runs fall into groups. Everything is a sum over the counts of the runs, so it
// is exact on the corpus. Reference: docs/18-why-runs-differ.md. It finds what goes along with
// the cost; whether that is the cause, other inputs must tell.
#pragma once

#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Explained.h"

namespace quincunx {

/// `observed`: of the same runs, in the same order, without functions. `isFolded`: groups of
/// functions (map/FunctionGroups.h) are one row each.
Explained explain(Observed observed, const BlockCosts &costs, bool isFolded = true);

} // namespace quincunx
