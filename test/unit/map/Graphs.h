// Random flow graphs and random walks over them: the ground truth for placement of counters and for
// derived counts. A walk keeps the true count of every edge, block and lost frame.
#pragma once

#include "quincunx/map/Map.h"

#include <algorithm>
#include <random>

namespace quincunx::test {

inline Function randomFunction(std::mt19937_64 &random, uint32_t blocks, bool guarded, bool exact) {
  Function f;
  f.name = "f";
  f.guarded = guarded || exact;
  f.exact = exact;
  f.scopes.emplace_back();
  f.blocks.resize(blocks);
  f.edges.push_back({noIndex, 0, EdgeKind::entry, noIndex});
  auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (uint32_t b = 0; b < blocks; ++b) {
    f.blocks[b].mayNotReturn = f.guarded && pick(3) == 0;
    std::vector<uint32_t> to;
    if (b + 1 < blocks)
      to.push_back(b + 1); // every block can be reached and can reach the last one
    for (uint32_t extra = pick(3); extra > 0 && b > 0; --extra)
      if (const uint32_t t = 1 + pick(blocks - 1);
          blocks > 1 && std::find(to.begin(), to.end(), t) == to.end())
        to.push_back(t);
    if (b + 1 == blocks) {
      to.clear();
      f.edges.push_back({b, noIndex, pick(4) == 0 ? EdgeKind::unwind : EdgeKind::leave, noIndex});
    }
    for (const uint32_t t : to)
      f.edges.push_back({b, t, EdgeKind::flow, noIndex});
    if (f.blocks[b].mayNotReturn && exact)
      f.edges.push_back({b, noIndex, EdgeKind::nonReturning, noIndex});
  }
  return f;
}

struct Truth {
  std::vector<uint64_t> edges, blocks;
  uint64_t lost = 0;
};

/// `runs` frames; each block that may cut loses a frame with probability `loss`.
inline Truth walk(const Function &f, std::mt19937_64 &random, int runs, double loss) {
  Truth truth{std::vector<uint64_t>(f.edges.size()), std::vector<uint64_t>(f.blocks.size())};
  std::vector<std::vector<uint32_t>> out(f.blocks.size());
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].from != noIndex && f.edges[e].kind != EdgeKind::nonReturning)
      out[f.edges[e].from].push_back(e);
  auto cutEdge = [&](uint32_t block) {
    for (uint32_t e = 0; e < f.edges.size(); ++e)
      if (f.edges[e].from == block && f.edges[e].kind == EdgeKind::nonReturning)
        return e;
    return noIndex;
  };
  std::uniform_real_distribution<double> chance(0, 1);
  for (int r = 0; r < runs; ++r) {
    uint32_t at = 0;
    truth.edges[0]++;
    while (at != noIndex) {
      truth.blocks[at]++;
      if (f.blocks[at].mayNotReturn && chance(random) < loss) {
        truth.lost++;
        if (const uint32_t e = cutEdge(at); e != noIndex)
          truth.edges[e]++;
        break;
      }
      const uint32_t e = out[at][random() % out[at].size()];
      truth.edges[e]++;
      at = f.edges[e].to;
    }
  }
  return truth;
}

inline std::vector<uint64_t> countersOf(const Function &f, const Truth &truth) {
  std::vector<uint64_t> counters(f.counterCount);
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].counter != noIndex)
      counters[f.edges[e].counter] = truth.edges[e];
  return counters;
}

} // namespace quincunx::test
