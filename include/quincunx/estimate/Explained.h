// What is found out about why runs differ: shares of functions and lines, loops and branches that
// go along with the cost, the tail and groups of runs, each against the others. How it is found:
// Explain.h. Reference: docs/18-why-runs-differ.md.
#pragma once

#include "quincunx/estimate/ExplainedInputs.h"
#include "quincunx/estimate/ExplainedTotals.h"
#include "quincunx/estimate/Modes.h"
#include "quincunx/estimate/Observed.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

/// A line of the source that was compiled. `function`: the one whose text it is (linkage name).
struct SourceLine {
  std::string file;
  uint32_t line = 0;
  std::string function;
  bool called = false; ///< it stands for code of others that it calls (Location::called)
  /// It stands in a group of such code (FunctionFigures::isForeign): among lines as all lines of
  /// the group, which has no file then.
  bool foreign = false;
};

/// Of a function or a line. Shares of functions add up to 1; those of lines to 1 less what stands
/// on no line.
struct Shares {
  double variance = 0; ///< Cov(cost of the part, T) / Var[T], `within` included
  double within = 0;   ///< of it: the mean variance of the part's cost given the run, / Var[T]
  double mean = 0;     ///< of the mean cost; a function's: d ln mean / d ln(cost of the function)
  double p99 = 0;      ///< d ln p99 / d ln(cost of the function); 0 for lines
};

/// A loop: its own blocks, with those of the loops in it and without what they call.
struct LoopShares {
  SourceLine at;
  double variance = 0, mean = 0;   ///< shares
  double entered = 0, repeats = 0; ///< per run: times entered, further iterations
  /// How much more of Var[T] a straight line in both explains than one in `entered` alone; 0 where
  /// it may be chance.
  double explains = 0;
};

/// A branch, by the arm that goes along with higher costs.
struct BranchShares {
  SourceLine at;
  bool isSwitch = false;
  uint32_t arm = 0;       ///< of Branch::arms; of an if: 0 true, 1 false, or one of the two
  bool senseKnown = true; ///< of an if: is 0 what the source calls true?
  uint32_t target = 0;    ///< line the arm leads to; 0: not known
  double evaluated = 0;   ///< per run
  double taken = 0;       ///< the arm, per run
  double explains = 0;    ///< as of a loop: more than `evaluated` alone; never chance
  double each = 0;        ///< how much more a run costs for each further `taken`
  /// Of `explains`: by what the arms cost themselves until they meet, with all they call; none:
  /// not known. The rest goes along.
  std::optional<double> itself;
  double cost = 0; ///< share of the mean of these
  bool goesAlong() const { return itself && *itself < 0.1 * explains; }
  /// What goes along is behind.
  double rank() const { return goesAlong() ? 1e-3 * (0.5 + explains) : itself.value_or(explains); }
};

/// Who makes what effects of inputs leave: of costs less their regression on these. Shares of
/// functions add up to 1.
struct ExplainedRest {
  double left = 1;                              ///< of the variance of the runs that were looked at
  std::vector<double> functions, lines;         ///< shares of that; none: next to nothing is left
  std::vector<size_t> tail;                     ///< rows, that with most cost left first
  std::vector<double> functionTails, lineTails; ///< shares of the difference of it and the others
  std::vector<BranchShares> branches;           ///< of what is left
};

/// What one group of runs does and costs per run, and what another does.
struct Contrast {
  struct Item {
    double cost = 0, rest = 0;             ///< mean cost per run in the group and in the other
    double executed = 0, executedRest = 0; ///< times; of functions: entered
    double share = 0;                      ///< of the difference of the whole costs
  };
  double cost = 0, rest = 0;
  std::vector<Item> functions, lines; ///< parallel to Explained::functions and ::lines
};

/// The runs of the highest cost against all others.
struct Tail {
  std::vector<size_t> runs; ///< rows, costliest first; empty: D is too small, or no run stands out
  double from = 0;          ///< the least cost among them
  Contrast contrast;
};

/// A run of the costliest, against the run at the median.
struct SlowRun {
  size_t run = 0;
  Contrast contrast;
};

/// What is known of the inputs of a group besides their cost.
struct FeatureRange {
  uint64_t runs = 0; ///< that have it
  double low = 0, median = 0, high = 0;
};

/// One of several groups into which the costs of finished runs fall, cheapest group first.
struct Cluster {
  std::vector<size_t> runs; ///< rows, cheapest first
  double share = 0;         ///< of the weight of finished runs
  double low = 0, mean = 0, high = 0;
  std::map<std::string, FeatureRange> features;
  Contrast contrast; ///< with the group before it; empty for the first
  /// Per function: the difference of its mean costs in the two groups over its deviation within
  /// them (the root of their mean variance); infinite where it does not vary within them.
  std::vector<double> apart;
};

/// Calls of a function that was not counted, by its linkage name. What they cost is not known.
struct UncountedCall {
  std::string name;
  double calls = 0;  ///< per run
  size_t caller = 0; ///< of Explained::functions: the one with most of them
};

struct Explained {
  Observed observed;               ///< the program's figures; none of functions
  double variance = 0, within = 0; ///< Var[T], and the share of it within runs
  double p99 = 0; ///< as elasticities take it (Harrell and Davis 1982), not the report's
  /// Names and places alone, of those that ran: functions of the source and, where they are folded,
  /// groups in place of theirs; then, where the machine prices more than those, what runs cost
  /// outside of them (unattributedName).
  std::vector<FunctionFigures> functions;
  std::vector<Shares> functionShares;
  std::vector<SourceLine> lines;
  std::vector<Shares> lineShares;
  std::vector<LoopShares> loops;        ///< with cost or trips that vary
  std::vector<BranchShares> branches;   ///< that explain more than chance would
  std::vector<UncountedCall> uncounted; ///< most calls first
  ExplainedInputs inputs;
  ExplainedRest rest; ///< where there are effects
  ExplainedTotals totals;
  Tail tail;
  Modes modes;                 ///< of the costs of finished runs
  std::vector<Cluster> groups; ///< none, or two and more
  size_t median = 0;           ///< row
  std::vector<SlowRun> slowest;
};

} // namespace quincunx
