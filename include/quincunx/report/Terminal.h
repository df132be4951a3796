// A report for people: a table of percentiles with the program first, intervals, a sketch of the
// distribution, the slowest inputs, and what has to be said beside the figures. It computes nothing
// that is not in the estimate, and prints the same bytes for the same estimate.
#pragma once

#include "quincunx/estimate/Observed.h"
#include "quincunx/estimate/ObservedCalls.h"
#include "quincunx/estimate/Provenance.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

struct ParallelTimes;

enum class SortBy { p99, mean, share, sd, calls, name };
/// Of functions that are compared: themselves, or with all they call where that is known.
enum class Figures : uint8_t { self, total };

struct ReportOptions {
  SortBy sort = SortBy::p99;
  size_t top = 20;      ///< functions shown; 0: all
  std::string function; ///< a name, or an expression in them; empty: all
  bool all = false;     ///< every figure of the program, and of functions by themselves
  bool folded = true;   ///< groups of functions in place of these, where no function is asked for
  std::string next; ///< what to ask then, as it is typed behind the program's name; empty: nothing
  Provenance provenance{};
  std::optional<double> net;              ///< start-up that was left out of all costs
  const ParallelTimes *threads = nullptr; ///< how long runs are waited for; null: not known
  bool efficiencies = false;              ///< of these as well
  Display display{};
};

/// The functions that the options ask for, in their order; ties in the order of the estimate. An
/// error when the expression is none.
Result<std::vector<const FunctionFigures *>>
selectFunctions(const std::vector<FunctionFigures> &functions, const ReportOptions &options);
/// Of functions and of what was called and not counted, together, and how many there are;
/// ReportOptions::function may be the name of a group, and means the functions in it. Where the
/// machine prices no call, the most called ones stand below the functions, a few if not all are
/// shown. Code of headers is no function, and stands at the foot, whatever it costs.
struct Rows {
  std::vector<const FunctionFigures *> shown;
  size_t all = 0;
};
Result<Rows> selectRows(const Observed &o, const ReportOptions &options,
                        Figures of = Figures::total);

/// The table of single calls.
Status printCalls(const ObservedCalls &o, const ReportOptions &options, std::ostream &out);
Status printReport(const Observed &o, const ReportOptions &options, std::ostream &out);

} // namespace quincunx
