// Private to lib/report: where a function of the model stands among those that were measured.
#pragma once

#include "quincunx/report/Model.h"

namespace quincunx {

/// Null when its calls were not measured.
const FunctionFigures *measuredOf(const ModelReport &m, uint32_t number);

} // namespace quincunx
