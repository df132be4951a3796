// The counts of all runs in memory, so that a question about other costs, other mixes of inputs or
// what goes along with the cost is one product of a matrix and a vector. Rows are runs, columns are
// counters; equal columns, of which there are many, are kept once. It holds no costs.
// Reference: docs/03-runs-kept-apart.md.
#pragma once

#include "quincunx/estimate/Column.h"
#include "quincunx/model/FlowSolver.h"
#include "quincunx/profile/Corpus.h"

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace quincunx {

struct CountMatrix {
  /// A run, without its counts.
  struct Row {
    std::string identity, label;
    Outcome outcome = Outcome::finished;
    double weight = 1; ///< how many like it this one stands for
    std::map<std::string, double> features;
    std::map<std::string, std::string> texts;       ///< those of Run
    std::optional<double> pageFaults, branchMisses; ///< those of Run
    double peakMemory = 0;                          ///< bytes; 0: not known
  };
  /// The columns of a function that ran at least once; `noIndex`: never anything but 0.
  struct Columns {
    uint32_t map = 0, function = 0;
    std::vector<uint32_t> counters; ///< Function::counterCount of them
    /// Frames lost per tree of unmeasured edges, less those that were inherited (Frames::lostIn);
    /// empty when none ever was.
    std::vector<uint32_t> trees;
    /// Calls that ended (CallCosts) and the sum of their costs by the clock of the build; empty
    /// where they were not recorded or not read; 0 in runs where some may have cost more.
    Column calls, callCosts;
    Column leastCost, mostCost; ///< in runs with such calls: no call costs less, or more
  };

  std::vector<Row> rows;
  std::vector<Columns> functions;       ///< in the order of maps and functions
  std::vector<Column> columns;          ///< no two are equal
  uint64_t crashed = 0, unrecorded = 0; ///< runs that are left out
  uint64_t withoutMap = 0;              ///< images of which the counts are missing

  /// Per run, the sum over columns of weight x count; `weights`: one per column.
  std::vector<double> perRun(std::span<const double> weights) const;
  /// Per run, the value of a linear form in the counters of the `f`-th of `functions`; frames that
  /// were lost count in the middle of what is possible.
  std::vector<double> perRun(size_t f, const LinearForm &form) const;
  /// Per column, the sum over runs of weight x count; `weights`: one per run.
  std::vector<double> perColumn(std::span<const double> weights) const;
  /// The same with `from` (one per column) taken off its counts: what is meant where the weights
  /// add up to 0, with digits left where counts are large against their spread.
  std::vector<double> perColumn(std::span<const double> weights,
                                std::span<const double> from) const;
  /// The counts of one run, one per column.
  std::vector<double> row(size_t run) const;
};

/// Counts, one for each run and each counter that some run hit, of which there may be more in the
/// larger corpora only: few bytes can say that any number of counters was hit.
inline constexpr uint64_t countsOfAnyCorpus = uint64_t{1} << 28;
/// These, and 100 for each byte of the corpus.
uint64_t mostCounts(const Corpus &corpus);

/// Takes runs one by one. `maps` must outlive it.
class CountMatrixBuilder {
public:
  CountMatrixBuilder(const std::vector<Map> &maps, size_t expectedRuns,
                     uint64_t most = countsOfAnyCorpus);
  /// Crashed runs, and finished ones without a record, are left out, as by Observer. An error when
  /// the run contradicts its map, or when there are more than `most` counts.
  Status add(const Run &run, double weight = 1);
  /// An error when no run is left.
  Result<CountMatrix> finish();

private:
  /// Of a function that can lose frames.
  struct Guard {
    FlowSolver flowSolver;
    std::vector<double> lost; ///< per counter
  };
  Status addImage(const ImageCounts &image);
  void addFrames(uint32_t map, uint32_t function);
  void addCalls(uint32_t map, const ImageCounts &image);

  const std::vector<Map> &maps;
  size_t expected;
  uint64_t mostColumns; ///< counters that may be hit
  uint64_t hit = 0;     ///< counters that were
  std::map<Hash, uint32_t> mapOf;
  std::vector<std::vector<Column>> counters;                          ///< per map and counter
  std::vector<std::map<uint32_t, Guard>> guards;                      ///< per map, by function
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Column>> trees; ///< by map and function
  /// Columns::calls, callCosts, leastCost and mostCost, by map and function
  std::map<std::pair<uint32_t, uint32_t>, std::tuple<Column, Column, Column, Column>> callTotalsOf;
  std::vector<uint64_t> dense, inherited; ///< of the image at hand
  CountMatrix matrix;
};

Result<CountMatrix> readCounts(const Corpus &corpus, const std::vector<Map> &maps);

} // namespace quincunx
