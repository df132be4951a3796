// Finds functions by the word that a source has for them: the last identifier of their short names
// (ShortName.h). Lambdas and operators have no such word, and are found by their lines alone.
#include "quincunx/report/EditorCorpus.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace quincunx {

namespace {

/// "sort" of "ns::sort<...>"; empty where it is no identifier.
std::string identifierOf(std::string_view name) {
  name = name.substr(0, name.find_first_of("<("));
  if (name.find(' ') != std::string_view::npos)
    return "";
  const auto isPart = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
  };
  size_t from = name.size();
  while (from > 0 && isPart(name[from - 1]))
    --from;
  return std::string(name.substr(from));
}

double costOf(const FunctionFigures &f) {
  return f.total ? f.total->cost.moments.mean : f.cost.moments.mean;
}

} // namespace

EditorCorpus::EditorCorpus(Observed from, FunctionNames names, std::vector<SourceFile> files,
                           std::map<size_t, std::vector<double>> perRun)
    : observed(std::move(from)), sources(std::move(files)),
      display{.utf8 = true, .width = 0, .names = std::move(names)}, totals(std::move(perRun)) {
  std::set<size_t> groups;
  for (const FunctionFigures &g : observed.groups)
    groups.insert(g.number);
  const auto add = [&](const FunctionFigures &f, const std::string &name) {
    if (std::string identifier = identifierOf(name); !identifier.empty())
      byIdentifier.emplace(std::move(identifier), &f);
  };
  for (const FunctionFigures &f : observed.functions)
    if (!groups.contains(f.group))
      add(f, display.names.of(f.name));
  for (const FunctionFigures &g : observed.groups)
    if (!g.isForeign)
      add(g, g.name);
  for (const FunctionFigures &f : observed.library)
    add(f, display.names.of(f.name));
}

std::vector<const FunctionFigures *> EditorCorpus::called(const std::string &identifier) const {
  std::vector<const FunctionFigures *> out;
  const auto [first, last] = byIdentifier.equal_range(identifier);
  for (auto at = first; at != last; ++at)
    out.push_back(at->second);
  std::ranges::stable_sort(out, std::greater(), [](const auto *f) { return costOf(*f); });
  return out;
}

const std::vector<double> *EditorCorpus::totalsOf(const FunctionFigures &f) const {
  const auto at = f.isLibrary ? totals.end() : totals.find(f.number);
  return at == totals.end() ? nullptr : &at->second;
}

} // namespace quincunx
