// From the counters on a spanning tree's chords to the count of every edge and block of a function,
// by conservation of flow: what enters a block leaves it. Frames that never returned (longjmp,
// exit, an exception passing through) break conservation; then counts are intervals, and they say
// so. It knows nothing of costs; a weighted sum of block counts is offered as a linear form in the
// counters.
#pragma once

#include "quincunx/map/Map.h"

#include <memory>
#include <span>
#include <vector>

namespace quincunx {

/// A count; low == high when it is exact, `value` is the middle otherwise.
struct Count {
  double value = 0, low = 0, high = 0;
  bool exact() const { return low == high; }
};

/// How often frames of a function came and went in a run: entered + reentered = left + unwound +
/// stopped + lost.
struct Frames {
  double entered = 0, left = 0, unwound = 0, stopped = 0;
  double lost = 0;      ///< ended inside a call that never returned
  double inherited = 0; ///< were active in a parent when it forked, and may turn up in the child
  /// Frames lost and inherited per tree of unmeasured edges: it is known in which tree a frame was
  /// lost, not where.
  std::vector<double> lostIn, inheritedIn;
};

struct FunctionCounts {
  std::vector<Count> edges,
      blocks; ///< parallel to Function::edges and ::blocks; blocks from their start
  Frames frames;
};

/// sum over blocks of weight x count, as a function of the counters: sum perCounter x counter is
/// exact when no frame was lost or inherited. Each frame lost in a tree adds between `low` and
/// `high` (it depends on where in the tree); each inherited one subtracts as much. The middle of
/// the interval is the value.
struct LinearForm {
  struct PerFrame {
    double low = 0, high = 0;
  };
  std::vector<double> perCounter; ///< Function::counterCount of them
  std::vector<PerFrame> lost;     ///< per tree, as Frames::lostIn
  Count at(std::span<const uint64_t> counters, const Frames &frames) const;
  /// at() when sum perCounter x counter is known already: it is `base`.
  Count around(double base, const Frames &frames) const;
};

/// Frames entered and lost, as linear forms in the counters (weights per counter). Inherited frames
/// are not in them.
struct FrameForms {
  std::vector<double> entered, lost;
};

/// One number per edge and block of a function; blocks from their start.
struct FlowValues {
  std::vector<double> edges, blocks;
};

struct FlowPlan;

/// The equations of one function, brought into the order in which they are solved. `f` must outlive
/// it.
class FlowSolver {
public:
  explicit FlowSolver(const Function &f);
  FlowSolver(FlowSolver &&) noexcept;
  ~FlowSolver();

  /// `counters`: the function's counters (Function::counterCount values), summed over the processes
  /// of a run. `inherited`: those of parents at fork, summed over forked children; empty when
  /// nothing forked.
  FunctionCounts counts(std::span<const uint64_t> counters,
                        std::span<const uint64_t> inherited = {}) const;
  Frames frames(std::span<const uint64_t> counters, std::span<const uint64_t> inherited = {}) const;
  /// Anything that is linear in counts (a mean, a covariance), given for every counter; exact when
  /// no frame was lost.
  FlowValues flow(std::span<const double> perCounter) const;

  /// One weight per block, and one per edge where edges count too.
  LinearForm linear(std::span<const double> blockWeights,
                    std::span<const double> edgeWeights = {}) const;
  FrameForms frameForms() const;

private:
  std::unique_ptr<const FlowPlan> plan;
};

} // namespace quincunx
