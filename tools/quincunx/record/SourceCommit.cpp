// Asks git for the commit of the sources of a program. The idea: the map of an instrumented program
// names its sources, with what their bytes were; where these are still the same, the folder they
// are in is what the program was built from, whatever is checked out elsewhere. The commit has
// "+changes" where files that git knows differ from it, or sources are no part of it. It builds
// nothing and follows no submodules.
#include "SourceCommit.h"

#include "Git.h"
#include "ProgramPath.h"

#include "quincunx/base/Md5.h"
#include "quincunx/base/Text.h"
#include "quincunx/map/Image.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

constexpr size_t mostFiles = 2000; ///< that git is asked about by name

std::string bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

/// The sources of a program that are where they were, with the MD5 they had; all zero: not known.
std::map<std::string, Md5> sourcesOf(const std::string &program) {
  std::map<std::string, Md5> out;
  const Result<RawMap> raw = readElf(program);
  if (!raw)
    return out;
  const Result<Map> map = decodeMap(*raw);
  if (!map)
    return out;
  for (const Function &f : map->functions)
    for (const SourceFile &file : f.files)
      if (std::error_code no; fs::path(file.path).is_absolute() && fs::exists(file.path, no))
        out.emplace(fs::path(file.path).lexically_normal().string(), file.md5);
  return out;
}

/// Under git's folder; of the others headers of libraries are.
std::vector<std::string> within(const std::string &top, const std::map<std::string, Md5> &sources) {
  std::vector<std::string> out;
  for (const auto &[path, digest] : sources)
    if (path.starts_with(top + "/"))
      out.push_back(path);
  return out;
}

/// The first source that is not what it was when the program was built; empty: there is none.
std::string changedSource(const std::vector<std::string> &paths,
                          const std::map<std::string, Md5> &sources) {
  for (const std::string &path : paths)
    if (const Md5 &then = sources.at(path); then != Md5{} && md5(bytesOf(path)) != then)
      return path;
  return {};
}

} // namespace

SourceCommit sourceCommitOf(const Job &job, const std::string &folder) {
  const std::string program = findProgram(job);
  const std::map<std::string, Md5> sources = sourcesOf(program);
  // Most programs have sources in one repository, and headers outside of any.
  for (const auto &[path, digest] : sources) {
    if (path.starts_with("/usr/"))
      continue;
    const std::string where = fs::path(path).parent_path().string();
    const auto known = askGit(where, {"rev-parse", "--show-toplevel", "HEAD"}, folder);
    if (!known)
      return {};
    const auto lines = fields(*known, '\n');
    if (lines.size() < 2)
      return {};
    const std::string top(lines[0]), commit(lines[1]);
    std::vector<std::string> own = within(top, sources);
    if (const std::string changed = changedSource(own, sources); !changed.empty())
      return {"", escape(changed) + " is not what " + escape(fileName(program)) +
                      " was built from: no commit is kept"};
    const auto changes = askGit(where, {"status", "--porcelain", "--untracked-files=no"}, folder);
    own.resize(std::min(own.size(), mostFiles));
    own.insert(own.begin(), {"ls-files", "--others", "--exclude-standard", "--"});
    const auto others = askGit(where, own, folder);
    if (!changes || !others)
      return {};
    return {commit + (changes->empty() && others->empty() ? "" : "+changes"), ""};
  }
  return {};
}

} // namespace quincunx::tool
