// What budgets are about, run by run: the program and functions of it, their cost with and without
// what they call, calls and bytes. It draws no conclusion.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/dist/Mixture.h"
#include "quincunx/estimate/Budget.h"
#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/NameReader.h"
#include "quincunx/estimate/RunSource.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

/// A function that a budget names.
struct BudgetFunction {
  std::vector<size_t> sources; ///< numbers among SourceFunctions: one a build
  std::vector<size_t> library; ///< numbers among LibraryFunctions, of what was not counted
  std::string file;            ///< where it begins; empty: not known
  uint32_t line = 0;
  bool inlined = false; ///< code of it is in other functions, whose calls have no count
};

/// Functions by name.
class BudgetFunctions {
public:
  /// All must outlive it.
  BudgetFunctions(const std::vector<Map> &maps, const NameReader &reader);
  ~BudgetFunctions();
  /// Errors: there is none (with the nearest), it may be several (with a list).
  Result<BudgetFunction> find(const std::string &name) const;
  /// Some function may be meant.
  bool isAny(const std::string &name) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// One quantity of every run.
struct RunValues {
  std::vector<Cumulants> values;
  std::vector<Interval> counts; ///< where k1 lies, because counts are intervals
  /// Over all requests, of which only some were kept.
  std::optional<double> mean;
  /// Totals: a call is taken as the average one of its run where callers share.
  bool isAverage = false;
};

struct MeasuredRuns {
  struct Row {
    std::string input; ///< equal for runs of one input
    std::string label;
    bool open = false; ///< it was stopped
    double weight = 1;
    std::map<std::string, double> features;
  };
  std::vector<Row> rows;
  std::vector<RunValues> quantities; ///< parallel to what was asked
  uint64_t crashed = 0, unrecorded = 0;
  bool isSample = false; ///< requests were drawn from more
};

/// What is asked of every run.
struct AskedQuantity {
  Budget::Quantity quantity = Budget::Quantity::total;
  std::optional<BudgetFunction> function; ///< none: the program
};

/// Errors: a quantity that is not known, a corpus that cannot be read.
Result<MeasuredRuns> measureRuns(const RunSource &source, const Machine &machine,
                                 const std::vector<AskedQuantity> &asked);

} // namespace quincunx
