// A loop that was folded when it was recorded, and one like it.
// The idea: what a schedule makes of a loop hangs on where its work is, on how unequal neighbours
// are, and on the few dearest iterations: so segments of neighbours keep their sum and a histogram,
// in octaves below their dearest, and the dearest iterations are kept as they are. The order within
// a segment is lost. Reference: docs/27-parallel.md, "Folded loops".
#pragma once

#include "quincunx/base/Result.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace quincunx::parallel {

/// Neighbours of a loop, without those that are kept as they are.
struct Segment {
  static constexpr size_t bins = 16;

  uint64_t count = 0; ///< of all its iterations
  double sum = 0;     ///< of those in `histogram`
  double top = 0;     ///< no iteration in `histogram` is dearer
  /// The last bin is of (top / 2, top], the one before of the octave below; the first has the rest.
  std::array<uint64_t, bins> histogram{};
};
struct DearIteration {
  uint64_t index = 0;
  double cost = 0;
};
struct FoldedLoop {
  std::vector<Segment> segments;   ///< in order
  std::vector<DearIteration> dear; ///< ascending in `index`
};

/// Segments of sizes as equal as can be, and so many of the dearest iterations.
FoldedLoop fold(std::span<const double> costs, size_t segments, size_t dear);

/// Costs that fold so: sums of segments and the dearest iterations are exact, the others lie in the
/// middle of their octaves, scaled to the sum of the segment, in an order drawn with the seed.
/// Refuses counts that do not agree.
Result<std::vector<double>> unfold(const FoldedLoop &folded, uint64_t seed);

} // namespace quincunx::parallel
