// Which functions have one row together: code of headers that was compiled by itself.
#pragma once

#include "PricedCorpus.h"

namespace quincunx::tool {

/// Places stay as they are.
Status groupRows(std::vector<Map> &maps, const ForeignOptions &options);
/// Folds code of others as well (PricedCorpus.h).
Status groupRows(PricedCorpus &priced, const CorpusOptions &options);

} // namespace quincunx::tool
