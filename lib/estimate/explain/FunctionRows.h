// The rows that functions have in an explanation: functions of the source, as in reports, or the
// groups that a reader takes for one. Reference: docs/03-runs-kept-apart.md.
#pragma once

#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Explained.h"
#include "quincunx/map/SourceFunctions.h"

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace quincunx {

class FunctionRows {
public:
  /// Those that ran. `isFolded`: a group is one row, in place of its functions. `costs` must
  /// outlive it.
  FunctionRows(const BlockCosts &costs, bool isFolded);

  size_t size() const { return rows.size(); }
  /// Name and place alone.
  const FunctionFigures &place(size_t row) const { return rows[row].place; }
  /// What code of the `f`-th function of the matrix is of, that stands in a scope of it.
  size_t of(size_t f, uint32_t scope = 0) const;
  /// Is that code of others, in a group of them?
  bool isForeign(size_t f, uint32_t scope) const { return place(of(f, scope)).isForeign; }
  /// The functions of the matrix that are of the row as a whole.
  const std::vector<size_t> &compiled(size_t row) const { return rows[row].compiled; }

  /// As BlockCosts::dot() and perRun(), of the row.
  double dot(size_t row, size_t order, std::span<const double> perColumn) const;
  std::vector<double> perRun(size_t row) const;

  const SourceFunctions &sources() const { return all; }

private:
  struct Row {
    FunctionFigures place;
    std::vector<size_t> compiled;
    std::array<std::vector<std::pair<uint32_t, double>>, 2> weights; ///< by order and column
  };
  /// By number of the source; no part: all of it.
  using Parts = std::map<size_t, std::optional<BlockCosts::Part>>;
  Parts partsOf(size_t f) const;
  std::vector<size_t> numberRows(const std::vector<Parts> &parts, bool isFolded);

  const BlockCosts *costs;
  SourceFunctions all;
  std::vector<Row> rows;
  std::vector<size_t> rowOf; ///< per function of the source
};

} // namespace quincunx
