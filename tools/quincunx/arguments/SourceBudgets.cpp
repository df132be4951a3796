// Reads budgets from the maps of a build. A function that was inlined has its budgets in the maps
// of those that have its code, and instances of a template all have the same.
#include "SourceBudgets.h"

#include "SelectedBuild.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Display.h"

#include <map>
#include <tuple>

namespace quincunx::tool {

namespace {

/// One budget in the source, and whose it is.
struct Written {
  std::string file;
  unsigned line = 0;
  std::map<std::string, std::string> functions; ///< linkage names, and the files they begin in
};
/// File, line and text.
using Place = std::tuple<std::string, unsigned, std::string>;

std::map<Place, Written> writtenIn(const std::vector<Map> &maps) {
  std::map<Place, Written> out;
  for (const Map &m : maps)
    for (const Function &f : m.functions)
      for (const FunctionBudget &b : f.budgets) {
        const auto path = [&](uint32_t file) {
          return file < f.files.size() ? f.files[file].path : std::string();
        };
        Written &w = out[{path(b.file), b.line, b.text}];
        w.file = path(b.file), w.line = b.line;
        const Scope &own = f.scopes[b.scope];
        w.functions.emplace(own.function, path(own.file));
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
  for (const auto &[place, written] : writtenIn(*maps)) {
    SourceBudget &s = out.emplace_back();
    s.written = std::get<2>(place);
    const auto &[name, file] = *written.functions.begin();
    std::string called = name, shown = display.function(name);
    if (const std::string all = display.names.instancesOf(name);
        written.functions.size() > 1 && !all.empty())
      called = all, shown = escape(all);
    else if (!file.empty() && file.find(':') == std::string::npos)
      called = file + ":" + name; // static functions of several files may have one name
    for (const auto &function : written.functions)
      s.functions.push_back(function.first);
    Result<Budget> budget = parseBudgetOf(called, shown, s.written);
    if (!budget)
      return Error{"budget '" + escape(s.written) + "', " + budget.error().text, written.file,
                   written.line};
    s.budget = std::move(*budget);
    s.budget.file = written.file;
    s.budget.line = written.line;
  }
  return out;
}

} // namespace quincunx::tool
