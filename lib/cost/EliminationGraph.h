// The graph that elimination takes apart, and its queue of nodes.
// The idea: edges are in doubly linked lists, one for each end, so that one goes away in constant
// time; the queue has a bucket for each number of ways through a node (its Markowitz count) below
// 64 and for each power of two above, so that it never searches. Reference: Eliminate.cpp. It
// computes no costs.
#pragma once

#include "quincunx/base/Index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace quincunx {

struct EliminationEdge {
  uint32_t from, to;
  uint32_t nextOut, lastOut; ///< the list of the edges of `from`
  uint32_t nextIn, lastIn;   ///< the list of the edges into `to`
  double p;
};

struct EliminationNode {
  uint32_t firstOut = noIndex, firstIn = noIndex,
           self = noIndex; ///< the edge to itself is in no list
  uint32_t outs = 0, ins = 0;
  uint32_t bucket = noIndex, next = noIndex, last = noIndex; ///< place in the queue
  /// In round `seen`, the edge that leads here from, or from here to, the node that is looked at.
  uint32_t seen = 0, at = 0;
  /// Expected cost of the next edge and of the nodes passed that are gone; at last, of all the
  /// rest.
  double mean = 0;
};

/// A queue of nodes by the number of ways through them: edges in times edges out (Markowitz).
class MarkowitzQueue {
public:
  explicit MarkowitzQueue(std::vector<EliminationNode> &all) : nodes(all) { first.fill(noIndex); }

  void put(uint32_t v) {
    const uint32_t bucket = bucketOf(uint64_t{nodes[v].ins} * nodes[v].outs);
    if (nodes[v].bucket == bucket)
      return;
    remove(v);
    nodes[v].bucket = bucket, nodes[v].next = first[bucket], nodes[v].last = noIndex;
    if (first[bucket] != noIndex)
      nodes[first[bucket]].last = v;
    first[bucket] = v;
    lowest = std::min(lowest, bucket);
  }
  uint32_t pop() {
    while (lowest < first.size() && first[lowest] == noIndex)
      ++lowest;
    const uint32_t v = lowest < first.size() ? first[lowest] : noIndex;
    if (v != noIndex)
      remove(v);
    return v;
  }

private:
  static uint32_t bucketOf(uint64_t ways) {
    return static_cast<uint32_t>(ways < 64 ? ways
                                           : 58 + static_cast<uint64_t>(std::bit_width(ways)));
  }
  void remove(uint32_t v) {
    EliminationNode &n = nodes[v];
    if (n.bucket == noIndex)
      return;
    (n.last == noIndex ? first[n.bucket] : nodes[n.last].next) = n.next;
    if (n.next != noIndex)
      nodes[n.next].last = n.last;
    n.bucket = noIndex;
  }
  std::vector<EliminationNode> &nodes;
  std::array<uint32_t, 123> first{};
  uint32_t lowest = 0;
};

} // namespace quincunx
