// What functions of the source, and groups of them, are called and where they stand. It knows no
// figures.
#pragma once

#include "quincunx/estimate/Observed.h"
#include "quincunx/map/SourceFunctions.h"

namespace quincunx {

/// By number. `ran`: which functions of the source did.
FunctionFigures placeOf(const SourceFunctions &sources, const std::vector<Map> &maps, size_t number,
                        const std::vector<bool> &ran);
/// Is it a group, and not the one function of it that ran? What is code of others is a group.
bool isGroup(const FunctionFigures &place);

} // namespace quincunx
