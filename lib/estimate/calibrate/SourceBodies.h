// Bodies of functions as they stand in the source, whichever code was made of them: compiled,
// inlined, several instances of a template. It is what a place in debug information can tell apart.
#pragma once

#include "quincunx/map/SourceFunctions.h"
#include "quincunx/profile/Samples.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

class SourceBodies {
public:
  /// `maps` must outlive it.
  explicit SourceBodies(const std::vector<Map> &maps);
  size_t size() const { return begins.size(); }
  /// What the code of a scope is of.
  size_t of(size_t map, size_t function, uint32_t scope) const {
    return bodies[sources.of(map, function, scope)];
  }
  /// Where it begins: the name of its file, empty where it is not known, and the line.
  const std::pair<std::string, uint32_t> &begin(size_t body) const { return begins[body]; }
  /// What a place is in; none when no code of these maps is from there.
  std::optional<size_t> find(const SampledPlace &place) const;

private:
  void addLines(const std::vector<Map> &maps);

  SourceFunctions sources;
  std::vector<std::pair<std::string, uint32_t>> begins; ///< per body
  std::vector<size_t> bodies;                           ///< per function of the source
  struct Line {
    size_t body = 0;
    std::string name; ///< of the function, as it is linked
  };
  using Lines = std::multimap<uint32_t, Line>;
  std::map<std::string, Lines>
      files; ///< lines with code, by file name: builds are made in several folders
  std::map<std::string, size_t> compiled; ///< by linkage name
};

} // namespace quincunx
