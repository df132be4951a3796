// Strongly connected components of a graph. It knows nothing of programs.
#pragma once

#include <cstdint>
#include <vector>

namespace quincunx {

/// Nodes that lead to each other, together; a component comes after all that it leads to. `edges`:
/// per node, the nodes it leads to.
std::vector<std::vector<uint32_t>> componentsOf(const std::vector<std::vector<uint32_t>> &edges);

} // namespace quincunx
