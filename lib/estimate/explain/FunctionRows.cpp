// Functions of the source, and what they have of those that were compiled.
// The idea: a block's cost is divided among its lines, and a line is of the function whose text it
// is, as in observe/SourceCosts; but here a part is a weight for each column of the matrix, so that
// means, covariances and differences of it are one product each. Functions that lost frames (in
// older builds) keep all that they cost.
#include "FunctionRows.h"

#include "estimate/observe/SourcePlaces.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

FunctionRows::FunctionRows(const BlockCosts &blocks, bool isFolded)
    : costs(&blocks), all(blocks.maps(), true) {
  const size_t functions = blocks.matrix().functions.size();
  std::vector<Parts> parts;
  for (size_t f = 0; f < functions; ++f)
    parts.push_back(partsOf(f));
  rowOf = numberRows(parts, isFolded);
  for (size_t f = 0; f < functions; ++f) {
    rows[of(f)].compiled.push_back(f);
    for (const auto &[number, shares] : parts[f]) {
      Row &row = rows[rowOf[number]];
      for (size_t order = 0; order < row.weights.size(); ++order) {
        const auto weights = blocks.partWeights(f, order, shares);
        row.weights[order].insert(row.weights[order].end(), weights.begin(), weights.end());
      }
    }
  }
}

size_t FunctionRows::of(size_t f, uint32_t scope) const {
  const CountMatrix::Columns &own = costs->matrix().functions[f];
  const size_t row = rowOf[all.of(own.map, own.function, scope)];
  return row == SourceFunctions::none ? of(f) : row;
}

/// What the function itself is is always one of them; no shares: all of it.
FunctionRows::Parts FunctionRows::partsOf(size_t f) const {
  const Function &function = costs->function(f);
  const CountMatrix::Columns &own = costs->matrix().functions[f];
  const size_t itself = all.of(own.map, own.function, 0);
  if (!own.trees.empty())
    return {{itself, {}}};
  const BlockCosts::Part none{std::vector<double>(function.blocks.size(), 0.0),
                              std::vector<double>(function.calls.size(), 0.0)};
  Parts parts{{itself, none}};
  const auto partAt = [&](uint32_t scope) -> BlockCosts::Part & {
    return *parts.try_emplace(all.of(own.map, own.function, scope), none).first->second;
  };
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const std::vector<double> shares = costs->lineShares(f, b);
    if (shares.empty())
      parts[itself]->ofBlocks[b] = 1;
    for (size_t i = 0; i < shares.size(); ++i)
      partAt(function.blocks[b].lines[i].scope).ofBlocks[b] += shares[i];
  }
  for (size_t c = 0; c < function.calls.size(); ++c)
    partAt(function.calls[c].at.scope).ofCalls[c] = 1;
  if (parts.size() == 1)
    parts[itself].reset();
  return parts;
}

/// The row of each function of the source; none: it never ran. What is instances of one that alone
/// ran has a row of its own.
std::vector<size_t> FunctionRows::numberRows(const std::vector<Parts> &parts, bool isFolded) {
  std::vector<bool> ran(all.size());
  for (const Parts &own : parts)
    for (const auto &part : own)
      ran[part.first] = true;
  const auto rowNumber = [&](size_t number) {
    const size_t group = all.groupOf(number);
    return isFolded && group != SourceFunctions::none &&
                   isGroup(placeOf(all, costs->maps(), group, ran))
               ? group
               : number;
  };
  std::vector<size_t> numbers, found(all.size(), SourceFunctions::none);
  for (size_t number = 0; number < ran.size(); ++number)
    if (ran[number])
      numbers.push_back(found[number] = rowNumber(number));
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  for (const size_t number : numbers)
    rows.push_back({placeOf(all, costs->maps(), number, ran), {}, {}});
  for (size_t &number : found)
    if (number != SourceFunctions::none)
      number = static_cast<size_t>(std::ranges::lower_bound(numbers, number) - numbers.begin());
  return found;
}

double FunctionRows::dot(size_t row, size_t order, std::span<const double> perColumn) const {
  double sum = 0;
  for (const auto &[column, weight] : rows[row].weights[order])
    sum += weight * perColumn[column];
  return sum;
}

std::vector<double> FunctionRows::perRun(size_t row) const {
  const CountMatrix &matrix = costs->matrix();
  std::vector<double> sum(matrix.rows.size(), 0.0);
  for (const auto &[column, weight] : rows[row].weights[0])
    matrix.columns[column].addTo(sum, weight);
  for (size_t d = 0; d < sum.size(); ++d)
    sum[d] *= costs->scale(d);
  return sum;
}

} // namespace quincunx
