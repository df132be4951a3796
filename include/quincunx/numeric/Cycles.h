// Who leads back to whom in a directed graph.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace quincunx {

/// For each node the number of its strongly connected component: of two nodes that lead to each
/// other it is the same; of others, that which is led to has the lower one. `next`: where each node
/// leads to. O(nodes + edges) (Tarjan 1972).
std::vector<size_t> cyclesOf(std::span<const std::vector<size_t>> next);

} // namespace quincunx
