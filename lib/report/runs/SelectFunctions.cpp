// Chooses which functions a report shows, and in which order. The idea: a name or
// a regular expression in names as people know them, a sort key, a limit. What was called and not
// counted is sorted among functions where its calls have a price. It prints nothing.
#include "quincunx/report/Terminal.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <set>

namespace quincunx {

namespace {

/// With all that a function calls where that is known, and is asked for.
const SummaryStatistics &costOf(const FunctionFigures &f, Figures of) {
  return of == Figures::total && f.total ? f.total->cost : f.cost;
}

double key(const FunctionFigures &f, SortBy by, Figures of) {
  switch (by) {
  case SortBy::p99:
    return costOf(f, of).percentiles[2].value;
  case SortBy::mean:
    return costOf(f, of).moments.mean;
  case SortBy::share:
    return of == Figures::total && f.total ? f.total->share : f.share;
  case SortBy::sd:
    return costOf(f, of).deviation;
  case SortBy::calls:
    return f.calls.moments.mean;
  case SortBy::name:
    break;
  }
  return 0;
}

using Functions = std::vector<const FunctionFigures *>;

/// Without a price there is nothing else to compare them by.
constexpr size_t mostCalledShown = 5;

Result<Functions> matching(const Functions &all, const ReportOptions &options) {
  std::vector<std::string> linkageNames;
  Functions named; // parallel
  for (const FunctionFigures *f : all) {
    linkageNames.push_back(f->name);
    linkageNames.insert(linkageNames.end(), f->written.begin(), f->written.end());
    named.resize(linkageNames.size(), f);
  }
  const Result<std::vector<size_t>> found =
      options.display.names.matching(linkageNames, options.function);
  if (!found)
    return found.error();
  if (found->empty() && !options.function.empty())
    return options.display.names.noneMatches(linkageNames, options.function);
  Functions out;
  for (const size_t i : *found)
    if (out.empty() || out.back() != named[i])
      out.push_back(named[i]);
  return out;
}

/// Sorted, the first `top` of them; 0: all.
Functions ordered(const Functions &all, SortBy by, Figures of, size_t top,
                  const FunctionNames &names) {
  struct Entry {
    const FunctionFigures *f;
    std::string name;
  };
  std::vector<Entry> chosen;
  for (const FunctionFigures *f : all)
    chosen.push_back({f, by == SortBy::name ? names.of(f->name) : ""});
  std::stable_sort(chosen.begin(), chosen.end(), [&](const Entry &a, const Entry &b) {
    if (by == SortBy::name)
      return a.name < b.name;
    const double x = key(*a.f, by, of), y = key(*b.f, by, of);
    // Functions alike in the key (p99 open in all of them, say) go by their mean.
    return x != y ? x > y : costOf(*a.f, of).moments.mean > costOf(*b.f, of).moments.mean;
  });
  Functions out;
  for (const Entry &e : chosen)
    if (top == 0 || out.size() < top)
      out.push_back(e.f);
  return out;
}

void addAll(const std::vector<FunctionFigures> &functions, Functions &to) {
  for (const FunctionFigures &f : functions)
    to.push_back(&f);
}

/// All that there are to choose from: groups in place of their functions, or functions, of which
/// `wanted` may be the group.
Functions candidates(const Observed &o, bool folded, const FunctionFigures *wanted) {
  std::set<size_t> groups; // that are shown
  for (const FunctionFigures &g : o.groups)
    groups.insert(g.number);
  Functions all;
  for (const FunctionFigures &f : o.functions)
    if (wanted != nullptr ? f.group == wanted->number : !folded || !groups.contains(f.group))
      all.push_back(&f);
  if (wanted != nullptr)
    return all;
  if (folded)
    addAll(o.groups, all);
  addAll(o.library, all);
  return all;
}

} // namespace

Result<Functions> selectFunctions(const std::vector<FunctionFigures> &functions,
                                  const ReportOptions &options) {
  Functions all;
  addAll(functions, all);
  const Result<Functions> found = matching(all, options);
  if (!found)
    return found;
  return ordered(*found, options.sort, Figures::self, options.top, options.display.names);
}

Result<Rows> selectRows(const Observed &o, const ReportOptions &options, Figures of) {
  const auto group = std::ranges::find_if(o.groups, [&](const FunctionFigures &g) {
    return options.function == g.name || options.function == groupName(g);
  });
  const bool isGroup = group != o.groups.end();
  const bool folded = options.folded && options.function.empty();
  const Functions all = candidates(o, folded, isGroup ? &*group : nullptr);
  const Result<Functions> found = isGroup ? all : matching(all, options);
  if (!found)
    return found.error();
  const bool arePriced = std::ranges::any_of(o.library, &FunctionFigures::isPriced);
  Functions among, below, foot;
  for (const FunctionFigures *f : *found)
    (f->isForeign ? foot : f->isLibrary && !arePriced ? below : among).push_back(f);
  const FunctionNames &names = options.display.names;
  Rows rows{ordered(among, options.sort, of, options.top, names), all.size()};
  const size_t mostCalled = options.top == 0 ? 0 : mostCalledShown;
  for (const FunctionFigures *f : ordered(below, SortBy::calls, of, mostCalled, names))
    rows.shown.push_back(f);
  rows.shown.insert(rows.shown.end(), foot.begin(), foot.end());
  return rows;
}

} // namespace quincunx
