// Dominators of small directed graphs and what follows from them, natural loops and parts with one
// entry and one exit. It knows no program.
#pragma once

#include <cstdint>
#include <vector>

namespace quincunx {

struct Shape {
  std::vector<std::vector<uint32_t>> successors; ///< per node; may repeat
};
/// The graph with all edges turned round.
Shape reversed(const Shape &s);

/// What can be reached from `from`, itself included.
std::vector<bool> reachable(const Shape &s, uint32_t from);
/// What can reach `to`, itself included.
std::vector<bool> reaching(const Shape &s, uint32_t to);

/// The immediate dominator of every node that can be reached from `entry`, of which it is itself;
/// UINT32_MAX for others. Cooper, Harvey & Kennedy, A Simple, Fast Dominance Algorithm.
std::vector<uint32_t> dominators(const Shape &s, uint32_t entry);

/// Natural loops that contain no other, the header first; they have no node in common.
std::vector<std::vector<uint32_t>> innermostLoops(const Shape &s,
                                                  const std::vector<uint32_t> &dominator);

/// The smallest set of two or more nodes that is entered only at its first and left only to one
/// node; every node must be able to reach `exit`.
std::vector<uint32_t> smallestPart(const Shape &s, uint32_t entry, uint32_t exit);

} // namespace quincunx
