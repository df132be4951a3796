// How names in questions are understood: as they are shown, and as they are written in the source.
#pragma once

#include "quincunx/estimate/NameReader.h"
#include "quincunx/report/Display.h"

namespace quincunx::tool {

/// `display` must outlive it.
NameReader namesAsked(const Display &display);

} // namespace quincunx::tool
