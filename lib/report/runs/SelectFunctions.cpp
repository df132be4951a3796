// Chooses which functions a report shows, and in which order. The idea: a name or
// a regular expression in names as people know them, a sort key, a limit. It prints nothing.
#include "quincunx/report/Terminal.h"

#include <algorithm>

namespace quincunx {

namespace {

double key(const FunctionFigures &f, SortBy by) {
  switch (by) {
  case SortBy::p99:
    return f.cost.percentiles[2].value;
  case SortBy::mean:
    return f.cost.moments.mean;
  case SortBy::share:
    return f.share;
  case SortBy::sd:
    return f.cost.deviation;
  case SortBy::calls:
    return f.calls.moments.mean;
  case SortBy::name:
    break;
  }
  return 0;
}

} // namespace

Result<std::vector<const FunctionFigures *>>
selectFunctions(const std::vector<FunctionFigures> &functions, const ReportOptions &options) {
  const FunctionNames &names = options.display.names;
  std::vector<std::string> linkageNames;
  for (const FunctionFigures &f : functions)
    linkageNames.push_back(f.name);
  const Result<std::vector<size_t>> found = names.matching(linkageNames, options.function);
  if (!found)
    return found.error();
  struct Entry {
    const FunctionFigures *f;
    std::string name;
  };
  std::vector<Entry> chosen;
  for (const size_t i : *found)
    chosen.push_back(
        {&functions[i], options.sort == SortBy::name ? names.of(functions[i].name) : ""});
  std::stable_sort(chosen.begin(), chosen.end(), [&](const Entry &a, const Entry &b) {
    if (options.sort == SortBy::name)
      return a.name < b.name;
    const double x = key(*a.f, options.sort), y = key(*b.f, options.sort);
    // Functions alike in the key (p99 open in all of them, say) go by their mean.
    return x != y ? x > y : a.f->cost.moments.mean > b.f->cost.moments.mean;
  });
  std::vector<const FunctionFigures *> out;
  for (const Entry &e : chosen)
    if (options.top == 0 || out.size() < options.top)
      out.push_back(e.f);
  return out;
}

} // namespace quincunx
