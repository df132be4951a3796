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

/// "void ns::sort<int>(int*) const" without its parameters.
std::string_view withoutParameters(std::string_view name) {
  const size_t close = name.rfind(')');
  if (close == std::string_view::npos)
    return name;
  size_t depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    depth += name[i] == ')';
    if (name[i] == '(' && --depth == 0)
      return i > 0 ? name.substr(0, i) : name;
  }
  return name;
}

std::string_view withoutTemplateArguments(std::string_view name) {
  if (!name.ends_with('>') || name.ends_with("operator>") || name.ends_with("->"))
    return name;
  size_t depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == '>';
    if (name[i] == '<' && --depth == 0)
      return name.substr(0, i);
  }
  return name;
}

/// "word[abi:cxx11]" without the tag of the library's ABI, which no source has.
std::string_view withoutTag(std::string_view name) {
  const size_t open = name.ends_with(']') ? name.rfind("[abi:") : std::string_view::npos;
  return open == std::string_view::npos ? name : withoutTag(name.substr(0, open));
}

/// Does `whole` end with the name `part`, with namespaces or a return type in front of it?
bool endsWithName(std::string_view whole, std::string_view part) {
  if (!whole.ends_with(part))
    return false;
  const std::string_view before = whole.substr(0, whole.size() - part.size());
  return before.empty() || before.ends_with("::") || before.ends_with(' ');
}

bool isCalled(std::string_view demangled, std::string_view wanted) {
  const std::string_view base = withoutParameters(demangled);
  return endsWithName(demangled, wanted) || endsWithName(base, wanted) ||
         endsWithName(withoutTemplateArguments(base), wanted) ||
         endsWithName(withoutTag(base), wanted) ||
         endsWithName(withoutTag(withoutTemplateArguments(base)), wanted);
}

bool endsPath(const std::string &path, const std::string &tail) {
  return path == tail || path.ends_with("/" + tail);
}

std::string fileOf(const Function &f) {
  const Scope &own = f.scopes.front();
  return own.file < f.files.size() ? f.files[own.file].path : "";
}

std::string quoted(const std::string &name) { return "'" + escape(name) + "'"; }

/// The single colon that ends a file in front of a name, if any.
size_t qualifierEnd(const std::string &name) {
  for (size_t at = name.find(':'); at != std::string::npos; at = name.find(':', at + 2))
    if (at + 1 < name.size() && name[at + 1] != ':' && at > 0 &&
        !name.substr(0, at).ends_with("[abi"))
      return at;
  return std::string::npos;
}

} // namespace

NameResolver::NameResolver(const CountMatrix &m, const std::vector<Map> &all,
                           const WhatIfOptions &names)
    : matrix(m), maps(all), called(all), options(names) {}

std::string NameResolver::sourceName(const std::string &linkageName) const {
  return options.shown ? options.shown(linkageName) : escape(options.demangle(linkageName));
}

std::vector<NameResolver::Candidate> NameResolver::named(const std::string &name) const {
  const size_t colon = qualifierEnd(name);
  const std::string file = colon == std::string::npos ? "" : name.substr(0, colon);
  const std::string bare = colon == std::string::npos ? name : name.substr(colon + 1);
  const auto find = [&](const std::function<bool(const Function &, bool here)> &isMeant) {
    std::vector<Candidate> found;
    for (uint32_t m = 0; m < maps.size(); ++m)
      for (uint32_t i = 0; i < maps[m].functions.size(); ++i) {
        const Function &f = maps[m].functions[i];
        const bool here = file.empty() || endsPath(fileOf(f), file) || endsPath(maps[m].path, file);
        if (isMeant(f, here))
          found.push_back({m, i});
      }
    return found;
  };
  std::vector<Candidate> found = find([&](const Function &f, bool here) {
    return options.isCalled(f.name, name) || (here && options.isCalled(f.name, bare));
  });
  if (found.empty())
    found = find([&](const Function &f, bool here) {
      return options.mayBeCalled(f.name, name) || (here && options.mayBeCalled(f.name, bare));
    });
  if (found.empty())
    found = find([&](const Function &f, bool here) {
      return here && isCalled(options.demangle(f.name), bare);
    });
  return found;
}

/// Equal for builds of one function.
std::string NameResolver::keyOf(const Candidate &c) const {
  return maps[c.map].path + '\n' + fileOf(at(c)) + '\n' + at(c).name;
}

/// How to say each of several candidates, in words that tell them apart.
std::string NameResolver::describe(const std::vector<Candidate> &found) const {
  std::set<std::string> names, files, shortFiles, keys, said;
  for (const Candidate &c : found) {
    names.insert(sourceName(at(c).name));
    files.insert(fileOf(at(c)));
    shortFiles.insert(fileName(fileOf(at(c))));
    keys.insert(keyOf(c));
  }
  for (const Candidate &c : found) {
    std::string s = sourceName(at(c).name);
    if (names.size() < keys.size()) {
      const std::string file = fileOf(at(c));
      s = escape(files.size() == 1                   ? maps[c.map].path
                 : shortFiles.size() == files.size() ? fileName(file)
                                                     : file) +
          ":" + s;
    }
    said.insert(s);
  }
  std::string list;
  for (const std::string &s : said)
    list += (list.empty() ? "'" : ", '") + s + "'";
  return list;
}

Error NameResolver::unknown(const std::string &name) const {
  std::set<std::string> names;
  for (const Map &m : maps)
    for (const Function &f : m.functions) {
      names.insert(std::string(withoutParameters(options.demangle(f.name))));
      for (const Scope &s : f.scopes)
        if (options.isCalled(s.function, name) || isCalled(options.demangle(s.function), name))
          return Error{quoted(name) + " was inlined wherever it is called; name its lines instead"};
    }
  for (const std::string &callee : called.names())
    names.insert(std::string(withoutParameters(options.demangle(callee))));
  const std::string near = nearest(name, std::vector<std::string>(names.begin(), names.end()));
  return Error{"there is no function " + quoted(name) +
               (near.empty() ? "" : "; did you mean " + quoted(near) + "?")};
}

Result<std::vector<size_t>> NameResolver::functions(const std::string &name) const {
  const std::vector<Candidate> found = named(name);
  if (found.empty())
    return unknown(name);
  for (const Candidate &c : found)
    if (keyOf(c) != keyOf(found.front()))
      return Error{quoted(name) + " may be one of these; say which: " + describe(found)};
  std::vector<size_t> numbers;
  for (size_t f = 0; f < matrix.functions.size(); ++f)
    for (const Candidate &c : found)
      if (matrix.functions[f].map == c.map && matrix.functions[f].function == c.function)
        numbers.push_back(f);
  return numbers;
}

/// What was called and not counted, and is meant by a name, by the first reading that finds some.
std::set<std::string> NameResolver::library(const std::string &name) const {
  std::set<std::string> exactly, loosely;
  const auto look = [&](const std::string &callee) {
    if (options.isCalled(callee, name))
      exactly.insert(callee);
    if (isCalled(options.demangle(callee), name))
      loosely.insert(callee);
  };
  for (size_t i = 0; i < called.names().size(); ++i) {
    look(called.names()[i]);
    std::ranges::for_each(called.written(i), look);
  }
  return exactly.empty() ? loosely : exactly;
}

// `free` is the C library's, whatever classes have functions of that name.
bool NameResolver::isCounted(const std::string &name) const {
  const std::vector<Candidate> found = named(name);
  const auto isExact = [&](const Candidate &c) { return options.isCalled(at(c).name, name); };
  if (std::ranges::any_of(found, isExact))
    return true;
  const auto isExactName = [&](const std::string &callee) {
    return options.isCalled(callee, name);
  };
  return !found.empty() && std::ranges::none_of(library(name), isExactName);
}

Result<std::vector<ProgramElement>> NameResolver::calls(const std::string &callee) const {
  const std::set<std::string> meant = library(callee);
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

/// What `path` from line `from` to `to` is in the function; nothing when there is no code of it.
LineRange rangeIn(const Function &f, const std::string &path, uint32_t from, uint32_t to) {
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
      const Scope &scope = f.scopes[lines[i].scope];
      const bool in = scope.file < f.files.size() && f.files[scope.file].path == path &&
                      lines[i].line >= from && lines[i].line <= to;
      inRange[b].push_back(in);
      any = any || in;
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
  for (const Edge &e : f.edges)
    range.beginsAtEdge.push_back(e.to != noIndex && e.kind != EdgeKind::reentry &&
                                 inside.first[e.to] && (e.from == noIndex || !inside.last[e.from]));
  return range;
}

} // namespace

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
      (here.empty() ? "no " : "several ") + what + " on " + file + std::to_string(place.line);
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
