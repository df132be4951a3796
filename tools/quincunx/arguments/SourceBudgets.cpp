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
#include <utility>

namespace quincunx::tool {

namespace {

/// Where a budget is written, and what.
struct Place {
  std::string file;
  unsigned line = 0;
  std::string text;
  auto operator<=>(const Place &) const = default;
};

/// A function: its linkage name, and the file it begins in.
using Named = std::pair<std::string, std::string>;

Named namedIn(const Function &f, const Scope &s) {
  return {s.function, s.file < f.files.size() ? f.files[s.file].path : std::string()};
}

std::map<Place, std::set<Named>> writtenIn(const std::vector<Map> &maps) {
  std::map<Place, std::set<Named>> out;
  for (const Map &m : maps)
    for (const Function &f : m.functions)
      for (const FunctionBudget &b : f.budgets)
        out[{b.file < f.files.size() ? f.files[b.file].path : std::string(), b.line, b.text}]
            .insert(namedIn(f, f.scopes[b.scope]));
  return out;
}

/// All functions that there are.
std::set<Named> functionsOf(const std::vector<Map> &maps) {
  std::set<Named> out;
  for (const Map &m : maps)
    for (const Function &f : m.functions)
      for (const Scope &s : f.scopes)
        out.insert(namedIn(f, s));
  return out;
}

/// How functions of one place are asked, and which these are: instances of a template together, if
/// no other function is called so; others (destructors, what a macro made) each by itself.
std::map<std::string, std::set<std::string>>
askedAs(const std::set<Named> &functions, const std::set<Named> &all, const FunctionNames &names) {
  const auto isAlone = [&](const std::string &together, size_t count) {
    return static_cast<size_t>(std::ranges::count_if(all, [&](const Named &f) {
             return names.isCalled(f.first, together) || names.mayBeCalled(f.first, together);
           })) == count;
  };
  std::map<std::string, std::set<std::string>> out, instances;
  for (const auto &[name, file] : functions)
    instances[names.instancesOf(name)].insert(name);
  for (const auto &[name, file] : functions) {
    const std::string together = names.instancesOf(name);
    const std::set<std::string> &group = instances[together];
    const auto alike = std::ranges::count_if(all, [&](const Named &f) { return f.first == name; });
    if (!together.empty() && group.size() > 1 && isAlone(together, group.size()))
      out[together] = group;
    else if (alike > 1 && !file.empty() && file.find(':') == std::string::npos)
      out[file + ":" + name] = {name}; // static functions of several files
    else
      out[name] = {name};
  }
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
  const std::set<Named> all = functionsOf(*maps);
  std::vector<SourceBudget> out;
  for (const auto &[written, functions] : writtenIn(*maps))
    for (const auto &[called, names] : askedAs(functions, all, display.names)) {
      const std::string shown =
          names.size() > 1 ? escape(called) : display.function(*names.begin());
      Result<Budget> budget = parseBudgetOf(called, shown, written.text);
      if (!budget)
        return Error{"budget '" + escape(written.text) + "', " + budget.error().text, written.file,
                     written.line};
      budget->file = written.file;
      budget->line = written.line;
      out.push_back({std::move(*budget), {names.begin(), names.end()}, written.text});
    }
  return out;
}

} // namespace quincunx::tool
