// The idea: functions of C++ that begin on one line of one file are instances of one body, as debug
// information of lines alone has no arguments of templates; others have names. The plain
// build has other code than the counted one, so a place may lie on a line that the map does not
// have: it is then of the last body before it, if that has its name; what was not counted may stand
// there, too.
#include "SourceBodies.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <tuple>

namespace quincunx {

SourceBodies::SourceBodies(const std::vector<Map> &maps) : sources(maps, true) {
  std::map<std::tuple<std::string, uint32_t, std::string>, size_t> known;
  for (size_t s = 0; s < sources.size(); ++s) {
    const SourceFunctions::Origin &origin = sources.origin(s);
    const Scope &own = origin.own();
    const std::string file =
        own.file < origin.function->files.size() ? origin.function->files[own.file].path : "";
    const bool isInstance = own.line != 0 && own.function.starts_with("_Z"); // or may be one
    const std::string name = isInstance ? "" : own.function;
    const auto [at, isNew] = known.try_emplace({file, own.line, name}, known.size());
    bodies.push_back(at->second);
    if (isNew)
      begins.emplace_back(fileName(file), own.line);
    if (own.function == origin.function->name)
      compiled.try_emplace(own.function, bodies.back());
  }
  addLines(maps);
}

void SourceBodies::addLines(const std::vector<Map> &maps) {
  for (size_t m = 0; m < maps.size(); ++m)
    for (size_t f = 0; f < maps[m].functions.size(); ++f) {
      const Function &code = maps[m].functions[f];
      const auto add = [&](uint32_t scope, uint32_t line) {
        const Scope &s = code.scopes[scope < code.scopes.size() ? scope : 0];
        if (s.file >= code.files.size() || line == 0)
          return;
        const size_t body = of(m, f, scope);
        Lines &lines = files[fileName(code.files[s.file].path)];
        const auto [from, to] = lines.equal_range(line);
        if (std::none_of(from, to, [&](const auto &l) { return l.second.body == body; }))
          lines.emplace(line, Line{body, s.function});
      };
      for (uint32_t s = 0; s < code.scopes.size(); ++s)
        add(s, code.scopes[s].line);
      for (const Block &block : code.blocks)
        for (const Location &at : block.lines)
          add(at.scope, at.line);
    }
}

std::optional<size_t> SourceBodies::find(const SampledPlace &place) const {
  const auto file = files.find(fileName(place.file));
  if (place.line == 0 || place.file.empty() || file == files.end()) {
    const auto at = compiled.find(place.function);
    return at == compiled.end() ? std::nullopt : std::optional(at->second);
  }
  const Lines &lines = file->second;
  const auto behind = lines.upper_bound(place.line);
  if (behind == lines.begin())
    return std::nullopt;
  const auto [from, to] = lines.equal_range(std::prev(behind)->first);
  // "f" or "f<int>" of "f", and of the linkage names that hold it: "_Z1fi", "_ZN1a1fIiEEv". A file
  // that is included again and again has several bodies of other names on one line.
  const std::string name = place.function.substr(0, place.function.find('<'));
  const std::string inLinkageName = std::to_string(name.size()) + name;
  const auto isNamed = [&](const auto &l) {
    return l.second.name == name || l.second.name == place.function ||
           (l.second.name.starts_with("_Z") &&
            l.second.name.find(inLinkageName) != std::string::npos);
  };
  const auto named = std::find_if(from, to, isNamed);
  if (named == to && from->first != place.line && !name.starts_with("operator"))
    return std::nullopt;
  return (named == to ? from : named)->second.body;
}

} // namespace quincunx
