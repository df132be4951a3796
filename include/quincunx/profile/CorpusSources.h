// The source lines of the maps of a corpus.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/map/SourceBlock.h"
#include "quincunx/profile/Corpus.h"

namespace quincunx {

/// In the order of Corpus::maps().
Result<std::vector<MapSources>> readSources(const Corpus &corpus);

} // namespace quincunx
