// What the sources of a program did in all runs together: executions of lines, calls of functions,
// outcomes of branches. Reference: docs/23-exports.md. It knows no costs, and keeps no runs apart.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/cost/Machine.h"
#include "quincunx/map/Foreign.h"
#include "quincunx/profile/Corpus.h"

#include <map>
#include <string>
#include <vector>

namespace quincunx {

/// One source file. Numbers are of all runs together.
struct FileCoverage {
  struct Function {
    std::string name; ///< linkage name
    uint32_t line = 0;
    double calls = 0; ///< at least 1 where it was inlined and its code was executed
  };
  struct Branch {
    uint32_t line = 0;
    std::vector<double> taken; ///< per arm; of an if: true, false, where that is known
  };
  std::string path;
  std::map<uint32_t, double> lines; ///< those of which executions are known, at least in part
  std::vector<Function> functions;  ///< by line
  std::vector<Branch> branches;     ///< by line and column
};

/// Of the files that are not foreign, by their paths. Lines are executed as LineObserver says;
/// `maps` and `sources` are folded (map/Foreign.h). An error where a file was compiled in several
/// versions.
Result<std::vector<FileCoverage>> coverage(const Corpus &corpus, const std::vector<Map> &maps,
                                           const std::vector<MapSources> &sources,
                                           const Machine &machine, const IsForeign &isForeign);

} // namespace quincunx
