// The control flow of a function as a tree: series, branches, loops with one or several ways out,
// and flow that is neither. Every block stands in it exactly once, whatever the shape of the code.
// The tree is made from the flow alone; counts and costs come in when it is evaluated (Evaluate.h).
// Reference: docs/04-the-four-rules.md, docs/06-loops-and-exits.md.
#pragma once

#include "quincunx/map/Map.h"

#include <cstdint>
#include <span>
#include <vector>

namespace quincunx {

/// Edges of Function::edges; what stands at them happens as often as they are passed, together.
using EdgeSet = std::vector<uint32_t>;
/// How often, where `edges` says it of each edge; an edge that was passed less than never (of a
/// program that was killed) does not count.
double passes(const EdgeSet &set, std::span<const double> edges);

/// A way from one part of a graph to another, or out of it.
struct Link {
  uint32_t from = 0;         ///< number of a part
  uint32_t to = 0;           ///< number of a part; behind them the ways out
  uint32_t region = noIndex; ///< what is executed on the way; noIndex: nothing
  EdgeSet edges;
};

struct Region {
  enum class Kind : uint8_t {
    block,  ///< `item`: the block
    series, ///< the parts, one after the other
    /// One of `links`, all from 0 to 0. `item`: the branch, when the links are its arms, true
    /// first.
    branch,
    /// parts[0] trips + 1 times and between them what is on links[0], which leads back; links[1]:
    /// leaves. `item`: the loop of the map, if it has it (so for `exits`)
    loop,
    /// A loop with several ways out, or whose body is no tree: the graph of `links` between parts,
    /// entered at part 0; link to number parts.size(): back to part 0, behind that the ways out. Of
    /// one with several ways out the cost is where it leads to: the regions `left`.
    exits,
    /// The cost of the loop parts[0] given that it was left by its way out `item`, from 0 on. The
    /// loop itself stands before the branch in which this is.
    left,
    /// The graph of `links` between parts, entered at part 0; only one way out.
    flow,
  };
  Kind kind = Kind::block;
  uint32_t item = noIndex;
  std::vector<uint32_t> parts; ///< numbers in Regions::all
  std::vector<Link> links;
};

/// Regions of a function, parts before what they are part of.
struct Regions {
  std::vector<Region> all;
  uint32_t root = noIndex; ///< noIndex: the function executes nothing
};

/// The regions of `f`. All ways to leave the function (return, exception, exit) are one. Blocks
/// that cannot be reached are left out. Where control comes back to a place (setjmp, fork) these
/// further arrivals are left out. Endless loops count as if they could be left at their header.
Regions reduce(const Function &f);

} // namespace quincunx
