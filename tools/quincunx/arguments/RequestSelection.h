// Which requests --per request means: those of the only marked function, or of the one that
// --function names.
#pragma once

#include "quincunx/estimate/ObserveCorpus.h"
#include "quincunx/report/FunctionNames.h"

namespace quincunx::tool {

/// `pattern`: what FunctionNames::matching() takes; empty: the corpus has one marked function.
/// Errors name the functions there are.
Result<RequestFunction> selectRequests(const Corpus &corpus, const std::vector<Map> &maps,
                                       const FunctionNames &names, const std::string &pattern);
/// Adds to an error which requests it is about.
Error aboutRequests(const RequestFunction &requests, const FunctionNames &names,
                    const Error &error);

} // namespace quincunx::tool
