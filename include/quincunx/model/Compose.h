// What one call of every function of a program costs with all that it calls: regions evaluated from
// callees to callers. A call is independent of where it comes from and of all others; recursion is
// solved order by order. Reference: docs/07-calls.md.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/model/CallGraph.h"
#include "quincunx/model/Evaluate.h"

#include <functional>

namespace quincunx {

/// What is known of one function.
struct ExecutionCounts {
  double entries = 0;           ///< calls
  std::vector<double> edges;    ///< passed, parallel to Function::edges; empty: it never ran
  std::vector<double> blocks;   ///< executed
  std::vector<Cumulants> costs; ///< of executing each block once, without what it calls
  std::vector<std::optional<Cumulants>> branches, loops; ///< see Evaluation
  /// Of the calls through each pointer (CallGraph::pointers), those that enter each of its callees;
  /// what is left of 1 enters none. Each call is a draw of its own.
  std::vector<std::vector<double>> shares;
};

struct Composed {
  Cumulants exclusive; ///< of one call, without callees
  Cumulants inclusive; ///< with instrumented callees
  /// What callers outside of its recursion, but not those who start it, are charged: the same,
  /// unless ComposeOptions::settle knows better.
  Cumulants charged;
  double outer = 0; ///< entries that are no calls within its own recursion
  /// Its recursion calls itself at least once more on average: no mean exists.
  bool endless = false;
};

/// Per function of the graph; 0 for those that never ran.
struct Composition {
  std::vector<Composed> functions;
  /// Entries that no call of an instrumented function explains: main, callbacks, indirect
  /// calls, threads. The sum over functions of roots times inclusive mean is the mean of all.
  std::vector<double> roots;
  /// The share of the calls of it that entered it: calls may be more than its entries, when
  /// they were of a function of the same name elsewhere, or where frames were lost.
  std::vector<double> share;
};

struct ComposeOptions {
  bool fixedCounts = false; ///< see Evaluation
  /// `executed` is of one call of each function by itself, and not of a program as a whole: there
  /// are no roots, and each call is a call of that function.
  bool eachAlone = false;
  /// Called for each component of the graph when its functions are composed, callees first; may set
  /// what their callers are charged.
  std::function<void(size_t component, Composition &)> settle = {};
};

/// Means are those of the counts, exactly. `regions`, `executed`: parallel to CallGraph::functions.
Result<Composition> compose(const CallGraph &graph, std::span<const Regions> regions,
                            std::span<const ExecutionCounts> executed,
                            const ComposeOptions &options = {});

/// How often function `f` calls each, by name and through pointers, by what was executed; some may
/// come several times.
std::vector<std::pair<uint32_t, double>>
callsOf(const CallGraph &graph, std::span<const ExecutionCounts> executed, uint32_t f);

/// What a call of `callee` costs in `caller`.
const Cumulants &costOfCall(const CallGraph &graph, const Composition &composition, uint32_t caller,
                            uint32_t callee);

/// What one call through pointer `site` of function `f` costs.
Cumulants costOfSite(const CallGraph &graph, std::span<const ExecutionCounts> executed,
                     const Composition &composition, uint32_t f, size_t site,
                     const ComposeOptions &options = {});

/// Costs of executing the blocks of function `f`, with what they call.
std::vector<Cumulants> blocksWithCalls(const CallGraph &graph,
                                       std::span<const ExecutionCounts> executed,
                                       const Composition &composition, uint32_t f,
                                       const ComposeOptions &options = {});

} // namespace quincunx
