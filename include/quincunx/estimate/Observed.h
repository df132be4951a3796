// The default estimate: what a corpus says. Given a run its block counts are known, so the
// cumulants of its cost are sums over blocks, k_r(T|d) = sum_b c_bd k_r(X_b), exact whatever the
// branches, breaks and correlations were; the law of T is the mixture over runs. Reference:
// docs/03-runs-kept-apart.md. It predicts nothing that the runs did not do.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/Note.h"
#include "quincunx/estimate/SummaryStatistics.h"
#include "quincunx/map/Map.h"
#include "quincunx/profile/Corpus.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

struct RunFigures {
  std::string identity, label;
  Outcome outcome = Outcome::finished;
  Cumulants cost;
  Interval counts;         ///< of cost.k1, because counts are intervals
  double weight = 1;       ///< how many like it this one stands for
  double wall = 0;         ///< seconds, of the instrumented program
  double unattributed = 0; ///< of cost.k1, outside of its functions
  std::map<std::string, double> features;
};

struct FunctionFigures {
  std::string name;              ///< linkage name
  std::string file;              ///< where its source starts; empty and 0: unknown
  std::array<uint8_t, 16> md5{}; ///< of that file; all zero: unknown
  uint32_t line = 0;
  size_t image = 0;        ///< index into Observed::images
  size_t number = 0;       ///< among SourceFunctions of all maps
  SummaryStatistics cost;  ///< exclusive, per run
  SummaryStatistics calls; ///< times entered, per run; not where it is inlined
  bool inlined = false;    ///< code of it is part of other functions
  double share = 0;        ///< of the program's mean cost
  /// How well a calibration knows its time by samples: relative standard deviation.
  std::optional<double> spread;
  /// Per run, of the function and all that runs while it does; recursion is counted once.
  struct Total {
    SummaryStatistics cost;
    double share = 0;        ///< of the program's mean cost
    bool isRecorded = false; ///< else a call is taken as the average of its run where callers share
  };
  std::optional<Total> total; ///< none: not known
  /// Of one call with all it calls, over all calls; none: not recorded.
  std::optional<SummaryStatistics> call;
  /// It was called by name, and nothing of it was counted: its cost is what the machine charges for
  /// these calls, if it prices them. It has no place, and no image.
  bool isLibrary = false, isPriced = true;
  /// Of such a function, where `bytesFrom` says something: per run, the bytes of its calls.
  std::optional<SummaryStatistics> bytes;
  ByteSource bytesFrom = ByteSource::none;
  std::vector<std::string> written; ///< what the source calls in its place in some calls
  /// Of a group: linkage names of those of its functions that ran, and whether they are code of
  /// others. Its place is that of its first member.
  std::vector<std::string> members;
  bool isForeign = false;
  size_t group = SIZE_MAX; ///< number of the group that it is in
};

/// Stands for a name: the start of the process, page faults, and branch misses of whole runs.
constexpr const char *unattributedName = "(outside of functions)";

/// Name and place of a function, or of one that was inlined into it, without figures.
FunctionFigures placeOf(const Function &f, size_t image, uint32_t scope = 0);

struct ImageFigures {
  Hash map{};
  std::string path;
  uint64_t runs = 0; ///< that loaded it
  bool oneOfMany =
      false; ///< the same file was rebuilt: its functions are figured over its own runs
};

struct Observed {
  std::string machine, unit;
  double inputError = 0;  ///< ProgramFit::medianError; 0: not fitted
  double kernelShare = 0; ///< ProgramFit::kernelShare: of what functions cost
  double startUp = 0;     ///< of the process, in each run's cost and in `unattributed`
  bool constant = true;   ///< the counts of a run fix its cost
  uint64_t finished = 0, censored = 0, crashed = 0, unrecorded = 0; ///< the last two are left out
  SummaryStatistics program;
  /// The program's variance: that of what runs are expected to cost, given their counts, and what
  /// the machine adds for equal counts.
  double fromInputs = 0, fromMachine = 0;
  DistributionPtr law; ///< of the program's cost
  std::vector<ImageFigures> images;
  /// Of the source, that ran at least once, in the order of maps and functions; those that were
  /// inlined wherever they are called are the last of their map. Their costs add up to the
  /// program's, with those of the library and what is unattributed.
  std::vector<FunctionFigures> functions;
  /// Functions that a reader takes for one (map/FunctionGroups.h), in the order of maps: figures of
  /// what each run spent in all of them.
  std::vector<FunctionFigures> groups;
  std::vector<FunctionFigures> library;        ///< that was called at least once, by linkage name
  std::optional<FunctionFigures> unattributed; ///< of functions; none: runs cost no more than those
  std::vector<RunFigures> runs;                ///< finished and censored, in the order they came
  std::vector<Note> notes;
  uint64_t used() const { return finished + censored; }
  /// Where requests take the place of runs: the marked function (linkage name; empty: these are
  /// runs), how many began, and how many ended, of which used() were kept.
  std::string request;
  uint64_t begun = 0, ended = 0;
};

/// Takes runs one by one. `maps` must outlive it.
class Observer {
public:
  /// Function figures are kept for functions of the source `from` <= i < `to`, counted over all
  /// maps, and behind them all that was called and not counted: a corpus too large for memory is
  /// read several times.
  Observer(const std::vector<Map> &maps, const Machine &machine, size_t expectedRuns,
           size_t from = 0, size_t to = SIZE_MAX);
  Observer(Observer &&) noexcept;
  ~Observer();
  /// `weight`: how many like it the run stands for. An error when the run contradicts its map.
  Status add(const Run &run, double weight = 1);
  /// Sums of counts over `number` requests. When they are known of all that the runs stand for,
  /// means are theirs.
  Status addTotal(const Run &sums, double number);
  Result<Observed> finish();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace quincunx
