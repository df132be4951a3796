// Finds a function of the model among those whose calls were measured.
#pragma once

#include "quincunx/report/Model.h"

namespace quincunx {

/// Null when its calls were not measured.
const FunctionFigures *measuredOf(const ModelReport &m, uint32_t number);

} // namespace quincunx
