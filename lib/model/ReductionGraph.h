// The graph that reduce() shrinks to a single edge. Nodes and edges both carry regions. It applies
// no rules.
#pragma once

#include "Dominators.h"
#include "quincunx/model/Region.h"

namespace quincunx {

class ReductionGraph {
protected:
  enum : uint32_t { entry, exit, firstBlock };

  struct Edge {
    uint32_t from = noIndex, to = noIndex, region = noIndex;
    EdgeSet edges; ///< by which it is entered
    EdgeSet last;  ///< by which it arrives
    bool alive = true;
  };
  struct Node {
    uint32_t region = noIndex;
    std::vector<uint32_t> in, out; ///< edges
    uint32_t block = noIndex;      ///< the header, when it is one: where it was entered at first
    bool alive = true;
  };

  /// A node for each block of `f`, with those that only a call ended which may not return; the
  /// entry and the exit; an edge for each other one of `f`.
  explicit ReductionGraph(const Function &f);

  uint32_t addRegion(Region r);
  /// The region of `parts` one after the other; series within series are one.
  uint32_t series(const std::vector<uint32_t> &parts);
  void addEdge(uint32_t from, uint32_t to, uint32_t region, EdgeSet edges, EdgeSet last);
  void removeEdge(uint32_t e);
  void removeNode(uint32_t n);
  /// The graph as it is now.
  Shape shape() const;
  /// The regions without those that became part of something else.
  Regions tidy();

  Regions regions;
  std::vector<Node> nodes;
  std::vector<Edge> graph;
  std::vector<uint32_t> work; ///< nodes to be looked at
  std::vector<bool> waiting;  ///< per node: it is in `work`

private:
  void touch(uint32_t n);
};

} // namespace quincunx
