// Counts of lines, functions and branches, summed over runs.
// The idea: a sum over runs is as if all had been processes of one run, so that flow is solved
// once, of summed counters; lines alone need runs one by one (LineObserver). Copies of a function,
// and of a branch (instances of templates, inlined code), are one where they have its name and
// place. How often code that was inlined was called is not known, only whether it was executed.
#include "quincunx/estimate/Coverage.h"

#include "UsedRuns.h"
#include "quincunx/estimate/LineObserver.h"
#include "quincunx/map/SourceFiles.h"
#include "quincunx/model/Arms.h"
#include "quincunx/model/FlowSolver.h"
#include "quincunx/profile/DenseCounts.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace quincunx {

namespace {

/// The counters of a map, of all runs together.
class SummedCounters {
public:
  explicit SummedCounters(const Map &m) : map(m) {}

  Status add(const ImageCounts &image) {
    for (const auto &[counts, sum] :
         {std::pair{&image.counts, &own}, {&image.inherited, &before}}) {
      if (counts->index.empty())
        continue;
      if (const Status s = expandCounts(*counts, map, dense); !s)
        return s;
      sum->resize(dense.size());
      for (size_t c = 0; c < dense.size(); ++c)
        (*sum)[c] += dense[c];
    }
    return Done{};
  }
  FunctionCounts of(const Function &f) const {
    const std::vector<uint64_t> none(f.counterCount, 0);
    const auto part = [&](const std::vector<uint64_t> &all) {
      return std::span(all).subspan(f.firstCounter, f.counterCount);
    };
    return FlowSolver(f).counts(own.empty() ? std::span(none) : part(own),
                                before.empty() ? std::span<const uint64_t>{} : part(before));
  }

private:
  const Map &map;
  std::vector<uint64_t> own, before, dense; ///< `before`: those of parents at fork
};

/// Functions and branches of some files.
class Places {
public:
  explicit Places(const std::vector<std::string> &paths) {
    for (const std::string &path : paths)
      files[path];
  }

  void add(const Function &f, const FunctionCounts &counts) {
    addFunctions(f, counts);
    for (const Branch &b : f.branches)
      addBranch(f, b, counts);
  }
  void moveTo(FileCoverage &file) {
    for (const auto &[place, called] : files[file.path].functions)
      file.functions.push_back({std::get<std::string>(place), std::get<uint32_t>(place),
                                std::max(called.entered, called.executed ? 1.0 : 0.0)});
    for (auto &[place, taken] : files[file.path].branches)
      file.branches.push_back({std::get<0>(place), std::move(taken)});
  }

private:
  struct Called {
    double entered = 0; ///< where it was not inlined
    bool executed = false;
  };
  struct File {
    std::map<std::pair<uint32_t, std::string>, Called> functions; ///< by line and name
    /// By line, column, whether it is a switch, and the lines arms lead to where those alone tell
    /// which is which.
    std::map<std::tuple<uint32_t, uint32_t, bool, std::vector<uint32_t>>, std::vector<double>>
        branches;
  };

  File *fileOf(const Function &f, uint32_t scope) {
    if (scope >= f.scopes.size() || f.scopes[scope].file >= f.files.size())
      return nullptr;
    const auto at = files.find(f.files[f.scopes[scope].file].path);
    return at == files.end() ? nullptr : &at->second;
  }

  void addFunctions(const Function &f, const FunctionCounts &counts) {
    std::vector<bool> hasCode(f.scopes.size()), executed(f.scopes.size());
    for (size_t b = 0; b < f.blocks.size(); ++b)
      for (const Location &at : f.blocks[b].lines)
        for (uint32_t s = at.scope; s < f.scopes.size(); s = f.scopes[s].parent) {
          hasCode[s] = true;
          executed[s] = executed[s] || counts.blocks[b].value > 0;
        }
    for (uint32_t s = 0; s < f.scopes.size(); ++s) {
      File *const file = fileOf(f, s);
      if (file == nullptr || f.scopes[s].line == 0 || (s != 0 && !hasCode[s]))
        continue;
      Called &called = file->functions[{f.scopes[s].line, f.scopes[s].function}];
      called.entered += s == 0 ? counts.frames.entered : 0;
      called.executed = called.executed || executed[s];
    }
  }

  void addBranch(const Function &f, const Branch &b, const FunctionCounts &counts) {
    File *const file = fileOf(f, b.at.scope);
    const bool decides = std::ranges::any_of(b.arms, [&](uint32_t e) { return e != b.arms[0]; });
    if (file == nullptr || b.at.line == 0 || b.at.called || !decides)
      return;
    std::vector<uint32_t> targets;
    for (const uint32_t e : b.arms)
      if (b.isSwitch || !b.senseKnown)
        targets.push_back(lineBehind(f, b, e));
    std::vector<double> &taken =
        file->branches[{b.at.line, b.at.column, b.isSwitch, std::move(targets)}];
    taken.resize(b.arms.size());
    for (size_t a = 0; a < taken.size(); ++a)
      taken[a] += counts.edges[b.arms[a]].value;
  }

  std::map<std::string, File> files;
};

/// The paths of files that are not foreign.
Result<std::vector<std::string>> ownFiles(const std::vector<Map> &maps,
                                          const IsForeign &isForeign) {
  const std::array<uint8_t, 16> unknown{};
  std::vector<SourceFile> own;
  for (SourceFile &file : sourceFiles(maps)) {
    if (isForeign(file.path))
      continue;
    if (own.empty() || own.back().path != file.path)
      own.push_back(std::move(file));
    else if (std::exchange(own.back().md5, file.md5) != unknown)
      return Error{"was compiled in several versions, of which lines differ; choose a build with "
                   "--build",
                   file.path};
  }
  std::vector<std::string> paths;
  for (const SourceFile &file : own)
    paths.push_back(file.path);
  return paths;
}

class CoverageReader {
public:
  CoverageReader(const std::vector<Map> &m, const std::vector<MapSources> &sources,
                 const Machine &machine, const std::vector<std::string> &p)
      : maps(m), paths(p) {
    for (const std::string &path : paths)
      lines.emplace_back(maps, sources, machine, path, std::vector<std::array<uint8_t, 16>>{});
    for (const Map &map : maps)
      mapOf[map.hash] = sums.size(), sums.emplace_back(map);
  }

  Status add(const Run &run) {
    if (!isUsed(run))
      return Done{};
    ++runs;
    for (LineObserver &file : lines)
      if (const Status s = file.add(run); !s)
        return s;
    for (const ImageCounts &image : run.images)
      if (const auto at = mapOf.find(image.map); at != mapOf.end())
        if (const Status s = sums[at->second].add(image); !s)
          return s;
    return Done{};
  }

  Result<std::vector<FileCoverage>> finish() {
    Places places(paths);
    for (size_t m = 0; m < maps.size(); ++m)
      for (const Function &f : maps[m].functions)
        places.add(f, sums[m].of(f));
    std::vector<FileCoverage> files;
    for (size_t i = 0; i < paths.size(); ++i) {
      const Result<FileFigures> figures = lines[i].finish(0);
      if (!figures)
        return figures.error();
      FileCoverage &file = files.emplace_back();
      file.path = paths[i];
      for (const auto &[line, f] : *figures)
        if (f.mean > 0 || !f.notAllKnown)
          file.lines[line] = f.mean * runs;
      places.moveTo(file);
    }
    return files;
  }

private:
  const std::vector<Map> &maps;
  const std::vector<std::string> &paths;
  std::vector<LineObserver> lines; ///< per path
  std::map<Hash, size_t> mapOf;
  std::vector<SummedCounters> sums; ///< per map
  double runs = 0;
};

} // namespace

Result<std::vector<FileCoverage>> coverage(const Corpus &corpus, const std::vector<Map> &maps,
                                           const std::vector<MapSources> &sources,
                                           const Machine &machine, const IsForeign &isForeign) {
  const Result<std::vector<std::string>> paths = ownFiles(maps, isForeign);
  if (!paths)
    return paths.error();
  CoverageReader reader(maps, sources, machine, *paths);
  if (const Status read = corpus.forEachRun([&](Run &&run) { return reader.add(run); }); !read)
    return read.error();
  return reader.finish();
}

} // namespace quincunx
