// Which functions have one row together: code of headers that was compiled by itself, and instances
// of a template.
#pragma once

#include "PricedCorpus.h"

namespace quincunx::tool {

/// Code of headers alone. Places stay as they are.
Status groupRows(std::vector<Map> &maps, const ForeignOptions &options);
/// Folds code of others as well, as foldForeign does (PricedCorpus.h).
Result<IsForeign> groupRows(PricedCorpus &priced, const CorpusOptions &options,
                            const std::vector<std::string> &named = {});

} // namespace quincunx::tool
