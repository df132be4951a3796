// Two builds of a program over the same inputs: what a change of its sources did to its cost, and
// which functions and inputs it did it to. Runs are paired by their input, so that the difference
// of counts is that of the builds and not that of the inputs; what repetitions of one input differ
// by is noise, and no difference within it is called an effect.
// Reference: docs/21-compare-and-check.md. It cannot know whether the inputs stand for real use.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/Note.h"
#include "quincunx/estimate/Observed.h"
#include "quincunx/estimate/RunSource.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

/// Equal programs are said to differ in one comparison of so many at most, over all functions
/// together (Holm 1979).
inline constexpr double comparisonLevel = 0.001;
/// A change of the mean that is less than that, relative, is none: it would be printed as 0.0 %.
inline constexpr double leastChange = 0.0005;

/// A number before and after, and its relative change: 0.03 is 3 % more.
struct RelativeChange {
  double before = 0, after = 0;
  IntervalEstimate change; ///< over inputs; infinite: it was 0
};

/// A figure of the cost of a run.
struct FigureChange {
  std::string name;     ///< "p50", "p90", "p99", "mean"
  bool atLeast = false; ///< the inputs are too few for the percentile
  RelativeChange of;
};

/// What became of a function.
enum class FunctionState : uint8_t {
  same,       ///< the same instructions and flow; constants in them are not seen
  changed,    ///< its code is other
  renamed,    ///< found by its code, or by its place
  added,      ///< only the build after has it
  gone,       ///< only the build before has it
  inlined,    ///< its code is now part of its callers
  notInlined, ///< it no longer is
  nowRuns,    ///< it is in both builds, and ran only in the one after
  ranBefore,  ///< and only in the one before
};
/// One word or two: "changed", "new".
const char *stateName(FunctionState state);

/// A line of a function of which the cost changed; `line` 0: it is not there in that build.
struct LineChange {
  std::string file;
  uint32_t before = 0, after = 0; ///< where it is
  double difference = 0;          ///< of the mean cost of a run
};

/// A function of which the cost differs by more than repetitions do.
struct FunctionChange {
  /// Name and place alone, where it was and is; none: added, or gone. Both are what runs cost
  /// outside of functions where the name is unattributedName.
  std::optional<FunctionFigures> before, after;
  FunctionState state = FunctionState::same;
  bool isChanged = false; ///< its code is other; of a renamed one, too
  RelativeChange cost;    ///< per run, of its own code
  RelativeChange calls;   ///< per run; without intervals
  IntervalEstimate share; ///< of the difference in the mean cost of the program before
  double probability = 0; ///< of such a difference without an effect, for all functions together
  std::vector<LineChange> lines; ///< that make it, the largest first; few
  const FunctionFigures &place() const { return after ? *after : *before; }
};

/// An input that changed the other way than the mean did.
struct InputChange {
  std::string label;
  RelativeChange cost;
};

/// Times of the plain programs over inputs that both were timed on.
struct MeasuredChange {
  size_t inputs = 0;
  RelativeChange time;  ///< seconds, the mean
  double predicted = 0; ///< relative change of the mean over the same inputs
};

/// How counts of one input differ from run to run.
enum class Repeats : uint8_t {
  unknown, ///< no input was run twice
  exact,   ///< not at all
  noisy
};

enum class ChangeVerdict : uint8_t { same, faster, slower, unknown };

/// Which runs were compared.
struct PairedRuns {
  size_t inputs = 0;
  size_t runsBefore = 0, runsAfter = 0;           ///< of these inputs
  std::vector<std::string> onlyBefore, onlyAfter; ///< labels of inputs that one build ran
  std::vector<std::string> others;                ///< labels of inputs of which the size differs
  std::vector<std::string> stopped; ///< labels of inputs of which a build has no finished run
};

struct Comparison {
  std::string machine, unit;
  PairedRuns runs;
  Repeats repetition = Repeats::unknown;
  double noise = 0; ///< of the mean cost, relative standard deviation, by repetitions
  /// In time: of the change of the mean, because prices are those of one build. 0: in counts, or no
  /// code is other and nothing does more or less.
  double priceDeviation = 0;
  ChangeVerdict verdict = ChangeVerdict::same;
  std::vector<FigureChange> figures;     ///< the mean is the last
  std::vector<FunctionChange> functions; ///< with an effect, the largest first
  size_t functionsCompared = 0;
  /// Functions that differ by no more than may be noise, and the one of them that differs most.
  size_t doubtful = 0;
  std::optional<FunctionChange> mostDoubtful;
  std::vector<InputChange> inputs;  ///< all that both have, without intervals
  Moments residual;                 ///< that figures have besides (ProgramFit::residual)
  std::vector<InputChange> against; ///< inputs that changed the other way, the most changed first
  std::optional<MeasuredChange> measured;
  std::vector<Note> notes;
  const FigureChange &mean() const { return figures.back(); }
};

/// What a function is called without its parameters, by its linkage name.
using ShortName = std::function<std::string(const std::string &)>;

/// `machine` prices both builds; what it was fitted to is the build before, or (`fittedToAfter`)
/// the one after. A function whose parameters changed is found by its short name. An error when no
/// input is in both.
Result<Comparison> compare(const RunSource &before, const RunSource &after, const Machine &machine,
                           bool fittedToAfter, const ShortName &shortName = {});

/// `machine`, of which the fit is to the build `fitted`, with prices for the code of `maps`: what
/// compare() gives the other build.
Result<Machine> carriedTo(const std::vector<Map> &maps, const Machine &machine,
                          const RunSource &fitted);

} // namespace quincunx
