// The model of a program as text of PAMELA+, for `quincunx eval` and for people to change.
// Reference: docs/12-pamela.md.
#pragma once

#include "quincunx/report/Model.h"

#include <functional>
#include <iosfwd>

namespace quincunx {

/// A process per function that ran and is reached from the chosen ones, and `main`: the one chosen
/// function, or a whole run. Evaluated, it has the model's moments. `treeOf`: of a function that
/// ran. Errors: a model of mixed runs, nothing chosen.
Status printPamela(const ModelReport &m,
                   const std::function<Result<ModelledTree>(uint32_t)> &treeOf,
                   const ReportOptions &options, std::ostream &out);

} // namespace quincunx
