// The functions and source lines of a program, and how a number per column of the matrix of counts
// (a mean, a covariance, the counts of one run) becomes one for each.
#pragma once

#include "FunctionRows.h"

namespace quincunx {

/// Numbers per function (parallel to Explained::functions) and per line.
struct PerPart {
  std::vector<double> functionCosts, functionCalls, lineCosts, lineCounts;
};

class Attribution {
public:
  /// `meanCounts`: per column. `costs` and `rows` must outlive it.
  Attribution(const BlockCosts &costs, const FunctionRows &rows,
              std::span<const double> meanCounts);
  const FunctionRows &functions() const { return *rows; }
  const std::vector<SourceLine> &lines() const { return all; }
  /// The line of a place; empty where it is not known.
  SourceLine at(size_t f, const Location &place) const;

  /// Linear in `perColumn`. Costs are in the order-th cumulant.
  PerPart of(std::span<const double> perColumn, size_t order = 0) const;
  /// Edges and blocks of one function.
  FlowValues flow(size_t f, std::span<const double> perColumn) const;

private:
  void addCounters(std::span<const double> perColumn, double Cumulants::*order, PerPart &out) const;
  /// A block and one of its lines; where the line is executed as often as that block in its
  /// instance of the function, `busiest`.
  struct Entry {
    uint32_t block, line;
    uint32_t inBlock; ///< which of the block's lines it is
    Cumulants cost;   ///< there, of one execution of the block
    bool busiest;
  };
  void addFunction(size_t f, std::span<const double> meanCounts);
  uint32_t number(size_t f, const Location &place);

  const BlockCosts *costs;
  const FunctionRows *rows;
  std::vector<SourceLine> all;
  std::map<std::pair<std::string, uint32_t>, uint32_t> numbers;
  std::vector<std::vector<Entry>> entries; ///< per function
};

} // namespace quincunx
