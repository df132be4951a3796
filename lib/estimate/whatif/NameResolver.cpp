// What names and places in a question mean.
// The idea: a name is compared as the linker has it, as it is written in the source, and without
// what a reader leaves out (namespaces, parameters, template arguments), the first of these that
// finds something; builds of one program have each function several times, and it is one function
// all the same. Lines are those of the map's blocks, in whichever function the compiler put them;
// code of others belongs to the lines that call it, but its branches and loops are none of theirs.
#include "NameResolver.h"

#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"
#include "quincunx/map/SourceFiles.h"

#include <algorithm>
#include <map>
#include <set>

namespace quincunx {

namespace {

std::string quoted(const std::string &name) { return "'" + escape(name) + "'"; }

} // namespace

std::set<std::string> libraryNamed(const std::string &name, const LibraryFunctions &called,
                                   const NameReader &reader) {
  std::set<std::string> exactly, loosely;
  const auto look = [&](const std::string &callee) {
    if (reader.isCalled(callee, name))
      exactly.insert(callee);
    if (isWrittenAs(reader.demangle(callee), name))
      loosely.insert(callee);
  };
  for (size_t i = 0; i < called.names().size(); ++i) {
    look(called.names()[i]);
    std::ranges::for_each(called.written(i), look);
  }
  return exactly.empty() ? loosely : exactly;
}

NameResolver::NameResolver(const CountMatrix &m, const std::vector<Map> &all,
                           const WhatIfOptions &names)
    : matrix(m), maps(all), called(all), sources(all, true), options(names) {
  for (uint32_t i = 0; i < maps.size(); ++i)
    for (size_t number = sources.first(i); number < sources.firstGroup(i); ++number) {
      const SourceFunctions::Origin &origin = sources.origin(number);
      const Function &in = *origin.function;
      const Scope &own = origin.own();
      const bool isForeign = own.group != noIndex && maps[i].groups[own.group].isForeign;
      if (isForeign && origin.scope != 0)
        continue; // what of others was inlined is of whoever called it
      sourceNumbers.push_back(number);
      sourceNames.push_back(
          {origin.scope == 0 ? in.name : own.function,
           own.file < in.files.size() ? in.files[own.file].path : "", maps[i].path,
           own.group != noIndex && !isForeign ? maps[i].groups[own.group].name : ""});
    }
}

std::string NameResolver::sourceName(const std::string &linkageName) const {
  return options.nameOf(linkageName);
}

Error NameResolver::unknown(const std::string &name) const {
  std::set<std::string> names;
  for (const Map &m : maps)
    for (const Function &f : m.functions) {
      names.insert(std::string(withoutParameters(options.demangle(f.name))));
      for (const Scope &s : f.scopes)
        if (options.isCalled(s.function, name) || isWrittenAs(options.demangle(s.function), name))
          return Error{
              quoted(name) +
              " is code of others that was inlined wherever it is called; name its lines instead"};
    }
  for (const std::string &callee : called.names())
    names.insert(std::string(withoutParameters(options.demangle(callee))));
  return noneNamed(name, names);
}

Result<NameResolver::Meant> NameResolver::function(const std::string &name) const {
  const std::vector<size_t> found = functionsNamed(name, sourceNames, options);
  if (found.empty())
    return unknown(name);
  if (!areOne(sourceNames, found))
    return severalNamed(name, sourceNames, found, options);
  Meant meant;
  meant.sources.resize(sources.size());
  for (const size_t i : found)
    meant.sources[sourceNumbers[i]] = true;
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    if (meant.sources[sources.of(matrix.functions[f].map, matrix.functions[f].function, 0)])
      meant.functions.push_back(f);
  return meant;
}

// `free` is the C library's, whatever classes have functions of that name.
bool NameResolver::isCounted(const std::string &name) const {
  const std::vector<size_t> found = functionsNamed(name, sourceNames, options);
  const auto isExact = [&](size_t i) { return options.isCalled(sourceNames[i].name, name); };
  if (std::ranges::any_of(found, isExact))
    return true;
  const auto isExactName = [&](const std::string &callee) {
    return options.isCalled(callee, name);
  };
  return !found.empty() && std::ranges::none_of(libraryNamed(name, called, options), isExactName);
}

Result<std::vector<ProgramElement>> NameResolver::calls(const std::string &callee) const {
  const std::set<std::string> meant = libraryNamed(callee, called, options);
  if (meant.empty())
    return unknown(callee);
  std::vector<ProgramElement> spots;
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    const Function &function = maps[own.map].functions[own.function];
    for (uint32_t c = 0; c < function.calls.size(); ++c)
      if (const Call &call = function.calls[c];
          called.numberOf(call.callee) != noIndex &&
          (meant.contains(call.callee) || meant.contains(call.written)))
        spots.push_back({f, c});
  }
  return spots;
}

namespace {

/// Where in a function the flow is inside of a range of lines.
struct Inside {
  std::vector<bool> first, last; ///< per block: its first line, its last line
};

/// Blocks without lines belong to the range when all that leads to them does.
void settleBare(const Function &f, Inside &inside) {
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    if (f.blocks[b].lines.empty())
      inside.first[b] = inside.last[b] = b != 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edge &e : f.edges)
      if (e.to != noIndex && f.blocks[e.to].lines.empty() && inside.last[e.to] &&
          (e.from == noIndex || !inside.last[e.from])) {
        inside.first[e.to] = inside.last[e.to] = false;
        changed = true;
      }
  }
}

/// The lines of a function that are meant, entered where flow comes to such as `isWithin`; nothing
/// when none is.
template <class IsMeant, class IsWithin>
LineRange rangeOf(const Function &f, IsMeant isMeant, IsWithin isWithin) {
  LineRange range;
  const size_t blocks = f.blocks.size();
  Inside inside{std::vector<bool>(blocks), std::vector<bool>(blocks)};
  std::vector<std::vector<bool>> inRange(blocks);
  std::vector<double> begins(blocks);
  bool any = false;
  for (uint32_t b = 0; b < blocks; ++b) {
    bool before = false;
    const std::vector<Location> &lines = f.blocks[b].lines;
    for (size_t i = 0; i < lines.size(); ++i) {
      const bool in = isWithin(lines[i]);
      inRange[b].push_back(isMeant(lines[i]));
      any = any || inRange[b].back();
      begins[b] += in && !before && i > 0;
      if (i == 0)
        inside.first[b] = in;
      before = in;
    }
    inside.last[b] = before;
  }
  if (!any)
    return range;
  settleBare(f, inside);
  range.lines = std::move(inRange);
  range.beginsInBlock = std::move(begins);
  // What the compiler makes a function of that a coroutine calls where it waits has its line.
  const bool isWait = f.name.find(".__await_suspend_wrapper__") != std::string::npos;
  for (const Edge &e : f.edges)
    range.beginsAtEdge.push_back(e.to != noIndex && e.kind != EdgeKind::reentry &&
                                 inside.first[e.to] &&
                                 (e.from == noIndex ? !isWait : !inside.last[e.from]));
  return range;
}

/// What `path` from line `from` to `to` is in the function.
LineRange rangeIn(const Function &f, const std::string &path, uint32_t from, uint32_t to) {
  const auto isMeant = [&](const Location &at) {
    const Scope &scope = f.scopes[at.scope];
    return scope.file < f.files.size() && f.files[scope.file].path == path && at.line >= from &&
           at.line <= to;
  };
  return rangeOf(f, isMeant, isMeant);
}

} // namespace

/// Nothing where the function has none of it.
LineRange NameResolver::bodyIn(size_t function, const std::vector<bool> &meant) const {
  const CountMatrix::Columns &own = matrix.functions[function];
  const Function &f = maps[own.map].functions[own.function];
  const auto isOf = [&](uint32_t scope) { return meant[sources.of(own.map, own.function, scope)]; };
  const auto isWithin = [&](const Location &at) {
    uint32_t scope = at.scope;
    while (scope != 0 && !isOf(scope))
      scope = f.scopes[scope].parent;
    return isOf(scope);
  };
  const bool isWhole = isOf(0);
  LineRange range = rangeOf(f, [&](const Location &at) { return isOf(at.scope); }, isWithin);
  if (range.lines.empty() && !isWhole)
    return range;
  if (isWhole) { // entered as it is called
    range.lines.resize(f.blocks.size());
    for (size_t b = 0; b < f.blocks.size(); ++b)
      range.lines[b].resize(f.blocks[b].lines.size(), false);
    range.beginsInBlock.assign(f.blocks.size(), 0.0);
    range.beginsAtEdge.clear();
    for (const Edge &e : f.edges)
      range.beginsAtEdge.push_back(e.kind == EdgeKind::entry);
  }
  range.function = function;
  range.withBare = isWhole;
  range.withCalls = false;
  return range;
}

std::vector<LineRange> NameResolver::bodies(const Meant &meant) const {
  std::vector<LineRange> all;
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    if (LineRange body = bodyIn(f, meant.sources); !body.lines.empty())
      all.push_back(std::move(body));
  return all;
}

Result<std::vector<ProgramElement>>
NameResolver::standing(const Place &place, const std::string &what,
                       const std::function<std::vector<Location>(const Function &)> &at) const {
  const Result<std::string> path = matchSource(place.file, sourceFiles(maps));
  if (!path)
    return path.error();
  const std::string file = escape(fileName(*path)) + ":";
  std::set<std::pair<uint32_t, uint32_t>> here; // by line and column
  uint32_t near = 0;
  std::vector<ProgramElement> spots;
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const Function &function =
        maps[matrix.functions[f].map].functions[matrix.functions[f].function];
    const std::vector<Location> all = at(function);
    for (uint32_t i = 0; i < all.size(); ++i) {
      const Scope &scope = function.scopes[all[i].scope];
      if (all[i].line == 0 || scope.file >= function.files.size() ||
          function.files[scope.file].path != *path)
        continue;
      const auto distance = [&](uint32_t line) {
        return line > place.line ? line - place.line : place.line - line;
      };
      if (near == 0 || distance(all[i].line) < distance(near))
        near = all[i].line;
      if (all[i].line != place.line || (place.column != 0 && all[i].column != place.column))
        continue;
      here.emplace(all[i].line, all[i].column);
      spots.push_back({f, i});
    }
  }
  if (here.size() == 1)
    return spots;
  std::string text =
      (here.empty() ? "no " : "more than one ") + what + " on " + file + std::to_string(place.line);
  if (here.empty())
    return Error{text + (place.column != 0 ? ":" + std::to_string(place.column) : "") +
                 " in what ran" +
                 (near != 0 ? "; the nearest is on line " + std::to_string(near) : "")};
  text += "; say which: ";
  for (const auto &[line, column] : here)
    text += (column == here.begin()->second ? "" : ", ") + file + std::to_string(line) + ":" +
            std::to_string(column);
  return Error{text};
}

Result<std::vector<ProgramElement>> NameResolver::branches(const Place &place) const {
  return standing(place, "branch of two arms", [](const Function &f) {
    std::vector<Location> at;
    for (const Branch &b : f.branches)
      at.push_back(b.isSwitch || b.arms.size() != 2 || b.arms[0] == b.arms[1] || b.at.called
                       ? Location{}
                       : b.at);
    return at;
  });
}

Result<std::vector<ProgramElement>> NameResolver::loops(const Place &place) const {
  return standing(place, "loop", [](const Function &f) {
    std::vector<Location> at;
    for (const Loop &l : f.loops)
      at.push_back(l.at.called ? Location{} : l.at);
    return at;
  });
}

Result<std::vector<LineRange>> NameResolver::lines(const Place &place) const {
  const Result<std::string> path = matchSource(place.file, sourceFiles(maps));
  if (!path)
    return path.error();
  bool any = false;
  for (const Map &m : maps)
    for (const Function &f : m.functions)
      any = any || !rangeIn(f, *path, place.line, place.last).lines.empty();
  if (!any)
    return Error{"no code stands on " + escape(fileName(*path)) + ":" + std::to_string(place.line) +
                 (place.last > place.line ? "-" + std::to_string(place.last) : "")};
  std::vector<LineRange> ranges;
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    LineRange r = rangeIn(maps[own.map].functions[own.function], *path, place.line, place.last);
    r.function = f;
    if (!r.lines.empty())
      ranges.push_back(std::move(r));
  }
  return ranges;
}

} // namespace quincunx
