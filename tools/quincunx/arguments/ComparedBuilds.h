// Two builds that a verb compares: of two corpora, or of one.
#pragma once

#include "PricedCorpus.h"

#include "quincunx/report/Compare.h"

namespace quincunx::tool {

struct ComparedCorpora {
  std::string before, afterPath; ///< one corpus has both builds where `afterPath` is empty
  std::string against;           ///< build before, as --build takes it
  CorpusOptions after;           ///< its path is not read; prices and names are for both
  const std::string &pathAfter() const { return afterPath.empty() ? before : afterPath; }
};

/// Adds the corpora, --build and --against.
void addComparedCorpora(CLI::App &verb, ComparedCorpora &options);

struct ComparedBuilds {
  PricedCorpus before, after;
  FunctionNames names; ///< of functions of both
  ComparedNames called;
  bool isPricedByAfter = false; ///< the build before has no prices in time
  const Machine &machine() const { return isPricedByAfter ? after.machine : before.machine; }
};
/// Names by which functions are found whose parameters changed.
ShortName shortNames();
/// Rows of functions are grouped.
Result<ComparedBuilds> openCompared(const ComparedCorpora &options);

} // namespace quincunx::tool
