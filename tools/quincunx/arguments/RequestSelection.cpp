// Chooses the function whose calls are the requests of a corpus. A name that is the whole pattern
// is meant even if others contain it.
#include "RequestSelection.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Names.h"

namespace quincunx::tool {

namespace {

std::string list(const std::vector<RequestFunction> &functions) {
  std::string out;
  for (const RequestFunction &f : functions)
    out += (out.empty() ? "" : ", ") + escape(demangle(f.name));
  return out;
}

Result<RequestFunction> choose(const std::vector<RequestFunction> &all,
                               const std::string &pattern) {
  if (all.empty())
    return Error{"the corpus has no requests; mark a function with [[quincunx::request]] or "
                 "QUINCUNX_REQUEST, build and run again"};
  const Result<NamePattern> wanted = NamePattern::compile(pattern);
  if (!wanted)
    return wanted.error();
  std::vector<RequestFunction> found;
  for (const RequestFunction &f : all) {
    const std::string name = demangle(f.name);
    if (name == pattern || f.name == pattern)
      return f;
    if (wanted->matches(name))
      found.push_back(f);
  }
  if (found.size() == 1)
    return found.front();
  if (found.empty())
    return Error{"no marked function matches '" + escape(pattern) + "'; there is " + list(all)};
  return Error{"requests of several functions; choose one with --function: " + list(found)};
}

} // namespace

Result<RequestFunction> selectRequests(const Corpus &corpus, const std::vector<Map> &maps,
                                       const std::string &pattern) {
  const auto functions = requestFunctions(corpus, maps);
  if (!functions)
    return functions.error();
  return choose(*functions, pattern);
}

Error aboutRequests(const RequestFunction &requests, const Error &error) {
  return Error{"requests of " + escape(demangle(requests.name)) + ": " + error.text};
}

} // namespace quincunx::tool
