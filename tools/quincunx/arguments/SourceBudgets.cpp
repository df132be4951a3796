// Reads budgets from the maps of a build. A function that was inlined has its budgets in the maps
// of those that have its code, and instances of a template all have the same.
#include "SourceBudgets.h"

#include "SelectedBuild.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Display.h"

#include <algorithm>
#include <compare>
#include <map>
#include <set>

namespace quincunx::tool {

namespace {

struct Place {
  std::string file;
  unsigned line = 0;
  std::string text;
  auto operator<=>(const Place &) const = default;
};

/// Linkage names, and the files they begin in.
using Functions = std::map<std::string, std::string>;

std::map<Place, Functions> writtenIn(const std::vector<Map> &maps) {
  std::map<Place, Functions> out;
  for (const Map &m : maps)
    for (const Function &f : m.functions)
      for (const FunctionBudget &b : f.budgets) {
        const auto path = [&](uint32_t file) {
          return file < f.files.size() ? f.files[file].path : std::string();
        };
        const Scope &own = f.scopes[b.scope];
        out[{path(b.file), b.line, b.text}].emplace(own.function, path(own.file));
      }
  return out;
}

/// Of functions by name.
std::map<std::string, std::set<std::string>> filesOf(const std::vector<Map> &maps) {
  std::map<std::string, std::set<std::string>> out;
  for (const Map &m : maps)
    for (const Function &f : m.functions)
      for (const Scope &s : f.scopes)
        out[s.function].insert(s.file < f.files.size() ? f.files[s.file].path : "");
  return out;
}

} // namespace

Result<std::vector<SourceBudget>> sourceBudgets(const CorpusOptions &options) {
  Result<Corpus> corpus = Corpus::open(options.path, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  if (const Status s = selectBuild(*corpus, options.build); !s)
    return s.error();
  const Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return maps.error();
  Display display;
  display.names = namesOf(options, *maps);
  const std::map<std::string, std::set<std::string>> files = filesOf(*maps);
  std::vector<SourceBudget> out;
  for (const auto &[written, named] : writtenIn(*maps)) {
    const auto add = [&, &written = written](const std::string &called, const std::string &shown,
                                             std::vector<std::string> functions) -> Status {
      Result<Budget> budget = parseBudgetOf(called, shown, written.text);
      if (!budget)
        return Error{"budget '" + escape(written.text) + "', " + budget.error().text, written.file,
                     written.line};
      budget->file = written.file;
      budget->line = written.line;
      out.push_back({std::move(*budget), std::move(functions), written.text});
      return Done{};
    };
    // Instances of a template are one; other functions of one place (destructors, macros) are not.
    std::map<std::string, std::vector<std::string>> instances;
    for (const auto &[name, file] : named)
      instances[display.names.instancesOf(name)].push_back(name);
    for (auto &[all, functions] : instances)
      if (const auto alike = std::ranges::count_if(files,
                                                   [&](const auto &f) {
                                                     return display.names.isCalled(f.first, all) ||
                                                            display.names.mayBeCalled(f.first, all);
                                                   });
          static_cast<size_t>(alike) != functions.size())
        functions.clear(); // a name for these and others (specialisations): each by itself
      else if (!all.empty() && functions.size() > 1)
        if (const Status s = add(all, escape(all), functions); !s)
          return s.error();
    for (const auto &[name, file] : named) {
      const std::string all = display.names.instancesOf(name);
      if (!all.empty() && instances.at(all).size() > 1)
        continue;
      // Static functions of several files may have one name.
      const bool needsFile = files.at(name).size() > 1 && file.find(':') == std::string::npos;
      if (const Status s =
              add(needsFile ? file + ":" + name : name, display.function(name), {name});
          !s)
        return s.error();
    }
  }
  return out;
}

} // namespace quincunx::tool
