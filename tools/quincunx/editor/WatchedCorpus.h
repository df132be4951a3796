// Which corpus a workspace has, and whether it is another one than a while ago.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/report/LanguageServer.h"

#include <string>
#include <vector>

namespace quincunx::tool {

/// `named`: on the command line; empty: not. Or else the one of the client, or the only one in the
/// root. The error says what to do.
Result<std::string> corpusOf(const std::string &named, const LanguageServer::Workspace &workspace);

/// When files were written last, and how large they are: of the corpus with its log (a commit of a
/// writer changes that alone), and of budgets. Not to be there is a state as well.
using FileState = std::vector<int64_t>;
FileState stateOf(const std::string &corpus, const std::string &root);

} // namespace quincunx::tool
