// A language server on the standard input and output.
#pragma once

#include "arguments/PricedCorpus.h"

namespace quincunx::tool {

/// Serves a client until it ends or says so; the exit status. `options.path` may be empty: the
/// workspace says which corpus it is.
int serveEditor(const CorpusOptions &options);

} // namespace quincunx::tool
