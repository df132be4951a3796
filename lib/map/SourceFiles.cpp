// Finds the source file that a path means.
// The idea: programs are compiled in one folder and read in another, so paths are compared from
// their ends, component by component. It does not look into the file system.
#include "quincunx/map/SourceFiles.h"

#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <set>

namespace quincunx {

namespace {

/// Components from the last to the first, without "." and with "x/.." folded.
std::vector<std::string_view> components(std::string_view path) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : fields(path, '/')) {
    if (part.empty() || part == ".")
      continue;
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else
      parts.push_back(part);
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

size_t agreement(std::string_view a, std::string_view b) {
  const auto x = components(a), y = components(b);
  size_t n = 0;
  while (n < x.size() && n < y.size() && x[n] == y[n])
    ++n;
  return n;
}

} // namespace

std::vector<SourceFile> sourceFiles(const std::vector<Map> &maps) {
  std::set<std::pair<std::string, std::array<uint8_t, 16>>> seen;
  for (const Map &m : maps)
    for (const Function &f : m.functions)
      for (const SourceFile &s : f.files)
        seen.emplace(s.path, s.md5);
  std::vector<SourceFile> files;
  for (const auto &[path, md5] : seen)
    files.push_back({path, md5});
  return files;
}

Result<std::string> matchSource(const std::string &path, const std::vector<SourceFile> &sources) {
  std::set<std::string> best;
  size_t most = 1;
  for (const SourceFile &s : sources) {
    const size_t n = s.path == path ? SIZE_MAX : agreement(path, s.path);
    if (n > most) {
      best.clear();
      most = n;
    }
    if (n == most)
      best.insert(s.path);
  }
  if (best.size() == 1)
    return *best.begin();
  const std::string quoted = "'" + escape(path) + "'";
  if (!best.empty()) {
    std::string list;
    for (const std::string &b : best)
      list += (list.empty() ? "" : ", ") + escape(b);
    return Error{quoted + " may be any of these; give more of its path: " + list};
  }
  std::vector<std::string> names, paths;
  for (const SourceFile &s : sources)
    names.push_back(fileName(s.path)), paths.push_back(s.path);
  const std::string near = nearest(fileName(path), names);
  const auto at = std::find(names.begin(), names.end(), near) - names.begin();
  return Error{
      "no function of the corpus comes from " + quoted +
      (near.empty() ? "" : "; the nearest is '" + escape(paths[static_cast<size_t>(at)]) + "'")};
}

} // namespace quincunx
