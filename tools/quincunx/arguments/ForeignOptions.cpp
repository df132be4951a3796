// Headers of the system are foreign, and what patterns find; what a reader asks for by name is not.
#include "ForeignOptions.h"

#include "quincunx/map/SourceFiles.h"
#include "quincunx/report/Names.h"

#include <algorithm>
#include <set>

namespace quincunx::tool {

void addForeignOptions(CLI::App &verb, ForeignOptions &options) {
  CLI::Option *headers =
      verb.add_flag("--headers", options.headers,
                    "Show code of system headers where it stands, not on the lines that call it");
  verb.add_option("--foreign", options.patterns,
                  "Take files with such a path for headers of others, too")
      ->type_name("REGEX")
      ->allow_extra_args(false)
      ->excludes(headers);
}

Result<IsForeign> foreignFiles(const ForeignOptions &options, const std::vector<Map> &maps,
                               const std::vector<std::string> &named) {
  if (options.headers)
    return IsForeign([](const std::string &) { return false; });
  std::vector<NamePattern> patterns;
  for (const std::string &text : options.patterns) {
    const Result<NamePattern> pattern = NamePattern::compile(text);
    if (!pattern)
      return Error{"--foreign " + pattern.error().text};
    patterns.push_back(*pattern);
  }
  std::set<std::string> own;
  const std::vector<SourceFile> sources =
      named.empty() ? std::vector<SourceFile>{} : sourceFiles(maps);
  for (const std::string &file : named)
    if (const Result<std::string> path = matchSource(file, sources)) // or else it is told later
      own.insert(*path);
  return IsForeign([own, patterns](const std::string &path) {
    return !own.contains(path) &&
           (isSystemHeader(path) ||
            std::ranges::any_of(patterns, [&](const NamePattern &p) { return p.matches(path); }));
  });
}

} // namespace quincunx::tool
