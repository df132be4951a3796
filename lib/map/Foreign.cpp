// Finds code of others and where it is called.
// The idea: which files are foreign is read off their paths, as maps of all ages have them; what
// the compiler took for a system header (-isystem) they do not say, and a reader may name more.
// Scopes hold their parents and the places of calls, so that one pass from parents to children
// knows for each scope where its code is called from a file that is not foreign.
#include "quincunx/map/Foreign.h"

#include <algorithm>
#include <unordered_map>

namespace quincunx {

bool isSystemHeader(std::string_view path) {
  constexpr std::string_view folders[] = {"/usr/include/", "/usr/local/include/", "/usr/lib/",
                                          "/include/c++/", "/lib/clang/",         "/lib/gcc/"};
  return std::ranges::any_of(folders, [&](std::string_view folder) {
    return path.find(folder) != std::string_view::npos;
  });
}

namespace {

/// Asks once for each path.
class Folder {
public:
  explicit Folder(const IsForeign &isForeign) : ask(isForeign) {}

  /// Per scope of `f`: where its code is called, `called` if it is to be moved there; empty where
  /// nothing is foreign.
  std::vector<Location> placesOf(const Function &f) {
    std::vector<bool> foreign;
    for (const SourceFile &file : f.files)
      foreign.push_back(isForeign(file.path));
    if (std::ranges::find(foreign, true) == foreign.end())
      return {};
    std::vector<Location> places(f.scopes.size());
    for (size_t s = 1; s < f.scopes.size(); ++s) {
      const Scope &scope = f.scopes[s];
      if (scope.file >= foreign.size() || !foreign[scope.file])
        continue;
      if (places[scope.parent].called)
        places[s] = places[scope.parent];
      else if (scope.callLine != 0)
        places[s] = {scope.callLine, scope.callColumn, scope.parent, true};
      else
        places[s] = {f.scopes[scope.parent].line, 0, scope.parent, true};
    }
    return places;
  }

private:
  bool isForeign(const std::string &path) {
    const auto [at, fresh] = known.try_emplace(path, false);
    if (fresh)
      at->second = ask(path);
    return at->second;
  }

  const IsForeign &ask;
  std::unordered_map<std::string, bool> known;
};

void moveTo(const std::vector<Location> &places, Function &f) {
  const auto move = [&](Location &at) {
    if (places[at.scope].called)
      at = places[at.scope];
  };
  for (Block &b : f.blocks)
    std::ranges::for_each(b.lines, move);
  for (Branch &b : f.branches)
    move(b.at);
  for (Loop &l : f.loops)
    move(l.at);
  for (Call &c : f.calls)
    move(c.at);
  for (Assembly &a : f.assemblies)
    move(a.at);
}

} // namespace

void foldForeign(std::vector<Map> &maps, const IsForeign &isForeign) {
  Folder folder(isForeign);
  for (Map &map : maps)
    for (Function &f : map.functions)
      if (const std::vector<Location> places = folder.placesOf(f); !places.empty())
        moveTo(places, f);
}

void foldForeign(std::vector<MapSources> &sources, const std::vector<Map> &maps,
                 const IsForeign &isForeign) {
  Folder folder(isForeign);
  for (size_t m = 0; m < maps.size(); ++m)
    for (size_t f = 0; f < sources[m].size(); ++f)
      if (const std::vector<Location> places = folder.placesOf(maps[m].functions[f]);
          !places.empty())
        for (SourceBlock &block : sources[m][f])
          std::erase_if(block.lines, [&](const Location &at) { return places[at.scope].called; });
}

} // namespace quincunx
