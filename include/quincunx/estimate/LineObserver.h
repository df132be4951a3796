// What the lines of a source file did and cost over the runs of a corpus. It reads no sources: line
// numbers are those of the file that was compiled.
// Reference: docs/03-runs-kept-apart.md.
#pragma once

#include "quincunx/estimate/Observed.h"
#include "quincunx/map/SourceBlock.h"

#include <map>
#include <string>
#include <vector>

namespace quincunx {

struct LineFigures {
  double mean = 0; ///< executions per run
  Percentile p99;  ///< of these
  /// Of what a run is expected to cost here, given its counts, in the unit of the machine.
  Percentile costP50, costP99;
  double share = 0;         ///< of the program's mean cost
  Interval meanCounts;      ///< not one number where calls did not return
  bool notAllKnown = false; ///< it was executed more often, or may have been: code of it is gone
};

/// One source file; the map has every line that holds code.
using FileFigures = std::map<uint32_t, LineFigures>;

/// Takes runs one by one, like Observer and by the same rules. `maps` must outlive it.
///
/// Executions of a line in a run: a line that stands in several blocks of one instance of a
/// function (a for statement, a condition) is executed as often as the busiest of them; blocks are
/// those of the source where they are known (map/SourceBlock.h), else those of the flow. Instances
/// (the function itself, each place it was inlined at, each template instance) add up. Cost of a
/// line: a block's cost is divided evenly among the lines it executes.
class LineObserver {
public:
  /// Only the versions of `path` whose MD5 is in `versions` count; all when it is empty.
  /// `sources`: of the same maps, and must outlive it, too. `expectedRuns` is only a hint.
  LineObserver(const std::vector<Map> &maps, const std::vector<MapSources> &sources,
               const Machine &machine, const std::string &path,
               const std::vector<std::array<uint8_t, 16>> &versions, size_t expectedRuns = 0);
  LineObserver(LineObserver &&) noexcept;
  ~LineObserver();
  Status add(const Run &run, double weight = 1);
  /// `programMean`: of Observed::program over the same runs.
  Result<FileFigures> finish(double programMean);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace quincunx
