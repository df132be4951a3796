// Chooses the function whose calls are the requests of a corpus.
#include "RequestSelection.h"

#include "quincunx/base/Text.h"

namespace quincunx::tool {

namespace {

std::string list(const std::vector<RequestFunction> &functions, const FunctionNames &names) {
  std::string out;
  for (const RequestFunction &f : functions)
    out += (out.empty() ? "" : ", ") + escape(names.of(f.name));
  return out;
}

Result<RequestFunction> choose(const std::vector<RequestFunction> &all, const FunctionNames &names,
                               const std::string &pattern) {
  if (all.empty())
    return Error{"the corpus has no requests; mark a function with [[quincunx::request]] or "
                 "QUINCUNX_REQUEST, build and run again"};
  std::vector<std::string> linkageNames;
  for (const RequestFunction &f : all)
    linkageNames.push_back(f.name);
  const Result<std::vector<size_t>> meant = names.matching(linkageNames, pattern);
  if (!meant)
    return meant.error();
  std::vector<RequestFunction> found;
  for (const size_t i : *meant)
    found.push_back(all[i]);
  if (found.size() == 1)
    return found.front();
  if (found.empty())
    return Error{"no marked function matches '" + escape(pattern) + "'; there is " +
                 list(all, names)};
  return Error{"requests of several functions; choose one with --function: " + list(found, names)};
}

} // namespace

Result<RequestFunction> selectRequests(const Corpus &corpus, const std::vector<Map> &maps,
                                       const FunctionNames &names, const std::string &pattern) {
  const auto functions = requestFunctions(corpus, maps);
  if (!functions)
    return functions.error();
  return choose(*functions, names, pattern);
}

Error aboutRequests(const RequestFunction &requests, const FunctionNames &names,
                    const Error &error) {
  return Error{"requests of " + escape(names.of(requests.name)) + ": " + error.text};
}

} // namespace quincunx::tool
