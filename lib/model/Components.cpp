// Tarjan's algorithm (1972), without recursion: a program may have chains of calls deeper than a
// stack.
#include "Components.h"

#include "quincunx/map/Map.h"

#include <algorithm>
#include <utility>

namespace quincunx {

namespace {

class ComponentFinder {
public:
  explicit ComponentFinder(const std::vector<std::vector<uint32_t>> &e)
      : edges(e), index(e.size(), noIndex), low(e.size(), 0), waits(e.size()) {}

  std::vector<std::vector<uint32_t>> run() {
    for (uint32_t root = 0; root < edges.size(); ++root) {
      if (index[root] == noIndex)
        enter(root);
      while (!path.empty())
        step();
    }
    return std::move(components);
  }

private:
  void enter(uint32_t node) {
    index[node] = low[node] = time++;
    stack.push_back(node);
    waits[node] = true;
    path.emplace_back(node, 0);
  }
  /// Follows the next edge of the node at the end of the path, or leaves it.
  void step() {
    auto &[node, next] = path.back();
    if (next == edges[node].size())
      return leave();
    const uint32_t to = edges[node][next++];
    if (index[to] == noIndex)
      enter(to);
    else if (waits[to])
      low[node] = std::min(low[node], index[to]);
  }
  void leave() {
    const uint32_t done = path.back().first;
    path.pop_back();
    if (!path.empty())
      low[path.back().first] = std::min(low[path.back().first], low[done]);
    if (low[done] != index[done])
      return;
    std::vector<uint32_t> &members = components.emplace_back();
    do {
      members.push_back(stack.back());
      waits[stack.back()] = false;
      stack.pop_back();
    } while (members.back() != done);
  }

  const std::vector<std::vector<uint32_t>> &edges;
  std::vector<uint32_t> index, low, stack;
  std::vector<bool> waits;                       ///< on the stack
  std::vector<std::pair<uint32_t, size_t>> path; ///< node, edges followed so far
  std::vector<std::vector<uint32_t>> components;
  uint32_t time = 0;
};

} // namespace

std::vector<std::vector<uint32_t>> componentsOf(const std::vector<std::vector<uint32_t>> &edges) {
  return ComponentFinder(edges).run();
}

} // namespace quincunx
