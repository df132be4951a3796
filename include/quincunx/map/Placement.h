// Which edges of a function get a counter: the chords of a maximum spanning tree (Knuth & Stevenson
// 1973), so that the dearest edges are derived from the others by conservation of flow.
// lib/model/FlowSolver is the inverse. It knows graphs, not instructions: the caller says what
// counting an edge costs.
#pragma once

#include "quincunx/map/Map.h"

#include <cstdint>
#include <span>
#include <vector>

namespace quincunx {

/// Sets Edge::counter of every edge to be measured and Function::counterCount, numbering from 0.
/// `cost[e]`: relative cost of counting edge e, infinity when it cannot be counted.
///
/// - Edges of kind `nonReturning` and `reentry` are never counted.
/// - Around a block that returns twice every ordinary edge is counted.
/// - In a guarded function that is not `exact`, entry and all ways out are counted, whatever they
/// cost:
///   one number more than conservation needs, which shows frames that were lost.
///
/// False when the edges that cannot be counted close a cycle: such a function cannot be measured.
bool placeCounters(Function &f, std::span<const double> cost);

/// What a call that has come to a block has done beyond what pathWeights() added so far, the block
/// itself included: a potential that grows by weight(to) along every edge without a counter. Per
/// block; behind them, of the outside, 0.
std::vector<int64_t> pathPotentials(const Function &f, std::span<const uint64_t> weight);

/// What each counter adds to the sum of `weight` over the blocks that a call runs through, so that
/// the sum is right, whatever the way, whenever the call ends: an edge with a counter adds
/// potential(from) + weight(to) - potential(to), which telescopes. Parallel to the counters
/// placeCounters() numbered.
std::vector<int64_t> pathWeights(const Function &f, std::span<const uint64_t> weight);

} // namespace quincunx
