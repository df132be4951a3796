// Which calls are made under some functions: by these, or by what they call, however deep. It knows
// counts, and no costs.
#pragma once

#include "estimate/counts/CallCounts.h"
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/numeric/Sparse.h"

#include <utility>
#include <vector>

namespace quincunx {

class CallShares {
public:
  /// `roots`: functions of the matrix, of which several copies are one root.
  CallShares(const BlockCosts &blocks, std::vector<std::vector<size_t>> roots);

  /// Functions that may be called under a root, the roots included: numbers in the matrix.
  const std::vector<size_t> &functions() const { return reached; }
  /// How often the `i`-th of functions() was entered.
  double entries(size_t i, size_t run) const { return nodes[i].entries[run]; }

  /// Calls of one function in one run that are made under every root of a set.
  struct Under {
    double share = 0;           ///< of all its calls, where calls of a function are alike
    double least = 0, most = 0; ///< how many there may be
    bool may = false;           ///< one may be
    bool all = false;           ///< all are
  };
  /// Of one run: per set of roots (the bits of its index; nothing for 0), parallel to functions().
  using Sets = std::vector<std::vector<Under>>;
  Sets of(size_t run, SparseSystem &system) const;
  /// What of() solves in: a thread has its own.
  SparseSystem system() const { return {nodes.size(), places}; }
  /// Calls of a root that are not made under itself; `under`: of it alone.
  double outermost(size_t root, size_t run, const std::vector<Under> &under) const;
  /// May anything under the root start threads?
  bool startsThreads(const std::vector<Under> &under) const;

private:
  struct Node {
    CallCounts::PerRun entries;
    CallCounts::PerRun unexplained; ///< entries that nothing in the program is known to make
    size_t roots = 0;               ///< bits of those it belongs to
    bool callsOut = false;          ///< calls code that is not known, which may call back
    bool startsThreads = false;
  };
  /// Calls of one function by another.
  struct Edge {
    uint32_t from = 0, to = 0;
    CallCounts::PerRun times; ///< empty: those of a site
    size_t site = SIZE_MAX;
    uint32_t target = 0;  ///< of the site
    bool isGuess = false; ///< by who is not known
  };
  /// How many calls in a run: by estimate, and bounds.
  struct Flow {
    double is = 0, least = 0, most = 0;
  };

  void countCalls(const BlockCosts &blocks);
  void addSites();
  void addCallsBack();
  void keepReached();
  Flow flowOf(const Edge &edge, size_t run) const;
  static bool isCalledBack(const Node &node);
  static bool isOf(const Node &node, size_t root) { return (node.roots >> root & 1) != 0; }
  void findMay(std::vector<Under> &under, size_t run, const std::vector<Flow> &flows) const;
  void findAll(std::vector<Under> &under, size_t root, size_t run,
               const std::vector<Flow> &flows) const;
  void countUnder(Sets &sets, size_t set, size_t run, const std::vector<Flow> &flows) const;
  void findShares(Sets &sets, size_t set, size_t run, const std::vector<Flow> &flows,
                  SparseSystem &system) const;

  CallCounts calls;
  const size_t rootCount;
  std::vector<size_t> reached;
  std::vector<Node> nodes; ///< parallel to `reached`
  std::vector<Edge> edges;
  std::vector<std::pair<uint32_t, uint32_t>> places; ///< of the equations of the shares
};

} // namespace quincunx
