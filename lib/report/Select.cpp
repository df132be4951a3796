// Which functions a report shows, and in which order.
// The idea: a regular expression on names as people know them, a sort key, a limit. It prints
// nothing.
#include "quincunx/report/Names.h"
#include "quincunx/report/Terminal.h"

#include <algorithm>
#include <optional>
#include <regex>

namespace quincunx {

namespace {

/// std::regex recurses over its subject; names longer than this are matched by their beginning.
constexpr size_t longestMatched = 1000;

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

Result<std::optional<std::regex>> compile(const std::string &pattern) {
  if (pattern.empty())
    return std::optional<std::regex>();
  try {
    return std::optional<std::regex>(std::regex(pattern));
  } catch (const std::regex_error &) {
    return Error{"'" + pattern + "' is not a regular expression"};
  }
}

bool matches(const std::regex &pattern, const std::string &name) {
  try {
    return std::regex_search(name.substr(0, longestMatched), pattern);
  } catch (const std::regex_error &) { // too complex for this name
    return false;
  }
}

} // namespace

Result<std::vector<const FunctionFigures *>>
selectFunctions(const std::vector<FunctionFigures> &functions, const ReportOptions &options) {
  const Result<std::optional<std::regex>> pattern = compile(options.function);
  if (!pattern)
    return pattern.error();
  struct Entry {
    const FunctionFigures *f;
    std::string name;
  };
  std::vector<Entry> chosen;
  for (const FunctionFigures &f : functions) {
    std::string name = pattern->has_value() || options.sort == SortBy::name ? demangle(f.name) : "";
    if (!pattern->has_value() || matches(**pattern, name))
      chosen.push_back({&f, std::move(name)});
  }
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
