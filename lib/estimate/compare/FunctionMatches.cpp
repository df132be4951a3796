// Functions of two builds, matched.
// The idea: most have a name that they keep; files come with it, as static functions of several
// files share names. Others keep it up to their parameters. What is left was renamed, unless it is
// new or gone: code that is the same in one file is the same function, and so is what alone stands,
// in both builds, between the same two functions of a file.
#include "FunctionMatches.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace quincunx {

const char *stateName(FunctionState state) {
  switch (state) {
  case FunctionState::same:
    return "same";
  case FunctionState::changed:
    return "changed";
  case FunctionState::renamed:
    return "renamed";
  case FunctionState::added:
    return "new";
  case FunctionState::gone:
    return "gone";
  case FunctionState::inlined:
    return "inlined";
  case FunctionState::nowRuns:
    return "runs now";
  case FunctionState::ranBefore:
    return "runs no more";
  case FunctionState::notInlined:
    break;
  }
  return "not inlined";
}

namespace {

constexpr size_t none = FunctionMatch::none;

class Matcher {
public:
  Matcher(const BuildFunctions &before, const BuildFunctions &after)
      : first(before), second(after), partner(before.rows.size(), none),
        taken(after.rows.size(), none), keepsName(before.rows.size()) {}

  /// Matches, in the order of their lines, functions that are left and of which `keyOf` says the
  /// same; an empty key is of none. `isName`: who has it has the same name.
  template <class Key> void match(Key keyOf, bool isName) {
    std::map<decltype(keyOf(first, 0)), std::vector<size_t>> waiting;
    for (const size_t row : order(second))
      if (taken[row] == none && (isName || !isIn(first, second, row)))
        waiting[keyOf(second, row)].push_back(row);
    std::map<decltype(keyOf(first, 0)), size_t> used;
    for (const size_t row : order(first)) {
      if (partner[row] != none || (!isName && isIn(second, first, row)))
        continue;
      const auto key = keyOf(first, row);
      const auto at = waiting.find(key);
      if (std::get<0>(key).empty() || at == waiting.end() || used[key] == at->second.size())
        continue;
      join(row, at->second[used[key]++]);
      keepsName[row] = isName;
    }
  }
  void matchNeighbours();
  std::vector<FunctionMatch> all() const;

private:
  /// Rows by file and line.
  static std::vector<size_t> order(const BuildFunctions &of) {
    std::vector<size_t> rows;
    for (size_t row = 0; row < of.rows.size(); ++row)
      rows.push_back(row);
    std::ranges::stable_sort(rows, {}, [&](size_t row) {
      const FunctionFigures &p = of.rows.place(row);
      return std::tuple(fileName(p.file), p.line);
    });
    return rows;
  }
  /// The other build has it as well, though it may not have run there.
  static bool isIn(const BuildFunctions &other, const BuildFunctions &of, size_t row) {
    return other.names.contains(of.rows.place(row).name);
  }
  void join(size_t before, size_t after) {
    partner[before] = after;
    taken[after] = before;
  }
  FunctionMatch matchOf(size_t before, size_t after) const;

  const BuildFunctions &first, &second;
  std::vector<size_t> partner, taken; ///< per row of one build, that of the other
  std::vector<bool> keepsName;        ///< per row of the build before
};

/// Only one function that was compiled by itself may be left between two that are matched.
void Matcher::matchNeighbours() {
  using Gap = std::pair<std::string, size_t>; // the file, and the row before it above the gap
  std::map<Gap, std::vector<size_t>> left;
  const auto walk = [&](const BuildFunctions &of, const auto &take) {
    Gap gap{"", none};
    for (const size_t row : order(of)) {
      const FunctionFigures &p = of.rows.place(row);
      if (const std::string file = fileName(p.file); file != gap.first)
        gap = {file, none};
      take(gap, row, !gap.first.empty() && p.members.empty() && of.bodies[row].isCompiled);
    }
  };
  walk(first, [&](Gap &gap, size_t row, bool isOne) {
    if (partner[row] != none)
      gap.second = row;
    else if (isOne && !isIn(second, first, row))
      left[gap].push_back(row);
  });
  std::map<Gap, std::vector<size_t>> found;
  walk(second, [&](Gap &gap, size_t row, bool isOne) {
    if (taken[row] != none)
      gap.second = taken[row];
    else if (isOne && !isIn(first, second, row))
      found[gap].push_back(row);
  });
  for (const auto &[gap, rows] : left)
    if (const auto at = found.find(gap);
        rows.size() == 1 && at != found.end() && at->second.size() == 1)
      join(rows[0], at->second[0]);
}

FunctionMatch Matcher::matchOf(size_t before, size_t after) const {
  const FunctionBody &was = first.bodies[before], &is = second.bodies[after];
  FunctionMatch out{before, after, FunctionState::same, was != is};
  if (!keepsName[before])
    out.state = FunctionState::renamed;
  else if (was.isCompiled != is.isCompiled)
    out.state = was.isCompiled ? FunctionState::inlined : FunctionState::notInlined;
  else if (out.isChanged)
    out.state = FunctionState::changed;
  return out;
}

std::vector<FunctionMatch> Matcher::all() const {
  std::vector<FunctionMatch> out;
  for (size_t row = 0; row < partner.size(); ++row)
    if (partner[row] != none)
      out.push_back(matchOf(row, partner[row]));
    else if (isIn(second, first, row))
      out.push_back({row, none, FunctionState::ranBefore, false});
    else
      out.push_back({row, none, FunctionState::gone, true});
  for (size_t row = 0; row < taken.size(); ++row)
    if (taken[row] == none && isIn(first, second, row))
      out.push_back({none, row, FunctionState::nowRuns, false});
    else if (taken[row] == none)
      out.push_back({none, row, FunctionState::added, true});
  return out;
}

} // namespace

std::vector<FunctionMatch> matchFunctions(const BuildFunctions &before, const BuildFunctions &after,
                                          const ShortName &shortName) {
  Matcher matcher(before, after);
  const auto nameAndFile = [](const BuildFunctions &of, size_t row) {
    const FunctionFigures &p = of.rows.place(row);
    return std::tuple(p.name, p.members.empty() ? fileName(p.file) : std::string());
  };
  const auto name = [](const BuildFunctions &of, size_t row) {
    return std::tuple(of.rows.place(row).name);
  };
  const auto withoutParameters = [&](const BuildFunctions &of, size_t row) {
    const FunctionFigures &p = of.rows.place(row);
    return std::tuple(shortName && p.members.empty() ? shortName(p.name) : std::string(),
                      fileName(p.file));
  };
  const auto code = [](const BuildFunctions &of, size_t row) {
    const FunctionFigures &p = of.rows.place(row);
    return std::tuple(p.members.empty() ? fileName(p.file) : std::string(), of.bodies[row].hash,
                      of.bodies[row].isCompiled);
  };
  matcher.match(nameAndFile, true);
  matcher.match(name, true);
  matcher.match(withoutParameters, true);
  matcher.match(code, false);
  matcher.matchNeighbours();
  return matcher.all();
}

} // namespace quincunx
