// Reads budgets from the maps of a build. A function that was inlined has its budgets in the maps
// of those that have its code, and instances of a template all have the same.
#include "SourceBudgets.h"

#include "SelectedBuild.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Display.h"

#include <compare>
#include <map>

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
    // Instances of a template are one; other functions that the compiler made of one (destructors)
    // are not.
    const std::string all = display.names.instancesOf(named.begin()->first);
    if (named.size() > 1 && !all.empty()) {
      std::vector<std::string> functions;
      for (const auto &function : named)
        functions.push_back(function.first);
      if (const Status s = add(all, escape(all), std::move(functions)); !s)
        return s.error();
      continue;
    }
    for (const auto &[name, file] : named) {
      // Static functions of several files may have one name.
      const bool hasFile = !file.empty() && file.find(':') == std::string::npos;
      if (const Status s = add(hasFile ? file + ":" + name : name, display.function(name), {name});
          !s)
        return s.error();
    }
  }
  return out;
}

} // namespace quincunx::tool
