// One budget as a reader writes it: `p99(parse) < 2 ms`, `mean calls(malloc) <= 3 per request`,
// `growth(sort) <= n log n`. The syntax stands in docs/22-budgets.md. A budget is words: whether
// the names in it exist, and whether it holds, is for CheckBudgets.h to say.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/Change.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

struct Budget {
  enum class Figure : uint8_t { percentile, mean, deviation, min, max, growth };
  enum class Quantity : uint8_t { total, self, calls, bytes };
  enum class Comparison : uint8_t { below, atMost, above, atLeast };
  Figure figure = Figure::percentile;
  double p = 0;                        ///< of a percentile
  Quantity quantity = Quantity::total; ///< of the program, total and self are one
  std::string function;                ///< empty: the program
  std::string per;                     ///< "request" or a feature; empty: a run
  Comparison comparison = Comparison::atMost;
  double bound = 0;        ///< in `unit`, or so many times the baseline
  std::string unit;        ///< empty: not said
  bool ofBaseline = false; ///< the figure of another corpus or build is the unit
  /// Of growth: the bound is n^power, or that times log n.
  double power = 0;
  bool timesLog = false;
  std::vector<Change> changes; ///< it is asked where these apply; empty: of what is

  std::string text; ///< as it was written
  std::string file; ///< where; empty: on the command line
  unsigned line = 0;
  /// It is written at its function, for all programs that have it: one in which it cannot be asked,
  /// without the feature that it names, say, is no error.
  bool isOfSource = false;

  bool isUpper() const { return comparison <= Comparison::atMost; }
  bool isPerRequest() const { return per == "request"; }
};

/// Errors name the column, from 1, and what was expected there.
Result<Budget> parseBudget(std::string_view text);
/// A budget that is written at its function, without its name and without changes: `p99 < 2 ms`,
/// `mean calls <= 3 per request`. `function` is the name by which it is found, `shown` stands in
/// the text. Errors as above, without the budget's text.
Result<Budget> parseBudgetOf(const std::string &function, const std::string &shown,
                             std::string_view text);
/// Those of a file, one a line; `#` and what follows is not read. Errors name the line.
Result<std::vector<Budget>> readBudgets(const std::string &path);

/// How many ns a unit of time is ("ns" to "s"); 0: it is none.
double nanoseconds(std::string_view unit);

} // namespace quincunx
