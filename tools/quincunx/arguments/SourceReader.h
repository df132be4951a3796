// The sources of a corpus that a verb reads, and what their lines did and cost. It reads no texts.
#pragma once

#include "PricedCorpus.h"

#include "quincunx/report/Annotate.h"

#include <string>
#include <vector>

namespace quincunx::tool {

struct SourceReader {
  PricedCorpus priced;
  std::vector<SourceFile> files;
  std::vector<MapSources> lines;
  IsForeign isForeign; ///< whose code it is, by its path

  /// `observed`: of the same corpus. Reads all runs, or the requests that take their place.
  Result<FileFigures> linesOf(const SourceVersion &version, const Observed &observed) const;
};

/// Rows of functions are grouped, and code of others folded, but for that of files in `named`
/// (RowGroups.h).
Result<SourceReader> openSources(const CorpusOptions &options,
                                 const std::vector<std::string> &named = {});

} // namespace quincunx::tool
