// Functions of the model among those whose calls were measured, and what these say of it.
#pragma once

#include "quincunx/report/Model.h"

namespace quincunx {

/// Null when its calls were not measured.
const FunctionFigures *measuredOf(const ModelReport &m, uint32_t number);
/// Why independence does not carry the figures of a function but its mean: measured calls have
/// another spread, or where there are none ModelledFunction::refuted. Empty: nothing says so.
std::string refutedIn(const ModelReport &m, const ModelledFunction &f);

} // namespace quincunx
